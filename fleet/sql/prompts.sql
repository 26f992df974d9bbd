-- One row a prompt for permission that a person saw, as migrations/sql/schema.sql has it on one machine.
WITH decided AS (
    SELECT * FROM events WHERE kind IN ('permission_granted', 'permission_refused')
),
-- A hook that is registered twice logs a prompt twice; one of them is joined to the decision.
asked AS (
    SELECT prompts.*
    FROM (
        SELECT
            events.*,
            ts_us - lag(ts_us) OVER (
                PARTITION BY session_id, agent_id, tool_name, input_digest ORDER BY ts_us, id
            ) AS since_us
        FROM events
        WHERE kind = 'permission_asked'
    ) AS prompts
    LEFT JOIN (SELECT DISTINCT asked_id FROM decided WHERE asked_id IS NOT NULL) AS known
        ON known.asked_id = prompts.id
    WHERE since_us IS NULL OR since_us > 2000000 OR known.asked_id IS NOT NULL
)
SELECT
    coalesce(asked.ts_us, decided.ts_us) AS put_us,
    coalesce(asked.machine, decided.machine) AS machine,
    coalesce(asked.project, decided.project) AS project,
    coalesce(asked.tool_name, decided.tool_name, 'other') AS tool_name,
    CASE
        WHEN decided.ambiguous THEN 'ambiguous'
        WHEN decided.kind = 'permission_granted' THEN 'granted'
        WHEN decided.kind = 'permission_refused' THEN 'refused'
        ELSE 'open'
    END AS outcome,
    CASE WHEN decided.waited_seconds >= 0 THEN CAST(floor(decided.waited_seconds * 1000000) AS BIGINT) END AS waited_us
FROM asked
FULL JOIN decided ON decided.asked_id = asked.id
-- Nobody saw a prompt that waited behind the one that was refused.
WHERE decided.reason IS NULL OR decided.reason <> 'cancelled'
