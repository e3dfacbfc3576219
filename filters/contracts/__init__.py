"""What a problem promises of its inputs and answers, read from annotations and sentences."""
