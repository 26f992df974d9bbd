-- The questions as they are now: what was known and what came, and those that came whole. A question
-- with nothing behind it is dismissed once its session went on, and open until then.
INSERT INTO questions BY NAME
WITH both_sides AS (
    SELECT
        tool_use_id,
        question_index,
        least(came.described_by, known.described_by) AS described_by,
        -- The description of the side that ranks first, whole: a mixture would describe nothing.
        known.described_by IS NOT NULL
            AND (came.described_by IS NULL OR known.described_by <= came.described_by) AS keep,
        CASE WHEN keep THEN known.question_count ELSE came.question_count END AS question_count,
        CASE WHEN keep THEN known.session_id ELSE came.session_id END AS session_id,
        CASE WHEN keep THEN known.session_kind ELSE came.session_kind END AS session_kind,
        CASE WHEN keep THEN known.project ELSE came.project END AS project,
        CASE WHEN keep THEN known.tool_name ELSE came.tool_name END AS tool_name,
        CASE WHEN keep THEN known.question_key ELSE came.question_key END AS question_key,
        CASE WHEN keep THEN known.key_source ELSE came.key_source END AS key_source,
        CASE WHEN keep THEN known.question ELSE came.question END AS question,
        CASE WHEN keep THEN known.header ELSE came.header END AS header,
        CASE WHEN keep THEN known.options ELSE came.options END AS options,
        CASE WHEN keep THEN known.recommended ELSE came.recommended END AS recommended,
        CASE WHEN keep THEN known.multi_select ELSE came.multi_select END AS multi_select,
        CASE WHEN keep THEN known.door ELSE came.door END AS door,
        CASE WHEN keep THEN known.door_reason ELSE came.door_reason END AS door_reason,
        CASE WHEN keep THEN known.skill ELSE came.skill END AS skill,
        least(came.asked_at, known.asked_at) AS asked_at,
        least(came.auto_decided_at, known.auto_decided_at) AS auto_decided_at,
        least(came.answered_at, known.answered_at) AS answered_at,
        least(came.dismissed_at, known.dismissed_at) AS dismissed_at,
        least(came.failed_at, known.failed_at) AS failed_at,
        coalesce(known.ask_reason, came.ask_reason) AS ask_reason,
        coalesce(known.answer, came.answer) AS answer,
        coalesce(known.free_text, came.free_text) AS free_text,
        coalesce(known.notes, came.notes) AS notes,
        coalesce(known.answer_name, came.answer_name) AS answer_name,
        coalesce(known.was_auto_decided, came.was_auto_decided) AS was_auto_decided,
        coalesce(known.followed_recommendation, came.followed_recommendation) AS followed_recommendation,
        coalesce(known.auto_answer, came.auto_answer) AS auto_answer,
        coalesce(known.auto_answer_name, came.auto_answer_name) AS auto_answer_name,
        coalesce(known.preference, came.preference) AS preference,
        coalesce(known.preference_scope, came.preference_scope) AS preference_scope,
        coalesce(known.mechanism, came.mechanism) AS mechanism,
        coalesce(known.reason, came.reason) AS reason,
        coalesce(known.error_kind, came.error_kind) AS error_kind,
        coalesce(known.error, came.error) AS error
    FROM delta AS came
    FULL JOIN previous AS known USING (tool_use_id, question_index)
),
now AS (
    SELECT *, NULL::TIMESTAMP AS went_on_at FROM incoming_questions()
    UNION ALL BY NAME
    SELECT both_sides.* EXCLUDE keep, sessions.last_at AS went_on_at
    FROM both_sides LEFT JOIN sessions ON sessions.session_id = both_sides.session_id
),
timed AS (
    SELECT
        *,
        coalesce(asked_at, auto_decided_at, answered_at, failed_at, dismissed_at) AS put_at,
        CASE
            -- Somebody answered otherwise than the preference: the answer is theirs.
            WHEN answered_at IS NOT NULL AND auto_decided_at IS NOT NULL
                AND was_auto_decided IS FALSE AND answer_name <> auto_answer_name THEN 'answered'
            WHEN auto_decided_at IS NOT NULL OR was_auto_decided THEN 'auto_decided'
            WHEN answered_at IS NOT NULL THEN 'answered'
            WHEN failed_at IS NOT NULL THEN 'failed'
            WHEN dismissed_at IS NOT NULL THEN 'dismissed'
            WHEN went_on_at > put_at THEN 'dismissed'
            ELSE 'open'
        END AS outcome
    FROM now
)
SELECT
    ?::UINTEGER AS batch,
    CAST((put_at AT TIME ZONE 'UTC') AT TIME ZONE ? AS DATE) AS day,
    put_at,
    tool_use_id,
    question_index,
    described_by,
    question_count,
    session_id,
    session_kind,
    project,
    tool_name,
    question_key,
    coalesce(key_source, 'fingerprint') AS key_source,
    coalesce(question, '') AS question,
    header,
    options,
    recommended,
    multi_select,
    coalesce(door, 'two-way') AS door,
    door_reason,
    skill,
    outcome,
    asked_at,
    auto_decided_at,
    answered_at,
    dismissed_at,
    failed_at,
    ask_reason,
    answer,
    free_text,
    notes,
    answer_name,
    was_auto_decided,
    followed_recommendation,
    auto_answer,
    auto_answer_name,
    preference,
    preference_scope,
    mechanism,
    reason,
    error_kind,
    error,
    CASE
        WHEN outcome = 'answered' AND answered_at >= asked_at
            THEN epoch(answered_at - asked_at) / greatest(question_count, 1)
    END AS human_seconds
FROM timed;
