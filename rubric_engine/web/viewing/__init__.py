"""Runs in a browser, read-only.

shelf.py    the runs by id, and what is read of them
live.py     how far a run is, and what has changed since
events.py   these changes as a stream
app.py      the server
"""
