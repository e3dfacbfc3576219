-- The same for statements that are read again: `SITE/KEY` is the subject of the crawl's decisions, and
-- the line of their problems is 0.
CREATE OR REPLACE VIEW current_problems AS
    WITH named AS (
        SELECT *, regexp_replace(task_id, '-[^-]*$', '') || ':'
            || json_extract_string(record, '$.derivation.line') AS subject
        FROM problems
    ), decided AS (
        SELECT seq, keep, CASE filter WHEN 'crawl' THEN subject || ':0' ELSE subject END AS subject
        FROM decisions WHERE filter IN ('trace', 'crawl')
    ), lost AS (
        SELECT subject, max(seq) AS seq FROM decided WHERE NOT keep GROUP BY subject
    )
    SELECT named.seq, task_id, source, record FROM named LEFT JOIN lost USING (subject)
    WHERE coalesce(lost.seq, 0) < named.seq
    QUALIFY row_number() OVER (PARTITION BY subject ORDER BY named.seq DESC) = 1;
