-- Of what was decided without the person in two neighbouring periods, what no preference decided, one
-- row each: answers of theirs that held for the session, answers of their reviewer, and calls that it
-- turned down. Facts are read by day, and not at all where the log knows of no such thing.
-- $1 first day of both, $2 last day of both, $3 first day of the current one, $4 project or NULL.
WITH others AS MATERIALIZED (
    SELECT
        number,
        preference = 'reviewer' AS is_reviewer,
        coalesce(reason = 'denied', false) AS is_turned_down
    FROM details
    WHERE kind = 'auto_decided' AND preference IN ('reask', 'reviewer')
)
SELECT
    facts.day >= $3::DATE AS is_current,
    count(*) FILTER (NOT others.is_reviewer)::UBIGINT AS session,
    count(*) FILTER (others.is_reviewer AND NOT others.is_turned_down)::UBIGINT AS reviewer,
    count(*) FILTER (others.is_reviewer AND others.is_turned_down)::UBIGINT AS turned_down
FROM question_facts AS facts
JOIN others ON others.number = facts.auto_decided
WHERE
    facts.outcome = 2
    AND facts.day BETWEEN $1::DATE AND $2::DATE
    AND ($4::VARCHAR IS NULL OR facts.scope IN (SELECT scope FROM scopes WHERE project = $4))
GROUP BY is_current;
