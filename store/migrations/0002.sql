-- A function that is traced again, and made differently or lost, leaves its old problem behind: the
-- newer word on the function wins. `NAME:LINE` is the subject of the tracer's decisions.
CREATE OR REPLACE VIEW current_problems AS
    WITH named AS (
        SELECT *, regexp_replace(task_id, '-[^-]*$', '') || ':'
            || json_extract_string(record, '$.derivation.line') AS subject
        FROM problems
    ), lost AS (
        SELECT subject, max(seq) AS seq FROM decisions
        WHERE filter = 'trace' AND NOT keep GROUP BY subject
    )
    SELECT named.seq, task_id, source, record FROM named LEFT JOIN lost USING (subject)
    WHERE coalesce(lost.seq, 0) < named.seq
    QUALIFY row_number() OVER (PARTITION BY subject ORDER BY named.seq DESC) = 1;
