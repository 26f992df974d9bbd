-- The same questions as they are now. A question with nothing behind it is dismissed once its
-- session went on, and open until then.
CREATE OR REPLACE TEMP TABLE merged AS
WITH known AS (
    SELECT
        tool_use_id,
        question_index,
        described_by,
        {
            question_count: question_count,
            session_id: session_id,
            session_kind: session_kind,
            project: project,
            tool_name: tool_name,
            question_key: question_key,
            key_source: key_source,
            question: question,
            header: header,
            options: options,
            recommended: recommended,
            multi_select: multi_select,
            door: door,
            door_reason: door_reason,
            skill: skill
        } AS description,
        asked_at, auto_decided_at, answered_at, dismissed_at, failed_at,
        ask_reason, answer, free_text, notes, answer_name, was_auto_decided,
        followed_recommendation, auto_answer, auto_answer_name, preference, preference_scope,
        mechanism, reason, error_kind, error
    FROM previous
),
both_sides AS (
    SELECT
        coalesce(came.tool_use_id, known.tool_use_id) AS tool_use_id,
        coalesce(came.question_index, known.question_index) AS question_index,
        least(came.described_by, known.described_by) AS described_by,
        CASE
            WHEN known.tool_use_id IS NULL THEN came.description
            WHEN came.tool_use_id IS NULL OR known.described_by <= came.described_by
                THEN known.description
            ELSE came.description
        END AS description,
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
        coalesce(known.followed_recommendation, came.followed_recommendation)
            AS followed_recommendation,
        coalesce(known.auto_answer, came.auto_answer) AS auto_answer,
        coalesce(known.auto_answer_name, came.auto_answer_name) AS auto_answer_name,
        coalesce(known.preference, came.preference) AS preference,
        coalesce(known.preference_scope, came.preference_scope) AS preference_scope,
        coalesce(known.mechanism, came.mechanism) AS mechanism,
        coalesce(known.reason, came.reason) AS reason,
        coalesce(known.error_kind, came.error_kind) AS error_kind,
        coalesce(known.error, came.error) AS error
    FROM delta AS came
    FULL JOIN known USING (tool_use_id, question_index)
),
timed AS (
    SELECT
        *,
        coalesce(asked_at, auto_decided_at, answered_at, failed_at, dismissed_at) AS put_at
    FROM both_sides
),
ended AS (
    SELECT
        timed.*,
        CASE
            -- Somebody answered otherwise than the preference: the answer is theirs.
            WHEN answered_at IS NOT NULL AND auto_decided_at IS NOT NULL
                AND was_auto_decided IS FALSE AND answer_name <> auto_answer_name THEN 'answered'
            WHEN auto_decided_at IS NOT NULL OR was_auto_decided THEN 'auto_decided'
            WHEN answered_at IS NOT NULL THEN 'answered'
            WHEN failed_at IS NOT NULL THEN 'failed'
            WHEN dismissed_at IS NOT NULL THEN 'dismissed'
            WHEN sessions.last_at > put_at THEN 'dismissed'
            ELSE 'open'
        END AS outcome
    FROM timed
    LEFT JOIN sessions ON sessions.session_id = timed.description.session_id
)
SELECT
    CAST((put_at AT TIME ZONE 'UTC') AT TIME ZONE ? AS DATE) AS day,
    put_at,
    tool_use_id,
    question_index,
    description.question_count AS question_count,
    described_by,
    description.session_id AS session_id,
    description.session_kind AS session_kind,
    description.project AS project,
    description.tool_name AS tool_name,
    description.question_key AS question_key,
    coalesce(description.key_source, 'fingerprint') AS key_source,
    coalesce(description.question, '') AS question,
    description.header AS header,
    description.options AS options,
    description.recommended AS recommended,
    description.multi_select AS multi_select,
    coalesce(description.door, 'two-way') AS door,
    description.door_reason AS door_reason,
    description.skill AS skill,
    outcome,
    asked_at, auto_decided_at, answered_at, dismissed_at, failed_at,
    ask_reason, answer, free_text, notes, answer_name, was_auto_decided,
    followed_recommendation, auto_answer, auto_answer_name, preference, preference_scope,
    mechanism, reason, error_kind, error,
    CASE
        WHEN outcome = 'answered' AND answered_at >= asked_at
            THEN epoch(answered_at - asked_at) / greatest(description.question_count, 1)
    END AS human_seconds
FROM ended;
