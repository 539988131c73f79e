-- A session that was opened while the database's clock was ahead is not live when the clock is right again: it expires later
-- than its lifetime of an hour from now. The tolerance of 15 minutes is for a failover to a machine with another clock, which
-- must not end everyone's session.
CREATE OR REPLACE VIEW live_sessions AS
  SELECT * FROM sessions
   WHERE ended_at IS NULL AND expires_at > now() AND last_seen_at > now() - interval '975 seconds'
     AND expires_at <= now() + interval '4500 seconds';
