CREATE OR REPLACE TEMP TABLE incoming AS FROM preference_changes LIMIT 0;
