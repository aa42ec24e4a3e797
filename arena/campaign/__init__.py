"""Campaigns: thousands of games by a plan, which can be killed anywhere, lose nothing and pay for nothing twice.

A campaign is a folder: `plan.json` (never changed), `ledger.sqlite` (what has been played, and every answer that was
paid for) and `games/` (one record a game, whole or not there). A killed game is played again from its beginning: the
same answers come from the ledger up to the place where it stopped, free of charge.
"""
