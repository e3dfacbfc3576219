"""A project's own tests run again in the sandbox, once as they are and once recorded."""
