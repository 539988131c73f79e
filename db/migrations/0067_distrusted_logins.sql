-- Whether the device and network of this session's login are known to a later login. False once staff or the person ended it
-- from elsewhere, or ended all sessions: a thief may have opened it, even if it had already ended.
ALTER TABLE sessions ADD COLUMN counts_as_known boolean NOT NULL DEFAULT true;
