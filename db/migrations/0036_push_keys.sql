-- A push device with new keys counts as added now: whoever replaced them may have stolen the session.
GRANT UPDATE (created_at) ON push_devices TO larkspur_app;
