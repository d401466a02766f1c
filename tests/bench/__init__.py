"""Real servers for the tests: each is started on a free port of this machine's loopback and ends with the run."""
