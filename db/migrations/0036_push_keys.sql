-- A push device whose keys are replaced counts as added now: the person who replaced them may have stolen the session.
GRANT UPDATE (created_at) ON push_devices TO larkspur_app;
