-- One row a question, whatever was pushed twice, by the rules of docs/development/events.md: of several events of a
-- kind the hook's counts, then the earlier one; the first kind there is describes it; what has no end is dismissed
-- where its session went on. It reads the files: a copy of an event changes nothing here.
WITH ranked AS (
    SELECT
        of_questions.*,
        row_number() OVER in_order AS place,
        lag(kind_rank) OVER in_order AS kind_before
    FROM (
        SELECT
            files.*,
            CASE WHEN source LIKE 'import%' THEN 1 ELSE 0 END AS source_rank,
            CASE kind
                WHEN 'asked' THEN 0 WHEN 'auto_decided' THEN 1 WHEN 'answered' THEN 2 WHEN 'dismissed' THEN 3 ELSE 4
            END AS kind_rank
        FROM files
        WHERE
            kind IN ('asked', 'auto_decided', 'answered', 'dismissed', 'failed')
            AND tool_use_id IS NOT NULL AND question_index IS NOT NULL AND question_key IS NOT NULL
    ) AS of_questions
    WINDOW in_order AS (
        PARTITION BY tool_use_id, question_index ORDER BY kind_rank, source_rank, ts_us, machine, id
    )
),
joined AS (
    SELECT
        tool_use_id,
        question_index,
        max(CASE WHEN place = 1 THEN machine END) AS machine,
        max(CASE WHEN place = 1 THEN session_id END) AS session_id,
        max(CASE WHEN place = 1 THEN session_kind END) AS session_kind,
        max(CASE WHEN place = 1 THEN project END) AS project,
        max(CASE WHEN place = 1 THEN question_key END) AS question_key,
        max(CASE WHEN place = 1 THEN key_source END) AS key_source,
        max(CASE WHEN place = 1 THEN key_name END) AS key_name,
        max(CASE WHEN place = 1 THEN skill END) AS skill,
        max(CASE WHEN place = 1 THEN question_count END) AS question_count,
        max(CASE WHEN place = 1 THEN ts_us END) AS put_us,
        max(CASE WHEN kind = 'asked' THEN ts_us END) AS asked_us,
        max(CASE WHEN kind = 'asked' THEN reason END) AS ask_detail,
        max(CASE WHEN kind = 'auto_decided' THEN ts_us END) AS decided_us,
        max(CASE WHEN kind = 'auto_decided' THEN answer_hash END) AS decided_hash,
        max(CASE WHEN kind = 'answered' THEN ts_us END) AS answered_us,
        max(CASE WHEN kind = 'answered' THEN answer_hash END) AS answer_hash,
        max(CASE WHEN kind = 'answered' THEN answer_name END) AS answer_name,
        max(CASE WHEN kind = 'answered' THEN CAST(was_auto_decided AS INT) END) AS was_auto,
        max(CASE WHEN kind = 'answered' THEN CAST(followed_recommendation AS INT) END) AS followed,
        max(CASE WHEN kind = 'dismissed' THEN ts_us END) AS dismissed_us,
        max(CASE WHEN kind = 'failed' THEN ts_us END) AS failed_us,
        max(CASE WHEN kind = 'failed' THEN error_kind END) AS error_kind,
        max(CASE WHEN door = 'one-way' OR multi_select THEN 1 ELSE 0 END) AS barred
    FROM ranked
    WHERE kind_before IS NULL OR kind_before <> kind_rank
    GROUP BY tool_use_id, question_index
),
seen AS (
    SELECT session_id, max(ts_us) AS last_us
    FROM files
    WHERE kind IN ('asked', 'auto_decided', 'answered', 'dismissed', 'failed', 'session_started', 'session_ended')
    GROUP BY session_id
),
ended AS (
    SELECT
        joined.*,
        CASE
            WHEN was_auto = 0 AND decided_hash <> answer_hash THEN 'answered'
            WHEN coalesce(ask_detail, '') <> 'not_printed' AND (decided_us IS NOT NULL OR was_auto = 1)
                THEN 'auto_decided'
            WHEN answered_us IS NOT NULL THEN 'answered'
            WHEN failed_us IS NOT NULL THEN 'failed'
            WHEN dismissed_us IS NOT NULL OR seen.last_us > put_us THEN 'dismissed'
            ELSE 'open'
        END AS outcome
    FROM joined
    LEFT JOIN seen ON seen.session_id = joined.session_id
)
SELECT
    put_us, machine, session_id, session_kind, project, question_index, question_key, key_source, key_name, skill,
    outcome, answer_hash, answer_name, followed, barred, error_kind,
    answered_us - asked_us AS call_us,
    -- Whole microseconds: sums of integers are the same in any order and on any engine.
    CASE
        WHEN outcome = 'answered' AND answered_us >= asked_us
        THEN CAST(floor(CAST(answered_us - asked_us AS DOUBLE) / greatest(coalesce(question_count, 1), 1)) AS BIGINT)
    END AS human_us
FROM ended
