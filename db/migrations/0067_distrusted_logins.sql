-- Whether the device and network of this session's login are known to a later login. False once the session was ended because
-- it could be a thief's, or had ended before.
ALTER TABLE sessions ADD COLUMN counts_as_known boolean NOT NULL DEFAULT true;
