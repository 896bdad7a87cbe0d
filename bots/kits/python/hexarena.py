# SPDX-License-Identifier: Apache-2.0
"""Bots for hexarena in Python 3.8 or newer, without packages.

    import hexarena

    class MyBot(hexarena.Bot):
        def turn(self, state):
            return []  # the actions of a turn

    hexarena.run(MyBot)
"""
from __future__ import annotations

import argparse
import faulthandler
import getpass
import hashlib
import json
import math
import os
import random
import signal
import socket
import ssl
import struct
import sys
import time
from typing import (Any, BinaryIO, Collection, Dict, Iterator, List, Literal, Mapping, NamedTuple, Optional, Sequence, Set,
                    Tuple, Type, TypedDict, Union)

# types: generated from protocol/netorcai/model.json

Direction = Literal["x+", "y+", "z+", "x-", "y-", "z-"]  # one of the six directions


class Coord(TypedDict):
    """A cell's axial position."""

    q: int
    r: int


class Cell(TypedDict):
    """A cell of the board."""

    q: int
    r: int
    color: int  # 0 is neutral, otherwise player id plus one


class _Character(TypedDict):
    """The keys that Character always has."""

    id: int
    color: int  # player id plus one
    q: int
    r: int
    alive: bool
    revive_delay: int  # turns until it can be revived; -1 while it is alive


class Character(_Character, total=False):
    """A character of a player."""

    bomb_count: int  # bombs that it holds; absent by the draft rules


class Bomb(TypedDict):
    """A bomb that has not exploded yet."""

    color: int  # its owner's player id plus one
    range: int  # reach in each direction, in cells
    delay: int  # turns until it explodes; 1: in the next turn
    q: int
    r: int


class _State(TypedDict):
    """The keys that State always has."""

    cells: List[Cell]  # all cells, by q, then r
    characters: List[Character]  # all characters, by id
    bombs: List[Bomb]  # all bombs, in the order in which they were dropped
    cell_count: Dict[str, int]  # number of cells of each player, by player id
    score: Dict[str, int]  # points of each player so far, by player id


class State(_State, total=False):
    """The board after a turn."""

    explosions: Dict[str, List[Coord]]  # exploded cells by their new colour; absent by the draft rules


class Move(TypedDict):
    """A step of a character to the next cell."""

    id: int  # the character
    movement: Literal["move"]
    direction: Direction


class DropBomb(TypedDict):
    """A bomb that a character drops on its cell."""

    id: int  # the character
    movement: Literal["bomb"]
    bomb_range: int  # 2 to 4; up to 100 for a special player
    bomb_delay: int  # 2 to 4; up to 100 for a special player


class Revive(TypedDict):
    """The revival of a character where it died."""

    id: int  # the character
    movement: Literal["revive"]


class ReviveAt(TypedDict):
    """The revival of a character on a given cell, by the draft rules."""

    id: int  # the character
    movement: Literal["revive"]
    revive_q: int
    revive_r: int


Action = Union[Move, DropBomb, Revive, ReviveAt]  # what a character does in a turn


Side = Literal["x", "o"]  # a side, player 0 or player 1


Status = Literal["in_progress", "x_wins", "o_wins", "draw"]  # how a game stands


ClockType = Literal["none", "turn", "match", "incremental"]  # what a clock counts


class Piece(TypedDict):
    """A placed piece."""

    q: int
    r: int
    p: Side  # its side


class Board(TypedDict):
    """The pieces on the board."""

    cells: List[Piece]  # in the order in which they were placed


class PastMove(TypedDict):
    """A move that was made."""

    side: Side  # that made it
    pieces: List[Coord]  # its cells


class Clocks(TypedDict):
    """The time left for each side."""

    x: int  # milliseconds
    o: int  # milliseconds


class Clock(TypedDict):
    """The time that a side has."""

    type: ClockType
    base_ms: int  # milliseconds for each move or for all moves
    increment_ms: int  # milliseconds added after each move


class TicTacToeState(TypedDict):
    """The board after a move."""

    board: Board
    to_move: Side  # the side to move; after a win the side that lost, after a forfeit the side that forfeited
    previous: List[PastMove]  # the last two moves, the newest last
    move: int  # number of moves made
    clocks: Optional[Clocks]  # time left for both sides, null without a clock
    status: Status
    reason: str  # why the game is over
    row: List[Coord]  # the cells of the winning rows, each of which includes the last piece
    view_distance: int  # how far from the nearest piece a new one may be placed
    win_distance: int  # pieces in a row that win
    turn_limit: int  # moves until a draw
    clock: Clock


class Placement(TypedDict):
    """A move: two pieces, or one that wins."""

    pieces: List[Coord]


class PlayerInfo(TypedDict):
    """A player, as visualizations see it."""

    player_id: int
    nickname: str
    remote_address: str  # host:port
    is_connected: bool


class _DebugCell(TypedDict):
    """The keys that DebugCell always has."""

    q: int
    r: int


class DebugCell(_DebugCell, total=False):
    """A mark on a cell of the board, or from there to another cell."""

    color: str  # as in CSS, #rgb or #rrggbb; without it, the viewer chooses
    label: str  # a few characters
    shape: str  # cell, line, arrow or text, which is the label alone; viewers show what they do not know as cell
    to_q: int  # the cell where a line or an arrow ends
    to_r: int
    layer: str  # viewers can hide the marks of a layer

# end of types

Hex = Tuple[int, int]  # a cell's q and r

DIRECTIONS: Dict[Direction, Hex] = {"x+": (1, 0), "y+": (1, -1), "z+": (0, -1), "x-": (-1, 0), "y-": (-1, 1), "z-": (0, 1)}


def at(thing: Union[Coord, Cell, Character, Bomb]) -> Hex:
    """Return the place of a cell, a character or a bomb."""
    return thing["q"], thing["r"]


def neighbour(cell: Hex, direction: Direction) -> Hex:
    """Return the cell next to another; it may not be on the board."""
    dq, dr = DIRECTIONS[direction]
    return cell[0] + dq, cell[1] + dr


def neighbours(cell: Hex) -> List[Hex]:
    """Return the six cells next to a cell."""
    return [neighbour(cell, direction) for direction in DIRECTIONS]


def distance(a: Hex, b: Hex) -> int:
    """Return the number of steps from one cell to another."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def ray(start: Hex, direction: Direction, length: int, board: Collection[Hex]) -> List[Hex]:
    """Return the cells that follow start in a direction: at most length, up to the first that the board lacks."""
    cells: List[Hex] = []
    cell = neighbour(start, direction)
    while len(cells) < length and cell in board:
        cells.append(cell)
        cell = neighbour(cell, direction)
    return cells


def blast(bomb: Hex, reach: int, board: Collection[Hex]) -> Set[Hex]:
    """Return the cells that a bomb covers: its own and six lines."""
    return {bomb}.union(*(ray(bomb, direction, reach, board) for direction in DIRECTIONS))


class Way(NamedTuple):
    """A shortest way to a goal."""

    first: Direction  # its first step
    goal: Hex
    steps: int


def nearest(start: Hex, free: Collection[Hex], goals: Collection[Hex], limit: float = math.inf,
            rng: Optional[random.Random] = None) -> Optional[Way]:
    """Return a shortest way from start over free cells to a goal.

    Return None if no goal is within limit steps. Goals that are not free are not entered. Of
    equal ways rng chooses one; without it, the earliest of DIRECTIONS.
    """
    directions = rng.sample(list(DIRECTIONS), len(DIRECTIONS)) if rng else list(DIRECTIONS)
    queue: List[Tuple[Hex, Optional[Direction], int]] = [(start, None, 0)]
    seen = {start}
    for cell, first, steps in queue:  # the queue grows while the loop runs
        if first and cell in goals:
            return Way(first, cell, steps)
        for direction in directions:
            to = neighbour(cell, direction)
            if to in free and to not in seen and steps < limit:
                seen.add(to)
                queue.append((to, first or direction, steps + 1))
    return None


def first_step(start: Hex, free: Collection[Hex], goals: Collection[Hex], limit: float = math.inf,
               rng: Optional[random.Random] = None) -> Optional[Direction]:
    """Return the direction of the first step of nearest(), None without a way."""
    way = nearest(start, free, goals, limit, rng)
    return way.first if way else None


class Row(NamedTuple):
    """A row of hexagonal tic-tac-toe that one side can still complete."""

    side: Side
    pieces: int  # that the side has in it
    empty: List[Hex]


def rows(board: Mapping[Hex, Side], length: int) -> Iterator[Row]:
    """Yield each row of that length in which only one side has pieces."""
    seen: Set[Tuple[Hex, Hex]] = set()
    for q, r in board:
        for line in (DIRECTIONS["x+"], DIRECTIONS["y+"], DIRECTIONS["z+"]):
            dq, dr = line
            for back in range(length):
                start = q - back * dq, r - back * dr
                if (start, line) in seen:
                    continue
                seen.add((start, line))
                cells = [(start[0] + k * dq, start[1] + k * dr) for k in range(length)]
                sides = {board[cell] for cell in cells if cell in board}
                if len(sides) == 1:
                    empty = [cell for cell in cells if cell not in board]
                    yield Row(sides.pop(), length - len(empty), empty)


def near(board: Collection[Hex], steps: int) -> Set[Hex]:
    """Return the empty cells that are at most that many steps from a piece."""
    around = [(dq, dr) for dq in range(-steps, steps + 1) for dr in range(-steps, steps + 1) if abs(dq + dr) <= steps]
    return {(q + dq, r + dr) for q, r in board for dq, dr in around}.difference(board)


class Debug:
    """What the page shows of a bot's thoughts in a turn, 4 096 bytes at most. Each part is optional."""

    def __init__(self) -> None:
        self.text = ""
        self.values: Dict[str, float] = {}
        self.cells: List[DebugCell] = []

    def mark(self, cell: Hex, color: str = "", label: str = "", layer: str = "", shape: str = "") -> DebugCell:
        """Mark a cell on the board, with a colour such as "red" or "#f80" and a short label.

        The page can hide the marks of a layer. The shape "text" is the label alone.
        """
        mark: DebugCell = {"q": cell[0], "r": cell[1]}
        if color:
            mark["color"] = color
        if label:
            mark["label"] = label
        if layer:
            mark["layer"] = layer
        if shape:
            mark["shape"] = shape
        self.cells.append(mark)
        return mark

    def line(self, start: Hex, end: Hex, color: str = "", label: str = "", layer: str = "", shape: str = "line") -> None:
        """Draw a line on the board, or a shape "arrow"."""
        mark = self.mark(start, color, label, layer, shape)
        mark["to_q"], mark["to_r"] = end


class Match:
    """A match, as a bot sees it. The names are those of the GAME_STARTS message."""

    def __init__(self, starts: Dict[str, Any]) -> None:
        self.player_id: int = starts["player_id"]  # -1 of a visualization
        self.nb_players: int = starts["nb_players"]
        self.nb_special_players: int = starts["nb_special_players"]
        self.nb_turns_max: int = starts["nb_turns_max"]
        self.milliseconds_before_first_turn: float = starts["milliseconds_before_first_turn"]
        self.milliseconds_between_turns: float = starts["milliseconds_between_turns"]
        self.initial_game_state: Any = starts["initial_game_state"]
        self.players_info: List[PlayerInfo] = starts.get("players_info", [])  # for visualizations only
        self.number: Optional[int] = starts.get("match")  # in its series, from 1; None: not told
        self.seed: Optional[int] = starts.get("seed")  # None: not told
        self.turn_number = -1  # of the newest TURN
        self.debug = Debug()
        self._starts = self._newest = {"message_type": "GAME_STARTS", **starts}
        # Equal seeds give equal numbers, whether they come with the match or by the environment.
        seed = os.environ.get("BOT_SEED") if self.seed is None else str(self.seed)
        self.random = random.Random(seed)
        self._deadline = math.inf

    def time_left(self) -> float:
        """Return the seconds until the turn ends; math.inf if turns have no fixed length."""
        return max(0.0, self._deadline - time.monotonic())

    def _begin_turn(self, turn: Dict[str, Any]) -> None:
        self.turn_number = turn["turn_number"]
        self._newest = turn
        self.players_info = turn.get("players_info", [])
        self.debug = Debug()
        duration = self.milliseconds_between_turns / 1000
        self._deadline = time.monotonic() + duration if duration > 0 else math.inf


_NO_SIMULATOR = ("a simulator needs hexarena, and HEXARENA does not name it. hexarena sets it for the bots "
                 "that it starts, in containers on Linux only; set it yourself to the path of the program")


class Simulator:
    """A copy of the match in which the bot decides what all players do, played by `hexarena env`.

    After each method but save, the attributes are those of the position. A mistake raises a
    RuntimeError and changes nothing.
    """

    def __init__(self, match: Match, game: str = "hexabomb") -> None:
        """Start the child, with the match before its first turn."""
        import subprocess
        if not os.environ.get("HEXARENA"):
            raise RuntimeError(_NO_SIMULATOR)
        self.turn = 0  # the number of the TURN that the players are to answer
        self.over = False
        self.winner = -1  # the id of the player who leads
        self.score: List[int] = []  # by player id
        self._match = match
        self._child = subprocess.Popen([os.environ["HEXARENA"], "env", "--json", "--game", game],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._ask(load=match._starts)

    def load(self) -> None:
        """Go to the newest turn of the match."""
        self._ask(load=self._match._newest)

    def step(self, actions: Sequence[Optional[Sequence[Any]]]) -> None:
        """Play a turn with the actions of each player, by id; None stands for no answer."""
        self._ask(step=actions)

    def save(self, name: str) -> None:
        """Keep the position under a name."""
        self._ask(save=name)

    def restore(self, name: str) -> None:
        """Return to a position, as often as needed."""
        self._ask(restore=name)

    def state(self) -> Any:
        """Return the state, as turn() gets it."""
        return self._ask("state")["state"]

    def close(self) -> None:
        """End the child."""
        self._child.communicate()

    def _ask(self, show: str = "none", **request: Any) -> Dict[str, Any]:
        assert self._child.stdin and self._child.stdout
        line = _encode({**request, "show": show}) + b"\n"
        try:
            self._child.stdin.write(line)
            self._child.stdin.flush()
            answer: Dict[str, Any] = json.loads(self._child.stdout.readline())
        except (OSError, ValueError):
            raise RuntimeError(f"hexarena env has ended, with {self._child.wait()}") from None
        if "error" in answer:
            raise RuntimeError(answer["error"])
        self.turn, self.over, self.winner = answer["turn"], answer["over"], answer["winner"]
        self.score = answer["score"]
        return answer


def test_match(drawing: str, bombs: Sequence[Bomb] = (), player_id: int = 0,
               seed: int = 1) -> Tuple[Match, State]:
    """Return a match of hexabomb for a test, and the state of its turn 0, which is drawn.

    A line of the drawing is a row of cells with the same r, from 0, and a character in it a q: "." is
    neutral, a digit has the colour and a character of the player with that id, a letter from "a"
    has the colour of player 0 and so on, and a blank is no cell.
    """
    lines = drawing.splitlines()
    drawn = [(q, r, line[q]) for q in range(max(map(len, lines))) for r, line in enumerate(lines)
             if line[q:q + 1].strip()]
    colors = {char: 1 + i % 10 for i, char in enumerate("0123456789abcdefghij")}
    cells: List[Cell] = [{"q": q, "r": r, "color": colors.get(c, 0)} for q, r, c in drawn]
    standing = sorted((c, q, r) for q, r, c in drawn if c.isdigit())
    characters: List[Character] = [
        {"id": i, "color": int(c) + 1, "q": q, "r": r, "alive": True, "revive_delay": -1, "bomb_count": 1}
        for i, (c, q, r) in enumerate(standing)]
    players = max(2, player_id + 1, *(cell["color"] for cell in cells))
    counts = {str(p): sum(cell["color"] == p + 1 for cell in cells) for p in range(players)}
    state: State = {"cells": cells, "characters": characters, "bombs": list(bombs), "explosions": {},
                    "cell_count": counts, "score": counts}
    match = Match({"player_id": player_id, "nb_players": players, "nb_special_players": 0, "nb_turns_max": 100,
                   "milliseconds_before_first_turn": 0, "milliseconds_between_turns": 0, "seed": seed,
                   "initial_game_state": state})
    match._begin_turn({"message_type": "TURN", "turn_number": 0, "game_state": state})
    return match, state


test_match.__test__ = False  # type: ignore[attr-defined]  # pytest takes its name for a test's


class Bot:
    """A bot in one match. Each match has a new object, so that it begins afresh."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def turn(self, state: Any) -> Any:
        """Return the list of actions for a turn; None stands for an empty one."""
        raise NotImplementedError

    def end(self, state: Any, winner: int) -> None:
        """Take note of the last state and the winner's player id, -1 without a winner."""


def run(bot: Type[Bot], name: str = "") -> None:
    """Play as the command line and the environment say, and exit: 0 after a match, 1 after an error."""
    if "BOT_SEED" in os.environ and hasattr(signal, "SIGUSR1"):  # hexarena asks a bot that hangs where it is
        faulthandler.register(signal.SIGUSR1)
    try:
        args = _arguments(name)
        code = _Client(bot, args).play() if args.listen is None and not args.dial_in else _play_htttx(bot, args)
    except _Error as error:
        print(error, file=sys.stderr)
        code = 1
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def _play_htttx(bot: Type[Bot], args: argparse.Namespace) -> int:
    try:
        import hexarena_htttx
    except ModuleNotFoundError:
        raise _Error("--listen and --dial-in need hexarena_htttx.py beside hexarena.py: "
                     "hexarena new --game hextictactoe writes both") from None
    return hexarena_htttx.play(bot, args)


def _arguments(name: str) -> argparse.Namespace:
    env = os.environ.get
    parser = argparse.ArgumentParser(description="A bot for hexarena.", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("host", nargs="?", default=env("BOT_HOST", "127.0.0.1"), help="the server")
    parser.add_argument("port", nargs="?", default=env("BOT_PORT", "4242"), type=int, help="its port")
    parser.add_argument("--name", default=env("BOT_NICKNAME") or name or _default_name(), help="the bot's name, at most 10 characters")
    parser.add_argument("--token", default=env("BOT_TOKEN"), help="identifies you to servers that require it")
    parser.add_argument("--role", default="player", choices=["player", "special player", "visualization"], help="what the bot is in a match")
    parser.add_argument("--stay", action="store_true", default="BOT_SEED" in os.environ,
                        help="play match after match, until there are no more; a bot that hexarena starts does")
    parser.add_argument("--stdio", action="store_true", default=env("BOT_STDIO") == "1",
                        help="speak on standard input and output instead of connecting")
    parser.add_argument("--tls", action="store_true", help="connect over TLS; SSL_CERT_FILE names certificates that are trusted")
    parser.add_argument("--listen", metavar="[HOST:]PORT",
                        help="wait for servers of the HTTTX Bot API, with a bot of hexagonal tic-tac-toe")
    parser.add_argument("--dial-in", action="store_true", help="play a game over the HTTTX Bot API at the server")
    return parser.parse_args()


def _default_name() -> str:
    """Return the name of the bot's file, if the user chose one, else the user's."""
    name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
    if name not in ("bot", "my_bot"):
        return name
    try:
        return getpass.getuser()
    except Exception:  # a system without user names
        return name


class _Error(Exception):
    """An error that is the server's or the network's, not the bot's: it is printed without a traceback."""


_LIMIT = (1 << 24) - 1  # bytes of a message, as the protocol has it


def _read(stream: BinaryIO, count: int) -> bytes:
    """Return that many bytes, or b"" if the stream ends before."""
    content = stream.read(count)
    return content if len(content) == count else b""


class _Tcp:
    """A connection to the server: each message has its length before it."""

    def __init__(self, host: str, port: int, tls: bool) -> None:
        sock = socket.create_connection((host, port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # notices a server that is gone
        if hasattr(socket, "TCP_KEEPIDLE"):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 30)
        self.socket = ssl.create_default_context().wrap_socket(sock, server_hostname=host) if tls else sock
        self.stream = self.socket.makefile("rb")

    def send(self, content: bytes) -> None:
        try:
            self.socket.sendall(struct.pack("<I", len(content)) + content)
        except OSError:
            pass  # receive returns what the server said last, and then that the connection is broken

    def receive(self) -> bytes:
        """Return the next message, or b"" if the connection has ended."""
        try:
            header = _read(self.stream, 4)
            size = struct.unpack("<I", header)[0] if header else 0
            if size > _LIMIT:
                raise _Error(f"the server announces a message of {size} bytes, the longest has {_LIMIT}: is it hexarena?")
            return _read(self.stream, size)
        except OSError:
            return b""

    def close(self) -> None:
        self.stream.close()
        self.socket.close()


class _Stdio:
    """Standard input and output: each message is a line. What the bot prints goes to standard error."""

    def __init__(self) -> None:
        self.input = sys.stdin.buffer
        self.output = os.fdopen(os.dup(sys.stdout.fileno()), "wb", 0)
        sys.stdout.flush()
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def send(self, content: bytes) -> None:
        try:
            self.output.write(content)
        except OSError:
            pass  # as for _Tcp

    def receive(self) -> bytes:
        """Return the next message, or b"" if the input has ended."""
        line = self.input.readline(_LIMIT + 1)
        if len(line) > _LIMIT:
            raise _Error(f"the server sends a line of more than {_LIMIT} bytes: is it hexarena?")
        return line if line.endswith(b"\n") else b""


def _encode(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")


def _decode(content: bytes) -> Dict[str, Any]:
    try:
        message = json.loads(content)
    except RecursionError:
        raise _Error("the server sent a message that is nested too deeply") from None
    except ValueError as error:
        raise _Error(f"the server sent a message that is not JSON: {error}") from None
    if not isinstance(message, dict):
        raise _Error("the server sent a message that is not a JSON object")
    return message


class _Client:
    """The conversation with the server, over any number of matches and connections."""

    GRACE = 30.0  # seconds for connecting again: so long a server keeps a player's seat
    PATIENCE = 12 * 3600.0  # the same for a bot that stays and has a token, by which it is known after a restart
    PAUSES = (0.1, 15.0)  # seconds between two attempts: at first, and at most
    DEBUG = 4096  # bytes of debug that a server accepts

    def __init__(self, bot: Type[Bot], args: argparse.Namespace) -> None:
        self.new_bot, self.args = bot, args
        self.bot: Optional[Bot] = None
        self.key: Any = None  # tells matches apart
        self.finished = False  # the match is over
        self.welcome = False  # a server has accepted a LOGIN
        self.lost = math.inf  # when the connection broke, until the next LOGIN_ACK
        self.patient = args.stay and bool(args.token) and not args.stdio
        self.warned = False  # that debug is too large
        try:
            self.wire = self.connect()
        except (OSError, OverflowError) as error:
            raise _Error(f"no server at {args.host}:{args.port}: {error}; is hexarena running?") from None

    def connect(self) -> Any:
        """Open a connection and log in. The seat is known by nickname and token."""
        wire = _Stdio() if self.args.stdio else _Tcp(self.args.host, self.args.port, self.args.tls)
        login = {"message_type": "LOGIN", "role": self.args.role, "metaprotocol_version": "2.0.0",
                 "nickname": "_".join(self.args.name.split())[:10], "language": "Python", "version": _digest()}
        if self.args.token:
            login["token"] = self.args.token
        if self.args.stay:
            login["stay"] = True
        if sys.gettrace() or "pydevd" in sys.modules:
            login["debugger"] = True
        wire.send(_encode(login) + b"\n")
        return wire

    def play(self) -> int:
        """Answer the server until it is done, and return the exit code."""
        while True:
            message = self.receive()
            kind = message.get("message_type")
            if kind == "LOGIN_ACK":
                self.welcome, self.lost = True, math.inf
            elif kind == "GAME_STARTS":
                self.start(message)
            elif kind == "TURN" and self.bot:
                self.turn(self.bot, message)
            elif kind == "GAME_ENDS" and self.bot:
                self.finished = True
                self.bot.end(message["game_state"], message["winner_player_id"])
            elif kind == "KICK":
                reason = str(message.get("kick_reason"))
                if not (reason == "netorcai abort" and self.patient and self.welcome):
                    return self.kicked(reason)
                self.reconnect("the server was stopped")

    def receive(self) -> Dict[str, Any]:
        """Return the next message, over a new connection if the old one is broken."""
        while True:
            content = self.wire.receive()
            if content:
                return _decode(content)
            if self.finished and not self.args.stay:
                return {"message_type": "KICK"}  # it had nothing more to say
            if self.args.stdio or not self.welcome:
                raise _Error("the server closed the connection")
            self.reconnect("the connection broke")

    def reconnect(self, why: str) -> None:
        """Open another connection. The pauses between attempts grow with the time of absence."""
        self.wire.close()
        if self.lost == math.inf:
            self.lost = time.monotonic()
            print(f"{why}; connecting again", file=sys.stderr)
        problem = "it closes new connections"
        grace = self.PATIENCE if self.patient else self.GRACE
        while True:
            away = time.monotonic() - self.lost
            pause = min(max(self.PAUSES[0], away / 8), self.PAUSES[1])
            if away + pause >= grace:
                raise _Error(f"lost the server at {self.args.host}:{self.args.port} "
                             f"and could not connect again within {grace:.0f} s: {problem}")
            time.sleep(pause)
            try:
                self.wire = self.connect()
                return
            except OSError as error:
                problem = str(error)

    def start(self, starts: Dict[str, Any]) -> None:
        """Begin a match, unless it goes on over a new connection."""
        key = starts["player_id"], starts.get("match"), starts.get("seed")
        if self.bot and not self.finished and key == self.key:
            return
        self.finished, self.key = False, key
        match = Match(starts)
        random.seed(match.random.random())  # for bots that use the module's functions
        self.bot = self.new_bot(match)

    def turn(self, bot: Bot, turn: Dict[str, Any]) -> None:
        bot.match._begin_turn(turn)
        actions = bot.turn(turn["game_state"]) or []
        ack: Dict[str, Any] = {"message_type": "TURN_ACK", "turn_number": bot.match.turn_number,
                               "actions": [] if self.args.role == "visualization" else actions}
        debug = self.shown(bot.match.debug)
        if debug:
            ack["debug"] = debug
        self.wire.send(_encode(ack) + b"\n")

    def shown(self, debug: Debug) -> Dict[str, Any]:
        """Return the parts of debug that a server accepts: the largest are dropped."""
        debug.values = {name: value for name, value in debug.values.items() if math.isfinite(value)}  # as JSON has them
        parts = {key: part for key, part in vars(debug).items() if part}
        while parts and len(_encode(parts)) > self.DEBUG:
            largest = max(parts, key=lambda key: len(_encode(parts[key])))
            del parts[largest]
            if not self.warned:
                self.warned = True
                print(f"debug has more than {self.DEBUG} bytes: its {largest} is dropped", file=sys.stderr)
        return parts

    def kicked(self, reason: str) -> int:
        """Return the exit code after a KICK: the usual end of a match, an error before it."""
        if self.finished and reason != "Another connection took the seat":
            return 0
        print("kicked:", reason, file=sys.stderr)
        if "token is needed" in reason:
            print("Ask the server's operator for your token and add --token TOKEN "
                  "(or set BOT_TOKEN) when you start the bot.", file=sys.stderr)
        return 1


def _digest() -> str:
    """Return a digest of the bot's file, which tells its versions apart."""
    try:
        with open(sys.argv[0], "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()[:16]
    except OSError:  # such as a bot that is typed into the interpreter
        return ""
