-- Problems as filters left them; the last word for each unit and task.
CREATE TABLE refinements (seq BIGINT, unit VARCHAR, task_id VARCHAR, record VARCHAR);
CREATE VIEW current_refinements AS
    SELECT * FROM refinements
    QUALIFY row_number() OVER (PARTITION BY unit, task_id ORDER BY seq DESC) = 1;
