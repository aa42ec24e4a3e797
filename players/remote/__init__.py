"""Remote seats: the frames on the wire, a seat's line, and the player that waits for its answers. No sockets here."""
