"""Environments for learning with hexarena: they start `hexarena env` and share memory with it.

Only numpy is needed. With PettingZoo there is ParallelEnv, with Gymnasium there are Env and
VectorEnv; all of them use Arrays. The program is $HEXARENA, or hexarena on the PATH.

A seat is a player; player 0 is the hunter in sudden death. N is the number of matches, S of seats,
C of the characters of a seat. An action is one number for each character: 0 stay, 1 to 6 a move to
x+, y+, z+, x-, y-, z-, 7 to 15 a bomb of range 2 + (n-7)//3 and delay 2 + (n-7)%3, 16 revive.
In hexagonal tic-tac-toe it is one of 512 cells, and 0 for the seat that is not to move.
"""

from __future__ import annotations

import json
import mmap
import operator
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import weakref
from typing import Any, Optional

import numpy as np

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv as _VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    gymnasium, _VectorEnv = None, object
_Env = gymnasium.Env if gymnasium else object
try:
    from pettingzoo import ParallelEnv as _ParallelEnv
except ImportError:
    _ParallelEnv = object

CODES = 17  # numbers of actions of a character
_WINDOWS = os.name == "nt"


class EnvError(RuntimeError):
    """What hexarena refused, in its words, or that it has ended."""


def program() -> str:
    """Returns the path of hexarena."""
    scripts = sysconfig.get_path("scripts")  # where pip puts it
    path = (os.environ.get("HEXARENA") or shutil.which("hexarena", path=scripts)
            or shutil.which("hexarena"))
    if not path:
        raise EnvError("hexarena is not on the PATH: install it, or set HEXARENA to its path")
    return path


def _stop(child: subprocess.Popen, path: str, maker: int) -> None:
    try:
        if os.getpid() == maker:
            child.stdin.write(b"q")  # its input goes on if a forked process has the pipe, too
    except (OSError, ValueError):
        pass  # it has ended
    for pipe in (child.stdin, child.stdout, child.stderr):
        pipe.close()
    try:
        child.wait(5)  # it ends with its input
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    if os.path.exists(path):
        try:
            os.unlink(path)
        except OSError:
            pass  # Windows keeps it as long as an array of it is there


class Arrays:
    """N matches as arrays of shared memory, which each command overwrites where something changed.

    Keyword arguments are the settings of `hexarena env`: map="pebble", players=2, turns=100,
    rules="draft", sudden_death=True. Each array is an attribute; those that the caller does not
    write are read-only. A process that is forked makes its own Arrays.

    actions     uint8  (N, S, C)     what the characters do, 0 to 16; the caller writes it
    reset       uint8  (N,)          which matches step begins again; the caller writes it
    seed        uint64 (N,)          the seeds of matches that begin; the caller writes it
    turn        int32  (N,)          the turn that is to be answered, from 0
    over        uint8  (N,)          1: the rules ended the match, 2: the last turn did
    alive       uint8  (N, S)        0: the seat can do nothing any more
    asked       uint8  (N, S)        1: the match waits for the seat
    score       int64  (N, S)
    reward      float32 (N, S)       how the lead over the best other seat changed in the step
    cells       uint8  (N, cells, 6) colour (seat + 1), of the bomb, its delay, range, the character
                                     on it + 1, and 1 if it exploded
    characters  int32  (N, S, C, 6)  q, r, alive, revive_delay, bomb_count, colour
    mask        int8   (N, S, C, 17) 1: the action may have an effect
    counts      int32  (N, S)        cells of the seat's colour

    With game="hextictactoe" a step is one piece, of the seat that is asked:

    actions     uint16 (N, 2)        an index of cells; one from legal on forfeits
    second      uint8  (N,)          1: the second one of its move
    cells       int32  (N, 512, 2)   q and r of free cells, those next to pieces first
    legal       int32  (N,)          how many of them there are; 0 after the end
    lines       uint8  (N, 512, 3, 2) by axis and seat: how many pieces of the seat are in the best
                                     row of 6 with that cell, none of which is the other seat's
    pieces      int32  (N, 512, 3)   q, r and seat + 1 of the pieces, the newest first
    placed      int32  (N,)          how many pieces there are
    """

    def __init__(self, envs: int = 1, path: Optional[str] = None, **settings: Any) -> None:
        folder = "/dev/shm" if os.path.isdir("/dev/shm") else None
        handle, file = tempfile.mkstemp(prefix="hexarena-", dir=folder)
        flags = ["--%s=%s" % (k.replace("_", "-"), str(v).lower() if isinstance(v, bool) else v)
                 for k, v in settings.items() if v is not None]
        apart: dict[str, Any] = {"start_new_session": True}  # Ctrl-C is for this process
        if _WINDOWS:
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        try:
            child = subprocess.Popen(
                [path or program(), "env", "--shared", file, "--envs", str(envs)] + flags,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                **apart)
        except BaseException:
            os.close(handle)
            os.unlink(file)
            raise
        self._child = child
        self._maker = os.getpid()
        self._stop = weakref.finalize(self, _stop, child, file, self._maker)
        try:
            line = child.stdout.readline()
            if not line.endswith(b"\n"):
                raise self._ended()
            self.about: dict[str, Any] = json.loads(line)
            memory = mmap.mmap(handle, self.about["size"])
        except BaseException:
            os.close(handle)  # Windows removes no file that is open
            self._stop()
            raise
        os.close(handle)
        if not _WINDOWS:
            os.unlink(file)  # the memory stays until both processes leave it
        for a in self.about["arrays"]:
            count = int(np.prod(a["shape"]))
            part = np.frombuffer(memory, a["type"], count, a["offset"]).reshape(a["shape"])
            part.flags.writeable = a["name"] in ("actions", "reset", "seed")
            setattr(self, a["name"], part)
        self.envs, self.seats = envs, self.about["players"]

    def _ended(self) -> EnvError:
        try:
            text = self._child.stderr.read().decode(errors="replace").strip()
        except ValueError:  # closed
            return EnvError("the environment is closed")
        code = self._child.wait()
        return EnvError(text or "hexarena has ended with the code %d" % code)

    def command(self, letter: bytes) -> None:
        """Sends a command: b"r" reset, b"s" step, b"S" save, b"L" load."""
        if os.getpid() != self._maker:
            raise EnvError("another process made the environment: make one in this process")
        try:
            self._child.stdin.write(letter)
            answer = self._child.stdout.read(1)
        except (OSError, ValueError):
            answer = b""
        except BaseException:  # such as Ctrl-C: the next command would read this one's answer
            self._stop()
            raise
        if answer == b"!":
            raise EnvError(json.loads(self._child.stdout.readline()))
        if answer != b".":
            raise self._ended()

    def _concern(self, which: Any, letter: bytes) -> None:
        self.reset[:] = which
        try:
            self.command(letter)
        finally:
            self.reset[:] = 0  # else step would begin these matches again

    def begin(self, which: Any = True) -> None:
        """Begins matches again, all or those of a mask, with the seeds in self.seed."""
        self._concern(which, b"r")

    def step(self) -> None:
        """Begins the matches in self.reset again, and plays a turn of the others."""
        self.command(b"s")

    def save(self) -> None:
        """Keeps the positions of all matches."""
        self._concern(1, b"S")

    def load(self) -> None:
        """Returns to the positions that save kept."""
        self._concern(1, b"L")

    def close(self) -> None:
        """Ends hexarena. The arrays stay as they are."""
        self._stop()

    def __enter__(self) -> "Arrays":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def planes(a: Arrays, window: int = 19) -> tuple:
    """Returns the boards as planes, whose rows are r and whose columns are q, and where cells are.

    Of hexabomb these are the six figures of a.cells, and 1 where there is a cell: uint8
    (N, 7, rows, columns), as large as the map. The second result, int32 (cells, 2), has the row and
    the column of each cell.

    Of hexagonal tic-tac-toe they are the pieces of the seat that is to move, those of the other,
    and a.cells: uint8 (N, 3, window, window), with the middle of all pieces in the middle. The
    second result is int32 (N, 512, 2), -1 outside.
    """
    if not _tic_tac_toe(a):
        place = np.array([(c["r"], c["q"]) for c in a.about["about"]["cells"]], "i4")
        place -= place.min(0)
        out = np.zeros((a.envs, 7) + tuple(place.max(0) + 1), np.uint8)
        out[:, :6, place[:, 0], place[:, 1]] = a.cells.transpose(0, 2, 1)
        out[:, 6, place[:, 0], place[:, 1]] = 1
        return out, place
    out = np.zeros((a.envs, 3, window, window), np.uint8)
    there = np.arange(a.pieces.shape[1]) < a.placed[:, None]
    spot = a.pieces[..., :2]
    low = np.where(there[..., None], spot, 2**30).min(1)
    high = np.where(there[..., None], spot, -2**30).max(1)
    corner = (low + high) // 2 - window // 2
    at = (spot - corner[:, None])[..., ::-1]
    n, i = np.nonzero(there & ((at >= 0) & (at < window)).all(-1))
    other = (a.pieces[n, i, 2] - 1 != a.asked[n, 1]).astype(int)
    out[n, other, at[n, i, 0], at[n, i, 1]] = 1
    at = (a.cells - corner[:, None])[..., ::-1]
    inside = (np.arange(at.shape[1]) < a.legal[:, None]) & ((at >= 0) & (at < window)).all(-1)
    n, i = np.nonzero(inside)
    out[n, 2, at[n, i, 0], at[n, i, 1]] = 1
    return out, np.where(inside[..., None], at, -1).astype(np.int32)


def symmetries(window: int = 19) -> np.ndarray:
    """Returns for the 12 symmetries of an odd window which place comes to each, (12, window**2).

    What is not in the window before comes from the place window**2: pad a flat plane with a 0, and
    np.append(plane, 0)[symmetries(window)[k]] is the plane turned and mirrored.
    """
    half = window // 2
    r, q = np.mgrid[-half:half + 1, -half:half + 1].reshape(2, -1)
    table = []
    for turn in range(12):
        if turn == 6:
            q, r = r, q
        inside = (abs(q) <= half) & (abs(r) <= half)
        table.append(np.where(inside, (r + half) * window + q + half, window**2))
        q, r = q + r, -q
    return np.array(table)


def _seeds(seed: int, index: Any, episode: Any) -> np.ndarray:
    """Returns the seeds of episodes: they depend on nothing but the three numbers."""
    with np.errstate(over="ignore"):
        x = np.uint64(seed % 2**64) + np.asarray(index, "u8") * np.uint64(0x9E3779B97F4A7C15)
        x = x + np.asarray(episode, "u8") * np.uint64(0xD1B54A32D192ED03)
        for by in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
            x = (x ^ (x >> np.uint64(30))) * np.uint64(by)
        return x ^ (x >> np.uint64(31))


def _places(score: np.ndarray) -> np.ndarray:
    """Returns for scores (N, S) how many seats each beats, less those that beat it: -1 to 1."""
    diff = np.sign(score[:, :, None] - score[:, None, :]).sum(2)
    return (diff / max(1, score.shape[1] - 1)).astype("f4")


def _turns(max_cycles: int, settings: dict) -> int:
    """Returns the turns of a match: the last turn of hexabomb is not answered."""
    if "turns" in settings:
        raise ValueError("turns = %r: set max_cycles in its place" % settings["turns"])
    if max_cycles < 1:
        raise ValueError("max_cycles = %r: want 1 or more" % max_cycles)
    return max_cycles + (settings.get("game") != "hextictactoe")


def _tic_tac_toe(a: Arrays) -> bool:
    return a.about["game"] == "hextictactoe"


def _board(a: Arrays) -> np.ndarray:
    return a.pieces if _tic_tac_toe(a) else a.cells


def _mask(a: Arrays) -> np.ndarray:
    """Returns for each seat what it may do: int8 (N, S, C, 17) or (N, S, 512)."""
    if not _tic_tac_toe(a):
        return a.mask
    legal = np.where(a.asked > 0, a.legal[:, None], 1).clip(1)  # one that is not asked may say 0
    return (np.arange(a.cells.shape[1]) < legal[..., None]).astype("i1")


def _observe(a: Arrays) -> dict:
    """Returns what each seat of each match sees, as copies (N*S, ...)."""
    shared = {"cells": a.cells, "turn": a.turn[:, None]}
    if _tic_tac_toe(a):
        shared.update(lines=a.lines, pieces=a.pieces, placed=a.placed[:, None],
                      second=a.second[:, None])
    else:
        shared.update(characters=a.characters, scores=a.score)
    obs = {name: np.repeat(value, a.seats, 0) for name, value in shared.items()}
    mask = _mask(a)
    obs["mask"] = mask.reshape((-1,) + mask.shape[2:]).copy()
    obs["seat"] = np.tile(np.arange(a.seats, dtype="u1")[:, None], (a.envs, 1))
    return obs


def _box(value: np.ndarray, high: Optional[int] = None) -> Any:
    """Returns the space of a row. The int32 tables have coordinates, which may be below 0."""
    ints = np.iinfo(value.dtype)
    low = ints.min if value.dtype == np.int32 and value.ndim > 2 else 0
    return spaces.Box(low, high or ints.max, value.shape[1:], value.dtype)


def _want_gymnasium() -> None:
    if gymnasium is None:
        raise ImportError("this needs gymnasium 1.1 or later: pip install --upgrade gymnasium")


def _spaces(a: Arrays) -> tuple:
    seen = spaces.Dict({name: _box(value, 1 if name == "mask" else None)
                        for name, value in _observe(a).items()})
    if _tic_tac_toe(a):
        return seen, spaces.Discrete(a.cells.shape[1])
    return seen, spaces.MultiDiscrete([CODES] * a.characters.shape[2])


class ParallelEnv(_ParallelEnv):
    """One match as PettingZoo's ParallelEnv. A seat without a future is no longer in agents.

    max_cycles is how many turns the seats answer; in hexagonal tic-tac-toe, how many moves, which
    are up to two steps each, in which the other seat may only answer 0. reward is "lead", at each
    step, or "place", from -1 to 1 at the end. The info has the seed, and action_mask as the sample
    of the space takes it.

    An observation is a dict of copies of what Arrays has of the match: cells, characters, turn (1,)
    and scores (S,), or cells, lines, pieces, and turn, placed and second (1,); with the seat, uint8
    (1,), and its mask, int8 (C, 17) or (512,).
    """

    metadata = {"name": "hexarena_v0", "render_modes": ["human", "ansi", "rgb_array"],
                "render_fps": 10, "is_parallelizable": True}

    def __init__(self, max_cycles: int = 100, render_mode: Optional[str] = None,
                 reward: str = "lead", **settings: Any) -> None:
        if reward not in ("lead", "place"):
            raise ValueError('reward = %r: want "lead" or "place"' % reward)
        if render_mode not in [None] + self.metadata["render_modes"]:
            raise ValueError("render_mode = %r: want one of %s" % (
                render_mode, ", ".join(self.metadata["render_modes"])))
        self.max_cycles, self.render_mode, self._reward = max_cycles, render_mode, reward
        self._arrays = a = Arrays(1, turns=_turns(max_cycles, settings), **settings)
        self.possible_agents = ["player_%d" % i for i in range(a.seats)]
        self.agents: list = []
        self._seed, self._episode = int.from_bytes(os.urandom(6), "big"), 0
        if gymnasium is not None:
            made = {n: _spaces(a) for n in self.possible_agents}
            self.observation_spaces = {n: s[0] for n, s in made.items()}
            self.action_spaces = {n: s[1] for n, s in made.items()}
            self.state_space = _box(_board(a))

    def observation_space(self, agent: str) -> Any:
        _want_gymnasium()
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        _want_gymnasium()
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> tuple:
        if seed is not None:
            self._seed, self._episode = operator.index(seed), 0
        self._arrays.seed[0] = _seeds(self._seed, 0, self._episode)
        self._episode += 1
        self._arrays.begin()
        self.agents = list(self.possible_agents)
        return self._seen()

    def _seen(self) -> tuple:
        a, obs, infos = self._arrays, {}, {}
        everyone = _observe(a)
        for name in self.agents:
            s = self.possible_agents.index(name)
            obs[name] = {k: v[s] for k, v in everyone.items()}
            mask = obs[name]["mask"]
            infos[name] = {"seed": a.seed[0],  # an int may be too large for Gymnasium's vectors
                           "action_mask": mask if mask.ndim == 1 else tuple(mask)}
        return obs, infos

    def step(self, actions: dict) -> tuple:
        a = self._arrays
        if not self.agents:
            return {}, {}, {}, {}, {}
        a.actions[:] = 0
        for name, action in actions.items():
            if name in self.agents:
                a.actions[0, self.possible_agents.index(name)] = action
        a.reset[:] = 0
        a.step()
        obs, infos = self._seen()
        over, rewards, ended, cut = int(a.over[0]), {}, {}, {}
        places = _places(a.score)[0]
        for name in self.agents:
            s = self.possible_agents.index(name)
            ended[name] = over == 1 or not a.alive[0, s]
            cut[name] = over == 2 and not ended[name]
            rewards[name] = float(a.reward[0, s])
            if self._reward == "place":
                rewards[name] = float(places[s]) if ended[name] or cut[name] else 0.0
        self.agents = [n for n in self.agents if not (ended[n] or cut[n])]
        if self.render_mode == "human":
            self.render()
        return obs, rewards, ended, cut, infos

    def state(self) -> np.ndarray:
        """Returns the cells, uint8 (cells, 6), or the pieces, int32 (512, 3)."""
        return _board(self._arrays)[0].copy()

    def render(self) -> Any:
        text = "\n".join(self._rows())
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "rgb_array":
            return self._picture()
        if self.render_mode == "human":
            print(text, file=sys.stderr)
        return None

    def _drawn(self) -> tuple:
        """Returns for each cell its row and column, a letter and a colour."""
        a, hues = self._arrays, np.random.default_rng(5).integers(60, 230, (256, 3), np.uint8)
        hues[0] = 90
        if _tic_tac_toe(a):
            (mine, other, free), x = planes(a)[0][0], int(a.asked[0, 1])
            r, q = np.mgrid[:mine.shape[0], :mine.shape[1]].reshape(2, -1)
            side = ((1 + x) * mine + (2 - x) * other).ravel()
            letters = np.where(free.ravel() > 0, ".", np.array([" ", "x", "o"])[side])
            return r, 2 * q + r, letters, hues[side]
        q, r = np.array([(c["q"], c["r"]) for c in a.about["about"]["cells"]]).T
        colour, bomb, delay, _, character, _ = a.cells[0].T
        letters = np.where(bomb > 0, "*", np.where(character > 0, "@", np.where(
            colour > 0, (colour % 10).astype("U1"), ".")))
        paint = hues[colour]
        paint[delay > 0], paint[character > 0] = 0, 255
        return r - r.min(), 2 * q + r - (2 * q + r).min(), letters, paint

    def _rows(self) -> list:
        y, x, letters, _ = self._drawn()
        grid = np.full((y.max() + 1, x.max() + 1), " ")
        grid[y, x] = letters
        return ["".join(row).rstrip() for row in grid]

    def _picture(self) -> np.ndarray:
        y, x, _, paint = self._drawn()
        size = 6
        out = np.zeros(((y.max() + 1) * size, (x.max() + 2) * size // 2, 3), np.uint8)
        for top, left, rgb in zip(y * size, x * size // 2, paint):
            out[top:top + size - 1, left:left + size - 1] = rgb
        return out

    def close(self) -> None:
        self._arrays.close()


def parallel_env(**settings: Any) -> ParallelEnv:
    """Returns a ParallelEnv, under the name that PettingZoo's tools look for."""
    return ParallelEnv(**settings)


def env(**settings: Any) -> Any:
    """Returns the match as an AECEnv of PettingZoo, in which the seats answer one after another."""
    from pettingzoo.utils import parallel_to_aec

    return parallel_to_aec(parallel_env(**settings))


class Env(_Env):
    """One seat of a match as Gymnasium's Env. The keyword arguments are those of ParallelEnv.

    others(observation) returns the action of each other seat; without it they act at random.
    """

    metadata = ParallelEnv.metadata

    def __init__(self, seat: int = 0, others: Any = None, **settings: Any) -> None:
        _want_gymnasium()
        self._match = m = ParallelEnv(**settings)
        if not 0 <= seat < len(m.possible_agents):
            m.close()
            raise ValueError("seat = %r: want 0 to %d" % (seat, len(m.possible_agents) - 1))
        self._me, self._others, self._seen = m.possible_agents[seat], others or self._random, {}
        self.render_mode = m.render_mode
        self.observation_space = m.observation_space(self._me)
        self.action_space = m.action_space(self._me)

    def _random(self, observation: dict) -> np.ndarray:
        mask = observation["mask"]
        return (self.np_random.random(mask.shape) * mask).argmax(-1)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None) -> tuple:
        super().reset(seed=seed)
        self._seen, infos = self._match.reset(seed)
        return self._seen[self._me], infos[self._me]

    def step(self, action: Any) -> tuple:
        m, me = self._match, self._me
        if me not in m.agents:
            raise EnvError("the match has not begun, or is over for the seat: reset it")
        answers = {n: self._others(self._seen[n]) for n in m.agents if n != me}
        self._seen, *rest = m.step({**answers, me: action})
        return (self._seen[me], *(part[me] for part in rest))

    def render(self) -> Any:
        return self._match.render()

    def close(self) -> None:
        self._match.close()


class VectorEnv(_VectorEnv):
    """N matches as Gymnasium's VectorEnv of N*S environments: match k // S, seat k % S.

    Observations are those of ParallelEnv. A seat ends with its match; one that can do nothing
    before sees zeros and may only stay. The info has seed, and the mask as the observation has it.
    Under SAME_STEP, Gymnasium's own wrappers that keep statistics are wrong. With autoreset
    DISABLED, reset(options={"reset_mask": mask}) takes a mask of whole matches, (N*S,).
    """

    def __init__(self, envs: int = 1, max_cycles: int = 100, reward: str = "lead",
                 autoreset_mode: Any = None, **settings: Any) -> None:
        _want_gymnasium()
        if reward not in ("lead", "place"):
            raise ValueError('reward = %r: want "lead" or "place"' % reward)
        self._mode = AutoresetMode(autoreset_mode or AutoresetMode.NEXT_STEP)
        self.metadata = {"autoreset_mode": self._mode}
        self._reward = reward
        self.arrays = a = Arrays(envs, turns=_turns(max_cycles, settings), **settings)
        self.num_envs, self._index = envs * a.seats, np.arange(envs)
        self.single_observation_space, self.single_action_space = _spaces(a)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._root, self._episode = int.from_bytes(os.urandom(6), "big"), np.zeros(envs, "u8")
        self._over = np.zeros(envs, bool)

    def _observe(self) -> dict:
        a = self.arrays
        obs = _observe(a)
        dead = a.alive.reshape(-1) == 0
        if dead.any():
            for name in set(obs) - {"mask", "seat", "turn"}:
                obs[name][dead] = 0
        return obs

    def _info(self) -> dict:
        everyone = np.ones(self.num_envs, bool)
        mask = _mask(self.arrays)
        mask = mask.reshape((self.num_envs,) + mask.shape[2:]).copy()
        return {"seed": np.repeat(self.arrays.seed, self.arrays.seats), "_seed": everyone,
                "action_mask": mask, "_action_mask": everyone.copy()}

    def _begin(self, which: np.ndarray) -> None:
        """Sets the seeds of the matches that begin with the next command."""
        a = self.arrays
        a.reset[:] = which
        a.seed[which] = _seeds(self._root, self._index[which], self._episode[which])
        self._episode[which] += np.uint64(1)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None) -> tuple:
        which = np.ones(self.arrays.envs, bool)
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"], bool)
            if mask.shape != (self.num_envs,):
                raise ValueError("reset_mask has the shape %s: want (%d,)" % (
                    mask.shape, self.num_envs))
            mask = mask.reshape(-1, self.arrays.seats)
            which = mask.any(1)
            if (mask != which[:, None]).any():
                raise ValueError("reset_mask: the seats of a match begin together")
        if seed is not None:
            if not isinstance(seed, (int, np.integer)):
                raise ValueError("seed = %r: want one number, which decides all matches" % (seed,))
            self._root = int(seed)
            self._episode[which] = 0
        self._begin(which)
        self.arrays.command(b"r")
        self._over[which] = False
        return self._observe(), self._info()

    def step(self, actions: Any) -> tuple:
        a, n = self.arrays, self.num_envs
        if self._mode == AutoresetMode.DISABLED and self._over.any():
            raise EnvError("matches %s are over: reset them with options={'reset_mask': ...}"
                           % np.flatnonzero(self._over).tolist())
        a.actions[:] = np.asarray(actions).reshape(a.actions.shape)
        if self._mode == AutoresetMode.NEXT_STEP and self._over.any():
            self._begin(self._over)
        else:
            a.reset[:] = 0
        a.step()
        reward, over = a.reward.copy(), a.over.copy()
        if self._reward == "place":
            reward = np.where(over[:, None] > 0, _places(a.score), np.float32(0))
        self._over = over > 0
        ended, cut = np.repeat(over == 1, a.seats), np.repeat(over == 2, a.seats)
        if self._mode == AutoresetMode.SAME_STEP and self._over.any():
            final, last = self._observe(), self._info()
            which = self._over.copy()
            self._begin(which)
            a.command(b"r")
            self._over[:] = False
            obs, info = self._observe(), self._info()
            mask = np.repeat(which, a.seats)
            seen = np.full(n, None, object)  # an observation for each, as Gymnasium has it
            for k in np.flatnonzero(mask):
                seen[k] = {name: value[k] for name, value in final.items()}
            for value in last.values():
                value[~mask] = 0
            info.update(final_obs=seen, _final_obs=mask, final_info=last, _final_info=mask.copy())
        else:
            obs, info = self._observe(), self._info()
        return obs, reward.reshape(n).astype(np.float64), ended, cut, info

    def close_extras(self, **_: Any) -> None:
        self.arrays.close()
