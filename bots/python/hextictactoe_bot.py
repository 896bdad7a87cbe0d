#!/usr/bin/env python3
"""A bot for hexagonal tic-tac-toe: Python 3.8 or newer, nothing to install.

    python3 hextictactoe_bot.py [PORT]

It waits on PORT (default 8002) for servers that use the HTTTX Bot API, and plays over
stateless v1-alpha and basic_websocket v1-alpha. Part 1 is the strategy: change
move(). Part 2 talks to servers and can stay as it is.
"""
import base64
import hashlib
import json
import struct
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# ----------------------------------------------------------------- 1. strategy

NAME = "python"  # your bot's name: change it

AXES = [(1, 0), (0, 1), (1, -1)]
WIN = 6  # pieces in a row
WORTH = [0, 1, 4, 16, 64, 96]  # of a window, by its number of pieces


def windows(board):
    """Yield each window of six cells with pieces of one side only: the side,
    the number of its pieces, and the empty cells."""
    seen = set()
    for q, r in board:
        for dq, dr in AXES:
            for back in range(WIN):
                start = (q - back * dq, r - back * dr)
                if (start, dq, dr) in seen:
                    continue
                seen.add((start, dq, dr))
                cells = [(start[0] + k * dq, start[1] + k * dr) for k in range(WIN)]
                sides = {board[c] for c in cells if c in board}
                if len(sides) == 1:
                    empty = [c for c in cells if c not in board]
                    yield sides.pop(), WIN - len(empty), empty


def move(board, side):
    """Return the cells for the two pieces of side; board is {(q, r): "x" or "o"}."""
    placed = []
    board = dict(board)
    while len(placed) < 2:
        worth = {}
        win = None
        for whose, pieces, empty in windows(board):
            if whose == side and 0 < len(empty) <= 2 - len(placed):
                win = empty
            # Windows that the other side could fill with its next move come first.
            urgent = 1000 if whose != side and len(empty) <= 2 else 1
            for cell in empty:
                worth[cell] = worth.get(cell, 0) + urgent * WORTH[pieces]
        if win:  # a move is two pieces: if one is enough, add any other
            for cell in win:
                board[cell] = side
                placed.append(cell)
            continue
        if not worth:  # no row can be completed any more: play next to any piece
            for q, r in list(board):
                for dq, dr in AXES:
                    if (q + dq, r + dr) not in board:
                        worth[(q + dq, r + dr)] = 1
        best = max(sorted(worth), key=lambda cell: worth[cell])
        board[best] = side
        placed.append(best)
    return placed


# ------------------------------------------------------------------ 2. servers

CAPABILITIES = {
    "meta": {"name": NAME, "description": "an example to start from"},
    "basic_websocket": {"versions": {"v1-alpha": {
        "free_setup": True, "resettable_state": True, "move_skips": True,
        "dual_sided": True, "free_move_order": True, "request_id": True}}},
    "stateless": {"versions": {"v1-alpha": {}}},
}
LIMIT = 1 << 20  # bytes per message


def board_of(cells):
    return {(c["q"], c["r"]): c["p"] for c in cells}


def answer(board, side, request):
    pieces = [{"q": q, "r": r} for q, r in move(board, side)]
    reply = {"move": {"pieces": pieces}}
    if "request_id" in request:
        reply["request_id"] = request["request_id"]
    return reply


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 600  # seconds that a server may stay silent

    def do_GET(self):
        if self.path == "/capabilities.json":
            self.reply(200, CAPABILITIES)
        elif self.headers.get("Sec-WebSocket-Key"):
            self.close_connection = True
            self.play()
        else:
            self.reply(404, {"error": "there is only capabilities.json"})

    def do_POST(self):
        try:
            length = int(self.headers["Content-Length"])
            if length > LIMIT:
                raise ValueError("the body is too large")
            request = json.loads(self.rfile.read(length))
            board = request["board"]
            reply = answer(board_of(board["cells"]), board["to_move"], request)
        except (ValueError, KeyError, TypeError) as error:
            self.reply(400, {"error": "not a request for a move: %s" % error})
        else:
            self.reply(200, reply)

    def reply(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if status != 200:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass

    def play(self):
        """Play one game over a WebSocket."""
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        board = {}
        while True:
            text = self.receive()
            if text is None:
                return
            packet = json.loads(text)
            if packet["type"] == "setup":
                board = board_of(packet["board"]["cells"])
            elif packet["type"] == "move_request":
                for previous in packet["previous"]:
                    for c in previous["pieces"]:
                        board[(c["q"], c["r"])] = previous["side"]
                if "board" in packet:  # some servers omit our own moves from previous
                    board = board_of(packet["board"]["cells"])
                reply = answer(board, packet["side"], packet)
                self.send(1, json.dumps({"type": "move_response", **reply}).encode())
            elif packet["type"] in ("end", "nope") or packet.get("waiting"):
                return  # the game is over, or the server waits for an answer that it did not request

    def receive(self):
        """Return the next message, or None if the connection is closed."""
        message = b""
        while True:
            head = self.rfile.read(2)
            if len(head) < 2:
                return None
            kind, length = head[0] & 15, head[1] & 127
            if length == 126:
                length = struct.unpack("!H", self.rfile.read(2))[0]
            elif length == 127:
                length = struct.unpack("!Q", self.rfile.read(8))[0]
            if length + len(message) > LIMIT:
                return None
            mask = self.rfile.read(4)
            data = bytes(b ^ mask[i % 4] for i, b in enumerate(self.rfile.read(length)))
            if kind == 8:
                return None
            if kind == 9:
                self.send(10, data)
            elif kind < 3:
                message += data
                if head[0] & 128:
                    return message

    def send(self, kind, data):
        head = bytes([128 | kind])
        if len(data) < 126:
            head += bytes([len(data)])
        else:
            head += bytes([126]) + struct.pack("!H", len(data))
        self.wfile.write(head + data)
        self.wfile.flush()


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8002), Handler)
    server.daemon_threads = True
    print("waiting on port %d" % server.server_port, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
