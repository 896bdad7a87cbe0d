# SPDX-License-Identifier: Apache-2.0
"""Bots of hexagonal tic-tac-toe for servers of the HTTTX Bot API, in Python 3.8 or newer, without packages.

hexarena.run uses it for --listen, where the bot waits for servers, and for --dial-in. The servers tell the position
only, so that the rest of a state is that of a match with the usual rules and without a clock.
"""
from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import random
import struct
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, BinaryIO, Dict, List, Optional, Type, cast
from urllib.parse import urlencode

import hexarena
from hexarena import Bot, Hex, Piece, Placement, Side, TicTacToeState

# What servers may do with the bot.
_CAPABILITIES: Dict[str, Any] = {
    "basic_websocket": {"versions": {"v1-alpha": {"move_time_limit": True, "free_setup": True, "resettable_state": True,
                                                  "move_skips": True, "request_id": True}}},
    "stateless": {"versions": {"v1-alpha": {"move_time_limit": True, "request_id": True}}},
}
_LIMIT = 1 << 20  # bytes of a message, as servers have it
_SILENCE = 600  # seconds without a byte after which a server is gone: usual servers ping every five
_SIDES: List[Side] = ["x", "o"]  # by player id
_Pieces = Dict[Hex, Piece]


def play(bot: Type[Bot], args: argparse.Namespace) -> int:
    """Play as the arguments say, and return the exit code."""
    if args.listen is None:
        _dial_in(bot, args)
    else:
        _listen(bot, args)
    return 0


class _Invalid(ValueError):
    """What a server sent is not as the API says."""


class _Game:
    """A game with one bot. It begins with the first request."""

    def __init__(self, new_bot: Type[Bot]) -> None:
        self.new_bot = new_bot
        self.bot: Optional[Bot] = None

    def move(self, pieces: _Pieces, side: Side, seconds: float) -> Placement:
        """Return a side's move, for which it has that many seconds, 0 for any number."""
        state = _state(pieces, side)
        if self.bot is None:
            match = hexarena.Match({
                "player_id": _SIDES.index(side), "nb_players": 2, "nb_special_players": 0, "nb_turns_max": 0,
                "milliseconds_before_first_turn": 0, "milliseconds_between_turns": 0, "initial_game_state": state})
            random.seed(match.random.random())  # for bots that use the module's functions
            self.bot = self.new_bot(match)
        self.bot.match.milliseconds_between_turns = 1000 * seconds
        self.bot.match._begin_turn({"message_type": "TURN", "turn_number": self.bot.match.turn_number + 1,
                                    "game_state": state})
        actions = self.bot.turn(state)
        if not isinstance(actions, list) or len(actions) != 1:
            raise TypeError(f"turn must return a list with one move, not {actions!r}")
        return cast(Placement, actions[0])

    def end(self, pieces: _Pieces, winner: Optional[Side]) -> None:
        """Tell the bot the last position and the winner."""
        if self.bot:
            self.bot.end(_state(pieces, "x"), -1 if winner is None else _SIDES.index(winner))


def _state(pieces: _Pieces, side: Side) -> TicTacToeState:
    return {
        "board": {"cells": list(pieces.values())}, "to_move": side, "previous": [], "move": len(pieces) // 2, "clocks": None,
        "status": "in_progress", "reason": "", "row": [], "view_distance": 8, "win_distance": 6, "turn_limit": 0,
        "clock": {"type": "none", "base_ms": 0, "increment_ms": 0}}


def _object(text: bytes) -> Dict[str, Any]:
    try:
        packet = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _Invalid(f"not JSON: {error}") from None
    if not isinstance(packet, dict):
        raise _Invalid("not a JSON object")
    return packet


def _pieces(board: Any) -> _Pieces:
    """Return the pieces of a board by their cells."""
    try:
        pieces: _Pieces = {(c["q"], c["r"]): {"q": c["q"], "r": c["r"], "p": _side(c["p"])} for c in board["cells"]}
    except (KeyError, TypeError):
        raise _Invalid("a board without valid cells") from None
    if any(type(number) is not int for cell in pieces for number in cell):
        raise _Invalid("a cell whose coordinates are not integers")
    return pieces


def _moved(moves: Any) -> _Pieces:
    """Return the pieces of moves by their cells."""
    try:
        return _pieces({"cells": [{**piece, "p": move["side"]} for move in moves for piece in move["pieces"]]})
    except (KeyError, TypeError):
        raise _Invalid("previous is not a list of moves") from None


def _side(side: Any) -> Side:
    if side not in _SIDES:
        raise _Invalid(f"the side {side!r}, which is neither x nor o")
    return cast(Side, side)


def _seconds(request: Dict[str, Any], name: str) -> float:
    limit = request.get(name)
    return limit if isinstance(limit, (int, float)) else 0


def _answer(request: Dict[str, Any], move: Placement) -> Dict[str, Any]:
    echoed = {"request_id": request["request_id"]} if "request_id" in request else {}
    return {"move": move, **echoed}


_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10  # opcodes of WebSocket frames


class _WebSocket:
    """An end of a WebSocket after its handshake."""

    def __init__(self, stream: BinaryIO, output: BinaryIO, client: bool) -> None:
        self.input, self.output, self.client = stream, output, client

    def receive(self) -> Optional[bytes]:
        """Return the next message, or None if the connection has ended. Pings are answered."""
        message = b""
        while True:
            head = self.read(2)
            size = head[1] & 127
            if size >= 126:
                size, = struct.unpack("!H" if size == 126 else "!Q", self.read(2 if size == 126 else 8))
            if size + len(message) > _LIMIT:
                raise _Invalid(f"a message of more than {_LIMIT} bytes")
            mask = self.read(4) if head[1] & 128 else bytes(4)
            content, opcode = _masked(self.read(size), mask), head[0] & 15
            if opcode == _CLOSE:
                return None
            if opcode == _PING:
                self.send(_PONG, content)
            elif opcode <= 2:
                message += content
                if head[0] & 128:
                    return message

    def read(self, size: int) -> bytes:
        content = self.input.read(size)
        if len(content) < size:
            raise EOFError
        return content

    def send(self, opcode: int, content: bytes) -> None:
        size = len(content)  # less than 64 KiB, which moves have
        masked = 128 if self.client else 0
        head = struct.pack("!BB", 128 | opcode, masked | size) if size < 126 else struct.pack("!BBH", 128 | opcode, masked | 126, size)
        mask = os.urandom(4) if self.client else b""
        self.output.write(head + mask + (_masked(content, mask) if mask else content))
        self.output.flush()


def _masked(content: bytes, mask: bytes) -> bytes:
    keys = mask * (len(content) // 4 + 1)
    return bytes(a ^ b for a, b in zip(content, keys))


_STALE = 1.0  # seconds after an answer in which a packet may have been sent before it


def _converse(socket: _WebSocket, game: _Game) -> bool:
    """Play a game over a WebSocket. Report whether it was played to its end."""
    pieces: _Pieces = {}
    answered = time.monotonic()
    try:
        while True:
            text = socket.receive()
            if text is None:
                return False
            packet = _object(text)
            kind = packet.get("type")
            if kind == "setup":
                pieces = _pieces(packet.get("board"))
            elif kind == "move_request":
                pieces.update(_moved(packet.get("previous")))
                if packet.get("board"):  # some servers leave our own moves out of previous
                    pieces = _pieces(packet["board"])
                move = game.move(pieces, _side(packet.get("side")), _seconds(packet, "move_time_limit"))
                socket.send(_TEXT, json.dumps({"type": "move_response", **_answer(packet, move)}).encode())
                answered = time.monotonic()
            elif kind == "end":
                winner = packet.get("winner")
                game.end(_pieces(packet["board"]) if packet.get("board") else pieces, winner and _side(winner))
                return True
            elif kind == "nope":
                raise _Invalid(f"nope: {packet.get('reason')}")
            elif kind == "heartbeat" and packet.get("waiting") is True and time.monotonic() > answered + _STALE:
                raise _Invalid("a heartbeat that waits for an answer to no request")
    except (EOFError, OSError):
        return False


def _accept(key: str) -> str:
    """Return what a server answers to a client's key."""
    return base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()


def _capabilities(args: argparse.Namespace) -> bytes:
    return json.dumps({"meta": {"name": args.name}, **_CAPABILITIES}).encode()


# Listening.


def _listen(new_bot: Type[Bot], args: argparse.Namespace) -> None:
    """Play all games that servers ask for, until the process is ended."""
    host, _, port = args.listen.rpartition(":")

    class Handler(_Handler):
        bot = new_bot
        capabilities = _capabilities(args)

    try:
        server = ThreadingHTTPServer((host or "127.0.0.1", int(port)), Handler)
    except (OSError, OverflowError, ValueError) as error:
        raise hexarena._Error(f"cannot listen at {args.listen}: {error}") from None
    server.daemon_threads = True
    print(f"waiting on port {server.server_port}", flush=True)
    server.serve_forever()


class _Handler(BaseHTTPRequestHandler):
    """A connection of a server. Each WebSocket, and each stateless request, is a separate game."""

    protocol_version = "HTTP/1.1"
    timeout = _SILENCE
    bot: Type[Bot]
    capabilities: bytes

    def do_GET(self) -> None:
        key = self.headers.get("Sec-WebSocket-Key")
        if self.path == "/capabilities.json":
            self.reply(200, self.capabilities)
        elif key is None:
            self.reply(404, b'{"error":"there is only capabilities.json"}')
        else:
            self.close_connection = True
            self.send_response(101)
            self.send_header("Upgrade", "websocket")
            self.send_header("Connection", "Upgrade")
            self.send_header("Sec-WebSocket-Accept", _accept(key))
            self.end_headers()
            try:
                _converse(_WebSocket(self.rfile, self.wfile, client=False), _Game(self.bot))
            except _Invalid as error:
                print(f"the server at {self.address_string()} sent {error}", file=sys.stderr)

    def do_POST(self) -> None:
        try:
            size = int(self.headers.get("Content-Length", "-1"))
            if not 0 <= size <= _LIMIT:
                raise _Invalid(f"a length that is not from 0 to {_LIMIT} bytes")
            request = _object(self.rfile.read(size))
            board = request.get("board")
            pieces = _pieces(board)
            side = _side(board.get("to_move"))
        except ValueError as error:
            self.reply(400, json.dumps({"error": f"not a request for a move: {error}"}).encode())
        else:
            move = _Game(self.bot).move(pieces, side, _seconds(request, "time_limit"))
            self.reply(200, json.dumps(_answer(request, move)).encode())

    def reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if status != 200:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing: output is the bot's."""


# Dialling in.


def _dial_in(new_bot: Type[Bot], args: argparse.Namespace) -> None:
    """Take a seat of a server that cannot dial the bot, and play one game."""
    at = f"{args.host}:{args.port}"
    try:
        tcp = hexarena._Tcp(args.host, args.port, args.tls)
    except (OSError, OverflowError) as error:
        raise hexarena._Error(f"no server at {at}: {error}; is hexarena running?") from None
    key = base64.b64encode(os.urandom(16)).decode()
    query = "?" + urlencode({"token": args.token}) if args.token else ""
    output = tcp.socket.makefile("wb")
    output.write((f"GET /htttx/session{query} HTTP/1.1\r\nHost: {at}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
    output.flush()
    status = tcp.stream.readline(_LIMIT).decode("latin-1").strip()
    if status.split(" ")[1:2] != ["101"]:
        raise hexarena._Error(f"cannot dial in at {at}: {status[:100]}; is it hexarena, and not without a page (--http '')?")
    while tcp.stream.readline(_LIMIT).strip():
        pass  # the other headers
    socket = _WebSocket(tcp.stream, output, client=True)
    socket.send(_TEXT, _capabilities(args))
    try:
        whole = _converse(socket, _Game(new_bot))
    except _Invalid as error:
        raise hexarena._Error(f"the server sent {error}") from None
    if not whole:
        raise hexarena._Error("the server closed the connection")
