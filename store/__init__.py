"""Records, values, the DuckDB workspace, its ledger, blobs, exports and audit."""
