-- The time steps whose codes the app used up when it confirmed a step-up. One of these codes is accepted once more when the app
-- is removed, because it was used for nothing else.
ALTER TABLE step_ups ADD COLUMN app_steps int8range;
GRANT UPDATE (app_steps) ON step_ups TO larkspur_app;
