-- Append only: no UPDATE, no DELETE, no secondary indexes. `seq` is the ledger entry of the row.
CREATE TABLE sources (seq BIGINT, id VARCHAR, record VARCHAR);
CREATE TABLE problems (seq BIGINT, task_id VARCHAR, source VARCHAR, record VARCHAR);
CREATE TABLE samples (seq BIGINT, task_id VARCHAR, model VARCHAR, index INTEGER, record VARCHAR);
CREATE TABLE executions (seq BIGINT, task_id VARCHAR, purpose VARCHAR, record VARCHAR);
CREATE TABLE decisions (
    seq BIGINT, subject VARCHAR, filter VARCHAR, keep BOOLEAN, reason VARCHAR, record VARCHAR
);
CREATE TABLE exports (seq BIGINT, path VARCHAR, record VARCHAR);
CREATE TABLE runs (seq BIGINT, id VARCHAR, record VARCHAR);
CREATE TABLE units (key VARCHAR, stage VARCHAR, subject VARCHAR, outcome VARCHAR);
CREATE TABLE ledger (
    seq BIGINT, kind VARCHAR, subject VARCHAR, content VARCHAR, previous VARCHAR, hash VARCHAR
);
-- The present state: the last word on each subject.
CREATE VIEW current_problems AS
    SELECT * FROM problems QUALIFY row_number() OVER (PARTITION BY task_id ORDER BY seq DESC) = 1;
CREATE VIEW current_decisions AS
    SELECT * FROM decisions
    QUALIFY row_number() OVER (PARTITION BY subject, filter ORDER BY seq DESC) = 1;
