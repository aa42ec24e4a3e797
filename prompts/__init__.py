"""Every word sent to a model or spoken by the judge, in each language."""
