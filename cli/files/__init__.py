"""What is kept in files: the data folder, the identity, records."""
