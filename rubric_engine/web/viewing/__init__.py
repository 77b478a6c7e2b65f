"""Runs in a browser, read-only.

folders.py  the run folders that there are
hiding.py   what is hidden of them, and what a run is called then
known.py    what was worked out from files that are as they were
heads.py    what a list says of a run
shelf.py    the runs by id, and what is read of them
unread.py   what is said of a run that cannot be read
given.py    how far runs were when somebody was given them
live.py     how far a run is, and what has changed since
events.py   these changes as a stream
app.py      the server
"""
