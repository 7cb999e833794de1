"""A server as a team might begin one: the standard library, one operation, two of its mistakes."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

METHOD = {"paymentMethodType": "CARD", "channels": []}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.headers.get("Authorization") != os.environ["KEY"]:
            return self.answer(401, {"title": "Who are you?", "status": 401})
        if not urlsplit(self.path).path.endswith("/terminals"):
            return self.answer(404, {"title": "Nothing here", "status": 404})
        return self.answer(200, {"paymentMethods": [METHOD]})

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer(501, {"title": "Not yet", "status": 501})

    def answer(self, status, body):
        text = json.dumps(body).encode()
        kind = "application/json" if status == 200 else "application/problem+json"
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
