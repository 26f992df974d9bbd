-- Two events of each pair, as a machine of the level `none` pushes them. What is not named is null.
INSERT INTO due BY NAME
WITH halves AS (
    SELECT
        pairs.*,
        half,
        what IN ('question', 'copy') AS is_question,
        CASE
            WHEN half = 1 THEN ended
            WHEN what = 'session' THEN 'session_started'
            WHEN what = 'prompt' THEN 'permission_asked'
            -- What a preference answers nobody is asked.
            WHEN ended = 'auto_decided' THEN 'auto_decided'
            ELSE 'asked'
        END AS first_kind,
        start_us + CASE
            WHEN half = 0 THEN 0
            WHEN what = 'session' THEN 25200000000
            WHEN ended = 'auto_decided' THEN 40000
            ELSE took_us
        END AS happened_us,
        list_transform(range(options), lambda o: hashed('label', concat(question, ' ', o))) AS labels
    FROM pairs
    CROSS JOIN (VALUES (0), (1)) AS t(half)
),
named AS (
    SELECT
        *,
        CASE WHEN half = 1 AND first_kind = 'auto_decided' AND is_question THEN 'answered' ELSE first_kind END AS kind
    FROM halves
)
SELECT
    hashed('event', concat(pair, ' ', half)) AS id,
    make_timestamp(happened_us) AS ts,
    kind,
    hashed('session', session) AS session_id,
    session_kind,
    hashed('project', project) AS project,
    CASE WHEN chance(session, 'mode') < 0.7 THEN 'default' ELSE 'acceptEdits' END AS permission_mode,
    'cli' AS entrypoint,
    CASE WHEN what = 'copy' THEN 'import:claude-code' ELSE 'hook' END AS source,
    CASE
        WHEN is_question THEN 'AskUserQuestion'
        WHEN what = 'prompt' THEN list_extract(['Bash', 'Edit', 'WebFetch', 'Write'], 1 + floor(4 * pow(chance(pair, 'tool'), 2))::INTEGER)
    END AS tool_name,
    CASE WHEN is_question OR (what = 'prompt' AND half = 1) THEN hashed('call', pair) END AS tool_use_id,
    CASE WHEN is_question THEN 0 END AS question_index,
    CASE WHEN is_question THEN 1 END AS question_count,
    CASE
        WHEN is_question AND question < 250 THEN concat('skill', question % 20, '-question-', question)
        WHEN is_question THEN concat('txt-', left(md5(concat(question, ' ', project)), 16))
    END AS question_key,
    CASE WHEN is_question THEN CASE WHEN question < 250 THEN 'marker' ELSE 'text' END END AS key_source,
    CASE WHEN is_question THEN labels END AS options,
    CASE WHEN is_question THEN labels[1] END AS recommended,
    CASE WHEN is_question THEN 'two-way' END AS door,
    CASE WHEN is_question AND question < 250 THEN concat('skill', question % 20) END AS skill,
    CASE WHEN kind = 'asked' THEN 'no_preference' END AS ask_reason,
    CASE WHEN kind IN ('answered', 'auto_decided') THEN [labels[chosen + 1]] END AS answer,
    CASE WHEN kind = 'answered' THEN ended = 'auto_decided' END AS was_auto_decided,
    CASE WHEN kind = 'answered' THEN chosen = 0 END AS followed_recommendation,
    CASE WHEN kind = 'auto_decided' THEN 'never-ask' END AS preference,
    CASE WHEN kind = 'auto_decided' THEN 'global' END AS preference_scope,
    CASE WHEN kind = 'auto_decided' THEN 'allow' END AS mechanism,
    CASE WHEN kind = 'auto_decided' THEN 'standing' END AS level,
    CASE WHEN what = 'prompt' THEN hashed('subject', question) END AS subject,
    CASE WHEN what = 'prompt' THEN ['reads', 'project', 'unknown', 'beyond'][1 + question % 4] END AS reach,
    CASE WHEN what = 'prompt' THEN hashed('input', pair) END AS input_digest,
    CASE WHEN what = 'prompt' AND half = 1 THEN hashed('event', concat(pair, ' ', 0)) END AS asked_id,
    CASE WHEN kind = 'permission_granted' THEN 'once' END AS "grant",
    CASE WHEN what = 'prompt' AND half = 1 THEN took_us / 1e6 END AS waited_seconds,
    CASE WHEN what = 'prompt' AND half = 1 THEN chance(pair, 'ambiguous') < 0.02 END AS ambiguous,
    CASE WHEN kind = 'failed' THEN list_extract(['validation', 'tool_error', 'denied'], 1 + floor(3 * chance(pair, 'error'))::INTEGER) END AS error_kind,
    CASE
        WHEN kind = 'dismissed' THEN list_extract(['clarify', 'rejected', 'interrupted'], 1 + floor(3 * chance(pair, 'reason'))::INTEGER)
        WHEN kind = 'permission_refused' THEN 'rejected'
        WHEN kind = 'session_started' THEN 'startup'
        WHEN kind = 'session_ended' THEN 'prompt_input_exit'
    END AS reason,
    -- The copy of an import is its neighbour's.
    hashed('machine', CASE WHEN what = 'copy' THEN (machine + 1) % getvariable('machines') ELSE machine END) AS machine,
    make_timestamp(happened_us)::DATE AS day,
    happened_us AS ts_us,
    CASE WHEN kind IN ('answered', 'auto_decided') THEN labels[chosen + 1] END AS answer_hash
FROM named;
