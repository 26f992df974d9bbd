-- Per ISO week (by its Monday) what was asked; a week without questions has no row.
-- $1 first day, $2 last day, $3 project or NULL.
SELECT
    date_trunc('week', day)::DATE AS monday,
    sum(answered + failed + dismissed + open) AS asked,
    sum(auto_decided) AS auto_decided,
    round(coalesce(sum(list_sum(human_seconds)), 0), 3) AS human_seconds
FROM daily_facts
SEMI JOIN (
    SELECT series FROM series JOIN scopes USING (scope) WHERE $3::VARCHAR IS NULL OR project = $3
) AS wanted USING (series)
WHERE day BETWEEN $1::DATE AND $2::DATE
GROUP BY monday
ORDER BY monday;
