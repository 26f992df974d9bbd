-- The sessions that what just came touches.
CREATE OR REPLACE TEMP TABLE session_delta AS FROM incoming_sessions();
