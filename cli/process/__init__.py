"""What any command stands on: exit codes, signals, running Trio, workers, lines of input."""
