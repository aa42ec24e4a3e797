"""Experimental design: deals, blocks, schedules, power, and the run of a campaign."""
