"""Pages for a browser on this machine: `view` shows runs, `label serve` takes labels.

guard.py       who is let in, and what every answer carries
access.py      a token for the first address, a cookie from then on
serving.py     the socket and the server
viewing/       runs, read-only, live while they go on
labelling/     one person's labels, written as they are given

It needs the extra `web` (Starlette and uvicorn); nothing else imports it.
"""
