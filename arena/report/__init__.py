"""What an evaluation found, as terminal tables and as one self-contained page."""
