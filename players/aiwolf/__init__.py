"""Seats for agents that speak the AIWolf NLP protocol; we are the server. No sockets here."""
