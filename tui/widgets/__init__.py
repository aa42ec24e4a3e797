"""Parts of screens. Each draws what it is given and posts what was done; none knows the game."""
