"""The network table: the door that clients come through, the table behind it, and the client that joins."""
