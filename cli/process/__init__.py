"""What any command stands on: errors with exit codes, signals, running Trio, workers, lines of input."""
