-- A password reset by mail and a new email set by staff postpone a waiting removal of the second factors.
GRANT UPDATE (effective_at) ON factor_resets TO larkspur_app;
