"""The `tianhei` command."""
