"""Where code comes from: sdists, repositories and folders, with their licences."""
