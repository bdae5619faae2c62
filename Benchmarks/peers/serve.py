"""Serves a peer with uvicorn, one process, on a free port: `serve.py MODULE`."""

import importlib
import socket
import sys

import uvicorn

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1024)
application = importlib.import_module(sys.argv[1]).app
print(f"Ready: http://127.0.0.1:{listener.getsockname()[1]}/graphql", flush=True)
config = uvicorn.Config(application, loop="uvloop", http="httptools", log_level="error", access_log=False, lifespan="off")
uvicorn.Server(config).run(sockets=[listener])
