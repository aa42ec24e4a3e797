"""The metrics of an evaluation, and the statistics that say how sure they are."""
