"""Tests of hexarena_env.py against PettingZoo's and Gymnasium's own, and of what learns with it.

$HEXARENA is the program.
"""

import json
import multiprocessing
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import hexarena_env as he
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import (
    api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test)
from pettingzoo.test.bombardment_test import bombardment_test
from pettingzoo.test.performance_benchmark import performance_benchmark
from pettingzoo.test.save_obs_test import test_save_obs as check_save_obs
from pettingzoo.test.state_test import state_test

HERE = Path(__file__).parent
KIT = HERE.parent / "kits" / "python"
sys.path.append(str(KIT))  # hexarena.py, which new --learn writes beside the others

import hexarena  # noqa: E402
import policy  # noqa: E402
import train  # noqa: E402

HEXABOMB = [dict(map="pebble"), dict(map="pebble", rules="draft"), dict(sudden_death=True)]
PIECES = dict(game="hextictactoe", view_distance=2)
GAMES = HEXABOMB + [PIECES]


def stacked(seen):
    """Returns observations as one of all."""
    return {name: np.stack([one[name] for one in seen]) for name in seen[0]}


def legal(mask, rng):
    """Returns a legal action for each character."""
    return (rng.random(mask.shape) * mask).argmax(-1)


class Returning:
    """An AECEnv whose step returns the next observation, which bombardment_test expects."""

    def __init__(self, env):
        self.env = env

    def __getattr__(self, name):
        return getattr(self.env, name)

    def step(self, action):
        self.env.step(action)
        return self.env.last()[0]


class PettingZoo(unittest.TestCase):
    def test_api(self):
        for game in GAMES:
            parallel_api_test(he.parallel_env(max_cycles=30, **game), 100)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of style
                api_test(he.env(max_cycles=20, **game), 60)

    def test_seeds(self):
        for game in (dict(map="pebble"), PIECES):
            parallel_seed_test(lambda: he.parallel_env(max_cycles=20, **game), 50)

    def test_max_cycles(self):
        max_cycles_test(he)

    def test_state_and_rendering(self):
        for game in (dict(map="pebble"), PIECES):
            render_test(lambda render_mode=None: he.env(
                max_cycles=5, render_mode=render_mode, **game))
            env = he.env(max_cycles=5, **game)
            state_test(env, he.parallel_env(max_cycles=5, **game))
            bombardment_test(Returning(he.env(max_cycles=5, **game)), cycles=20)
            check_save_obs(he.env(max_cycles=5, **game))
        performance_benchmark(he.env(max_cycles=50, map="pebble"))

    def test_tic_tac_toe(self):
        """A seat that is not to move may only answer 0; a match has a winner, or no row."""
        env, rng = he.parallel_env(max_cycles=60, render_mode="ansi", **PIECES), None
        ends = set()
        for seed in range(20):
            obs, _ = env.reset(seed=seed)
            rng = np.random.default_rng(seed)
            a = env._arrays
            while env.agents:
                for seat, name in enumerate(env.agents):
                    want = a.legal[0] if a.asked[0, seat] else 1
                    self.assertEqual(obs[name]["mask"].nonzero()[0].tolist(), list(range(want)))
                near = {name: obs[name]["lines"].max((1, 2)).argmax() * a.asked[0, seat]
                        for seat, name in enumerate(env.agents)}
                text = env.render()
                self.assertLessEqual(text.count("x") + text.count("o"), a.placed[0])
                actions = near if rng.random() < 0.6 else {
                    name: legal(obs[name]["mask"], rng) for name in env.agents}
                obs, reward, ended, cut, _ = env.step(actions)
            self.assertEqual(sum(reward.values()), 0)
            ends.add((sorted(reward.values())[1], ended["player_0"], cut["player_0"]))
        self.assertIn((1, True, False), ends)

    def test_dead_seats(self):
        env = he.parallel_env(max_cycles=400, sudden_death=True)
        rng, seen, gone = np.random.default_rng(4), set(), set()
        obs, _ = env.reset(seed=1)
        while env.agents:
            obs, _, ended, cut, _ = env.step(
                {name: legal(obs[name]["mask"], rng) for name in env.agents})
            self.assertFalse(gone & set(env.agents))
            gone |= {name for name in ended if ended[name]}
            seen |= {name for name in cut if cut[name]}
        self.assertTrue(gone, "no seat has died")
        self.assertEqual(gone | seen, set(env.possible_agents))


class Gymnasium(unittest.TestCase):
    def test_env(self):
        for game in GAMES:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of style, and that there is no registered spec
                check_env(he.Env(seat=1, max_cycles=30, **game))
        env = he.Env(seat=1, max_cycles=9, map="pebble", others=lambda seen: seen["mask"][:, 0] * 0)
        self.addCleanup(env.close)
        obs, _ = env.reset(seed=1)
        for n in range(9):
            self.assertEqual((obs["seat"].tolist(), obs["turn"].tolist()), ([1], [n]))
            self.assertEqual(obs["characters"][0, :, 3].tolist(), [-1, -1, -1])
            obs, _, ended, cut, _ = env.step(env.action_space.sample(mask=tuple(obs["mask"] * 0 + (
                np.arange(he.CODES) == 0).astype("i1"))))
            self.assertEqual((ended, cut), (False, n == 8))
        vector = SyncVectorEnv([lambda: he.Env(map="pebble", max_cycles=4)] * 4)
        self.addCleanup(vector.close)
        _, info = vector.reset(seed=1)
        self.assertGreater(info["seed"].max(), 2**63)
        for _ in range(10):
            vector.step(vector.action_space.sample())
        with self.assertRaisesRegex(he.EnvError, "is over for the seat: reset it"):
            env.step(env.action_space.sample())
        with self.assertRaisesRegex(ValueError, "seat = 7: want 0 to 1"):
            he.Env(seat=7, map="pebble")
        with self.assertRaisesRegex(ValueError, "turns = 9: set max_cycles"):
            he.Env(turns=9, map="pebble")
        with self.assertRaisesRegex(ValueError, "max_cycles = 0: want 1 or more"):
            he.VectorEnv(max_cycles=0)

    def test_seeds_of_matches(self):
        """A match depends on the seed and its index, not on how many there are."""
        logs = []
        for envs in (2, 5):
            env = he.VectorEnv(envs, 12, map="pebble")
            self.addCleanup(env.close)
            obs, info = env.reset(seed=3)
            log = [info["seed"][:4].tolist()]
            for step in range(30):
                actions = (np.arange(obs["mask"].size // he.CODES) + step).reshape(
                    obs["mask"].shape[:-1]) % 7
                obs, reward, _, _, info = env.step(actions)
                log += [obs["cells"][:4].tobytes(), reward[:4].tolist(), info["seed"][:4].tolist()]
            logs.append(log)
        self.assertEqual(*logs)

    def play(self, mode, steps=25, envs=3, cycles=7, **game):
        env = he.VectorEnv(envs, cycles, autoreset_mode=mode, **(game or dict(map="pebble")))
        self.addCleanup(env.close)
        rng, log = np.random.default_rng(2), []
        obs, info = env.reset(seed=5)
        self.assertIn(obs, env.observation_space)
        for _ in range(steps):
            out = env.step(legal(obs["mask"], rng))
            obs = out[0]
            self.assertIn(obs, env.observation_space)
            log.append(out)
            if mode == AutoresetMode.DISABLED and (out[2] | out[3]).any():
                obs, _ = env.reset(options={"reset_mask": out[2] | out[3]})
                log.append((obs,) + (None,) * 4)
        return env, log

    def test_spaces_and_seeds(self):
        for mode in AutoresetMode:
            for game in (dict(map="pebble"), PIECES):
                _, one = self.play(mode, **game)
                _, two = self.play(mode, **game)
                self.assertTrue(data_equivalence(one, two))

    def test_next_step(self):
        _, log = self.play(AutoresetMode.NEXT_STEP)
        obs, _, ended, cut, info = log[6]
        self.assertTrue(cut.all() and not ended.any())
        self.assertTrue((obs["turn"] == 7).all())
        obs, reward, ended, cut, after = log[7]
        self.assertTrue((obs["turn"] == 0).all() and (reward == 0).all())
        self.assertFalse(ended.any() or cut.any())
        self.assertTrue((after["seed"] != info["seed"]).all())

    def test_same_step(self):
        _, log = self.play(AutoresetMode.SAME_STEP)
        _, other = self.play(AutoresetMode.NEXT_STEP)
        obs, reward, _, cut, info = log[6]
        self.assertTrue(cut.all() and (obs["turn"] == 0).all() and info["_final_obs"].all())
        last, last_reward = other[6][0], other[6][1]
        for name, value in last.items():
            np.testing.assert_array_equal(stacked(info["final_obs"])[name], value)
        np.testing.assert_array_equal(reward, last_reward)
        np.testing.assert_array_equal(info["final_info"]["seed"], other[6][4]["seed"])
        self.assertNotIn("final_obs", log[7][4])
        env = he.VectorEnv(2, autoreset_mode=AutoresetMode.SAME_STEP, **PIECES)
        self.addCleanup(env.close)
        env.reset()
        info = env.step([0, 511, 0, 0])[4]  # the first match is forfeited
        self.assertEqual(info["_final_obs"].tolist(), [True, True, False, False])
        self.assertEqual(info["final_info"]["_seed"].tolist(), [True, True, False, False])
        for k, one in enumerate(info["final_obs"]):
            self.assertEqual(one in env.single_observation_space if k < 2 else one is None, True)

    def test_disabled(self):
        env, log = self.play(AutoresetMode.DISABLED)
        self.assertTrue(log[6][3].all() and (log[6][0]["turn"] == 7).all())
        self.assertTrue((log[7][0]["turn"] == 0).all())
        env.reset(options={"reset_mask": np.ones(env.num_envs)})
        for _ in range(7):
            env.step(np.zeros(env.action_space.shape, int))
        with self.assertRaisesRegex(he.EnvError, "matches .* are over"):
            env.step(np.zeros(env.action_space.shape, int))
        with self.assertRaisesRegex(ValueError, r"the shape \(2,\): want \(6,\)"):
            env.reset(options={"reset_mask": np.ones(2)})

    def test_length_of_episodes(self):
        """DISABLED has an entry for each reset as well, as the step after the end in NEXT_STEP."""
        for mode in AutoresetMode:
            _, log = self.play(mode)
            ends = [i for i, out in enumerate(log) if out[3] is not None and out[3].any()]
            if mode == AutoresetMode.SAME_STEP:
                self.assertEqual(ends, [6, 13, 20])
            else:
                self.assertEqual(ends[:3], [6, 14, 22])

    def test_rewards(self):
        """In all modes the last reward of a match is that of its last step."""
        _, want = self.play(AutoresetMode.NEXT_STEP)
        for mode in AutoresetMode:
            _, log = self.play(mode)
            np.testing.assert_array_equal(log[6][1], want[6][1])
            self.assertTrue(want[6][1].any())

    def test_tic_tac_toe(self):
        """The last observation, the last reward and the length of an episode in all modes."""
        want = self.play(AutoresetMode.NEXT_STEP, cycles=3, **PIECES)[1]
        for mode in AutoresetMode:
            _, log = self.play(mode, cycles=3, **PIECES)
            ends = [i for i, out in enumerate(log)
                    if out[3] is not None and (out[2] | out[3]).any()]
            same = mode == AutoresetMode.SAME_STEP
            self.assertEqual(ends[:3], [5, 11, 17] if same else [5, 12, 19])
            last = stacked(log[5][4]["final_obs"]) if same else log[5][0]
            self.assertTrue(data_equivalence(
                {name: last[name] for name in want[5][0]}, want[5][0]))
            np.testing.assert_array_equal(log[5][1], want[5][1])
            self.assertTrue((log[5 if same else 6][0]["turn"] == 0).all())

    def test_places(self):
        env = he.VectorEnv(2, 3, reward="place", map="pebble")
        self.addCleanup(env.close)
        env.reset(seed=1)
        for _ in range(3):
            reward = env.step(np.zeros(env.action_space.shape, int))[1]
        self.assertTrue((reward == 0).all())  # a tie
        self.assertEqual(he._places(np.array([[3, 1, 2]])).tolist(), [[1, -1, 0]])


class Arrays(unittest.TestCase):
    def test_save_and_load(self):
        with he.Arrays(4, map="pebble") as a:
            a.seed[:] = range(4)
            a.begin()
            a.save()
            a.actions[:] = legal(a.mask, np.random.default_rng(3))
            before = a.cells.copy()
            a.step()
            after = a.cells.copy()
            a.load()
            np.testing.assert_array_equal(a.cells, before)
            a.step()
            np.testing.assert_array_equal(a.cells, after)
            self.assertFalse((after == before).all())

    def test_masks(self):
        for game in HEXABOMB:
            with he.Arrays(8, turns=60, **game) as a:
                a.begin()
                rng = np.random.default_rng(1)
                for _ in range(120):
                    self.assertTrue((a.mask[..., 0] == 1).all())
                    a.actions[:] = legal(a.mask, rng)
                    a.reset[:] = a.over > 0
                    a.step()

    def test_planes(self):
        with he.Arrays(3, map="pebble") as a:
            a.begin()
            a.actions[:] = legal(a.mask, np.random.default_rng(2))
            a.step()
            shown, at = he.planes(a)
            row, column = at.T
            np.testing.assert_array_equal(
                shown[:, :6, row, column].transpose(0, 2, 1), a.cells)
            self.assertEqual(shown[:, 6].sum(), 3 * len(at))
            for one, (r, q) in zip(a.about["about"]["cells"], at - at[0]):
                first = a.about["about"]["cells"][0]
                self.assertEqual((one["q"] - first["q"], one["r"] - first["r"]), (q, r))

    def test_tic_tac_toe(self):
        """Planes show each piece and cell once; the symmetries are a group, and keep rows."""
        rng, wins = np.random.default_rng(6), 0
        with he.Arrays(16, game="hextictactoe", view_distance=2) as a:
            a.begin()
            for _ in range(300):
                shown, at = he.planes(a, 61)
                np.testing.assert_array_equal(shown[:, :2].sum((1, 2, 3)), a.placed)
                np.testing.assert_array_equal(shown[:, 2].sum((1, 2)), a.legal)
                n, i = np.nonzero(at[..., 0] >= 0)
                self.assertTrue((shown[n, 2, at[n, i, 0], at[n, i, 1]] == 1).all())
                before, mover = a.placed.copy(), a.asked.argmax(1)
                pick = rng.random(16) * a.legal
                best = a.lines.max((2, 3)).argmax(1)
                a.actions[:] = np.where(rng.random(16) < 0.5, pick, best)[:, None]
                a.reset[:] = a.over > 0
                a.step()
                self.assertTrue((a.placed == before + 1)[a.reset == 0].all())
                won = (a.over == 1) & (a.score.sum(1) > 0)
                wins += won.sum()
                self.assertTrue((a.reward[won, mover[won]] == 1).all())
        self.assertGreater(wins, 10)
        table = he.symmetries(9)
        self.assertEqual(len({tuple(row) for row in table}), 12)
        plane = rng.integers(1, 100, 81)
        hexagon = (table < 81).all(0)  # what stays in the window
        for one in table:
            self.assertEqual(sorted(plane[one[hexagon]]), sorted(plane[hexagon]))
            turned = np.append(plane * hexagon, 0)[one]
            for two in table:
                self.assertTrue(any((np.append(turned, 0)[two] == np.append(
                    plane * hexagon, 0)[three]).all() for three in table))

    def test_mistakes(self):
        for settings, words in (
                (dict(map="nowhere"), "map"), (dict(turns=0), "turns"), (dict(colour=1), "colour"),
                (dict(game="external"), "whose rules are"), (dict(envs=0), "envs = 0")):
            with self.assertRaisesRegex(he.EnvError, words):
                he.Arrays(**settings)
        with he.Arrays(map="pebble") as a:
            with self.assertRaisesRegex(he.EnvError, "has not begun"):
                a.step()
            a.begin()
            with self.assertRaisesRegex(he.EnvError, "no position of the match was saved"):
                a.load()
            a.step()
            self.assertEqual(int(a.turn[0]), 1)
            with self.assertRaisesRegex(ValueError, "read-only"):
                a.cells[:] = 0
        with self.assertRaisesRegex(he.EnvError, "closed"):
            a.step()

    def test_dead_child(self):
        a = he.Arrays(map="pebble")
        a.begin()
        a._child.kill()
        with self.assertRaisesRegex(he.EnvError, "ended"):
            for _ in range(3):
                a.step()
        a.close()

    def test_nothing_is_left(self):
        folder = "/dev/shm" if os.path.isdir("/dev/shm") else None
        if folder is None or not os.path.isdir("/proc/self/fd"):
            self.skipTest("needs Linux")
        files = [f for f in os.listdir(folder) if f.startswith("hexarena-")]
        descriptors = len(os.listdir("/proc/self/fd"))
        for n in range(int(os.environ.get("ENVS", "1000"))):
            a = he.Arrays(map="pebble")
            if n % 2:
                a.close()
            child = a._child
            del a
            self.assertIsNotNone(child.poll())
        self.assertEqual(len(os.listdir("/proc/self/fd")), descriptors)
        self.assertEqual([f for f in os.listdir(folder) if f.startswith("hexarena-")], files)

    def test_spawned(self):
        """A process that multiprocessing spawns has its own matches."""
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            one, two = pool.map(counts, [5, 5])
        self.assertEqual(one, two)

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_forked(self):
        """A forked process uses no matches of another, nor keeps them from ending."""
        a = he.Arrays(map="pebble")
        a.begin()
        ready, tell = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                a.step()
            except he.EnvError as error:
                os.write(tell, str(error).encode())
            signal.pause()
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.kill, pid, signal.SIGKILL)
        self.assertIn(b"another process made the environment", os.read(ready, 100))
        os.close(ready)
        os.close(tell)
        a.step()
        a.close()
        self.assertEqual(a._child.returncode, 0)

    def test_numpy_alone(self):
        """Without the libraries, what needs them says so."""
        subprocess.run([sys.executable, "-c", "import sys\n"
                        "sys.modules['gymnasium'] = sys.modules['pettingzoo'] = None\n"
                        "import hexarena_env as he\n"
                        "env = he.ParallelEnv(map='pebble')\n"
                        "env.reset(); env.step({})\n"
                        "for use in env.action_space, lambda _: he.VectorEnv():\n"
                        "  try: use('player_0'); raise SystemExit('it works')\n"
                        "  except ImportError as error: assert 'gymnasium 1.1' in str(error)"],
                       cwd=HERE, check=True)

    @unittest.skipIf(os.name == "nt", "needs signals")
    def test_interrupted(self):
        """Ctrl-C and a kill end the child, too."""
        for number in (signal.SIGINT, signal.SIGKILL):
            program = subprocess.Popen(
                [sys.executable, "-c", "import signal; import hexarena_env as he\n"
                 # a shell has programs in the background ignore it
                 "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
                 "a = he.Arrays(map='pebble')\n"
                 "a.begin(); print(a._child.pid, flush=True)\nwhile True: a.step()"],
                cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            child = int(program.stdout.readline())
            program.send_signal(number)
            program.wait()
            program.stdout.close()
            deadline = threading.Event()
            while alive(child):
                deadline.wait(0.01)


def alive(pid):
    """Reports whether a process runs: one that has ended may wait for its parent."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def counts(seed):
    with he.Arrays(2, map="pebble") as a:
        a.seed[:] = seed
        a.begin()
        rng = np.random.default_rng(seed)
        for _ in range(20):
            a.actions[:] = legal(a.mask, rng)
            a.reset[:] = 0
            a.step()
        return a.counts.tolist()


class Server:
    """A server, and its two players, which answer over TCP. Each has its id in seats."""

    def __init__(self, *flags):
        for _ in range(5):  # another program may take the port first
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            self.child = subprocess.Popen(
                [os.environ["HEXARENA"], "serve", "--port", str(port), "--bind", "127.0.0.1",
                 "--autostart", "--http", "", "--record", "", "--visualizations", "0",
                 "--login-timeout", "10m", *flags], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            first = self.child.stdout.readline()
            if "Listening" in first:
                break
            self.child.communicate()
        assert "Listening" in first, first
        self.log = threading.Thread(target=self.child.stdout.read)
        self.log.start()
        self.wires = [hexarena._Tcp("127.0.0.1", port, False) for _ in range(2)]
        for n, wire in enumerate(self.wires):
            self.send(n, message_type="LOGIN", role="player", metaprotocol_version="2.0.0",
                      nickname="p%d" % n, stay=True)
            assert self.receive(n)["message_type"] == "LOGIN_ACK"
        self.seats = [0, 1]

    def send(self, player, **message):
        self.wires[player].send(json.dumps(message).encode() + b"\n")

    def receive(self, player):
        return json.loads(self.wires[player].receive())

    def turn(self):
        """Returns the next TURN or GAME_STARTS, which both receive, or None after the end."""
        for _ in range(2):
            both = [self.receive(n) for n in range(2)]
            kind = both[0]["message_type"]
            assert kind == both[1]["message_type"], both
            if kind == "GAME_STARTS":
                self.seats = [m["player_id"] for m in both]
            if kind != "GAME_ENDS":
                return both[0]
        return None

    def answer(self, turn, lists):
        """Sends what each player does, by id."""
        for n, seat in enumerate(self.seats):
            self.send(n, message_type="TURN_ACK", turn_number=turn["turn_number"],
                      actions=lists[seat])

    def close(self):
        self.child.kill()
        self.child.wait()
        self.log.join()
        self.child.stdout.close()
        for wire in self.wires:
            wire.close()


class OverTCP(unittest.TestCase):
    """10 000 steps of both games show what a server sends."""

    def test_hexabomb(self):
        turns, rng = 10_000, np.random.default_rng(8)
        server = Server("--map", "pebble", "--turns", str(turns), "--seed", "77",
                        "--order", "seeded", "--pace", "fast", "--delay-first-turn", "50")
        self.addCleanup(server.close)
        self.assertEqual(server.turn()["message_type"], "GAME_STARTS")
        with he.Arrays(1, map="pebble", turns=turns) as a:
            a.seed[:] = 77
            a.begin()
            a.reset[:] = 0
            board = policy.Board(a.about["about"]["cells"])
            for n in range(turns - 1):
                turn = server.turn()
                self.assertEqual((turn["turn_number"], int(a.turn[0])), (n, n))
                state = turn["game_state"]
                for seat in range(2):
                    cells, characters, mask = policy.read(board, state, seat)
                    np.testing.assert_array_equal(characters[0, 0], a.characters[0, seat])
                    np.testing.assert_array_equal(mask[0, 0], a.mask[0, seat])
                np.testing.assert_array_equal(cells[..., :5], a.cells[..., :5])
                self.assertEqual(list(state["score"].values()), a.score[0].tolist())
                a.actions[:] = legal(a.mask, rng)
                server.answer(turn, [list(filter(None, map(
                    policy.action, [c for c in state["characters"] if c["color"] == seat + 1],
                    a.actions[0, seat].tolist()))) for seat in range(2)])
                a.step()
            self.assertEqual(int(a.over[0]), 2)

    def test_tic_tac_toe(self):
        turns, rng, steps = 50, np.random.default_rng(9), 0
        server = Server("--game", "hextictactoe", "--turns", str(turns), "--matches", "endless")
        self.addCleanup(server.close)
        with he.Arrays(1, game="hextictactoe", turns=turns) as a:
            a.begin()
            while steps < 10_000:
                while a.over[0] == 0:
                    turn = server.turn()
                    if turn["message_type"] == "GAME_STARTS":
                        continue
                    state = turn["game_state"]
                    self.assertEqual(
                        [[c["q"], c["r"], 1 + "xo".index(c["p"])] for c in state["board"]["cells"]],
                        a.pieces[0, :a.placed[0]][::-1].tolist())
                    seat, move = "xo".index(state["to_move"]), []
                    self.assertEqual(int(a.asked[0].argmax()), seat)
                    a.reset[:] = 0
                    while a.over[0] == 0 and len(move) < 2:
                        pick = int(rng.random() ** 3 * a.legal[0])
                        move.append(dict(zip("qr", a.cells[0, pick].tolist())))
                        a.actions[:] = pick
                        a.step()
                        steps += 1
                    lists = [[], []]
                    lists[seat] = [{"pieces": move}]
                    server.answer(turn, lists)
                a.begin()


class Recordings(unittest.TestCase):
    """The answers of a recorded match lead from each state to the next, and to its rewards."""

    def export(self, *matches):
        """Returns the arrays of matches."""
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        for words in [("play", "--seed", "3", "--http", "", *match) for match in matches] + [
                ("replay", "export", "recordings", "--format", "npz", "-o", "data")]:
            done = subprocess.run([os.environ["HEXARENA"], *words], cwd=folder, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout)
        files = sorted((folder / "data").iterdir())
        self.assertEqual(len(files), len(matches))
        return [dict(np.load(file)) for file in files]

    def test_hexabomb(self):
        for data in self.export(*((game, "painter", "random")
                                  for game in ("--map=pebble", "--map=hourglass"))):
            about = json.loads(data["about"].item())
            with he.Arrays(1, map=about["map"], players=2) as a:
                self.assertEqual(a.about["about"], about["about"])
                a.seed[:] = about["seed"]
                a.begin()
                a.reset[:] = 0
                for turn, actions in enumerate(data["actions"]):
                    for name in ("cells", "characters", "mask", "counts", "score"):
                        np.testing.assert_array_equal(getattr(a, name)[0], data[name][turn])
                    a.actions[0] = actions
                    a.step()
                    np.testing.assert_array_equal(a.reward[0], data["reward"][turn])
                self.assertEqual(int(a.over[0]), 2)

    def test_tic_tac_toe(self):
        for data in self.export(("--game", "hextictactoe", "threat", "random"),
                                ("--game", "hextictactoe", "random", "threat")):
            with he.Arrays(1, game="hextictactoe") as a:
                a.begin()
                a.reset[:] = 0
                for step in range(len(data["cells"])):
                    for name in ("cells", "lines", "legal", "pieces", "placed", "second", "score"):
                        np.testing.assert_array_equal(getattr(a, name)[0], data[name][step])
                    if step < len(data["actions"]):
                        a.actions[0] = data["actions"][step]
                        a.step()
                        np.testing.assert_array_equal(a.reward[0], data["reward"][step])
                self.assertEqual(int(a.over[0]), 1)
                self.assertEqual(sorted(data["reward"][-1]), [-1, 1])


class Simulator:
    """A match in JSON lines."""

    def __init__(self, *flags):
        self.child = subprocess.Popen(
            [os.environ["HEXARENA"], "env", "--json", *flags], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, **request):
        self.child.stdin.write(json.dumps(request) + "\n")
        return json.loads(self.child.stdout.readline())

    def close(self):
        self.child.stdin.close()
        self.child.wait()
        self.child.stdout.close()


class Learning(unittest.TestCase):
    UPDATES = 60  # 12 s of a processor. Seeds 1 to 4 lead to 99.5 % and more of the matches

    def test_bot_sees_the_arrays(self):
        """Player 0 alone acts, so that the order of the actions does not matter."""
        lines = Simulator("--map", "pebble", "--players", "2")
        self.addCleanup(lines.close)
        rng = np.random.default_rng(1)
        with he.Arrays(1, map="pebble", turns=100) as a:
            a.begin()
            a.reset[:] = 0
            answer = lines.ask(reset={"seed": 0})
            board = policy.Board(a.about["about"]["cells"])
            for _ in range(90):
                cells, characters, mask = policy.read(board, answer["state"], 0)
                seen = [0, 1, 2, 3, 4]  # a bot does not ask what exploded
                np.testing.assert_array_equal(cells[..., seen], a.cells[..., seen])
                np.testing.assert_array_equal(characters, a.characters[:, :1])
                np.testing.assert_array_equal(mask, a.mask[:, :1])
                x = board.features(a.cells, a.characters, np.arange(2))
                np.testing.assert_array_equal(
                    x[:, :1], board.features(cells, characters, [0]))
                a.actions[:] = 0
                a.actions[0, 0] = legal(mask, rng)[0, 0]
                a.step()
                mine = [c for c in answer["state"]["characters"] if c["color"] == 1]
                answer = lines.ask(step=[list(filter(None, map(
                    policy.action, mine, a.actions[0, 0].tolist()))), []])
                self.assertLessEqual({one["reason"] for one in answer["refused"]}, {"blocked"})

    def test_advantages(self):
        one = train.advantages(np.array([[1.0], [2.0]]), np.array([[3.0], [5.0]]),
                               np.array([[0.0], [1.0]]), np.array([[7.0]]))
        second = 2 - 5  # the match ends, so that what follows does not count
        first = 1 + train.GAMMA * 5 - 3 + train.GAMMA * train.LAMBDA * second
        np.testing.assert_allclose(one, [[first], [second]])

    def batch(self, rng):
        mask = (rng.random((64, policy.CODES)) < 0.5).astype("i1")
        mask[:, 0] = 1
        return (rng.normal(size=(64, 9)).astype("f4"), mask, legal(mask, rng),
                rng.uniform(0.05, 0.3, 64).astype("f4"), rng.normal(size=64).astype("f4"),
                rng.normal(size=64).astype("f4"))

    @unittest.skipUnless(find_spec("torch"), "needs torch")
    def test_torch(self):
        """Both networks take the same steps."""
        rng = np.random.default_rng(1)
        torch = train.TorchNetwork([9, 8, policy.CODES + 1], 0.01, rng)
        network = train.Network([9, 8, policy.CODES + 1], 0.01, rng)
        network.layers = [(w.copy(), b.copy()) for w, b in torch.layers]
        for _ in range(5):
            batch = self.batch(rng)
            np.testing.assert_allclose(network.outputs(batch[0]), torch.outputs(batch[0]),
                                       atol=1e-3)
            network.update(*batch)
            torch.update(*batch)
        for one, two in zip(network.layers, torch.layers):
            np.testing.assert_allclose(one[0], two[0], atol=2e-3)

    def test_gradient(self):
        """The network's gradient is that of the loss, by differences."""
        rng = np.random.default_rng(2)
        network = train.Network([9, 8, policy.CODES + 1], 0.01, rng)
        network.layers = [(rng.normal(size=w.shape) / 3, b.astype(float)) for w, b in
                          network.layers]
        x, mask, action, chance, gain, value = batch = self.batch(rng)

        def loss():
            out = network.outputs(x)
            p = policy.probabilities(out[:, :policy.CODES], mask)
            ratio = p[np.arange(64), action] / chance
            near = ratio.clip(1 - train.CLIP, 1 + train.CLIP)
            entropy = -(p * np.log(np.where(p > 0, p, 1))).sum(1)
            error = (out[:, policy.CODES] - value) ** 2 / 2
            return (-np.minimum(ratio * gain, near * gain) - train.ENTROPY * entropy
                    + train.VALUE * error).mean()

        found = []
        network._adam = found.extend
        network.update(*batch)
        for (weight, _), (gradient, _) in zip(network.layers, found):
            for i in range(0, weight.size, 7):
                at = np.unravel_index(i, weight.shape)
                before, step = weight[at], 1e-5
                weight[at] = before + step
                more = loss()
                weight[at] = before - step
                self.assertAlmostEqual((more - loss()) / 2 / step, gradient[at], delta=1e-4)
                weight[at] = before

    def test_learns(self):
        """What has learned from itself alone wins against random; its bot plays as any other."""
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        environment = {**os.environ, "PATH": os.pathsep.join(
            [os.path.dirname(sys.executable), os.environ["PATH"]])}
        hexarena = environment["HEXARENA"]

        def run(*command):
            done = subprocess.run(command, env=environment, cwd=folder, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return done.stdout

        run(hexarena, "new", "--learn", "learn.py")
        run(sys.executable, "learn.py", "--map", "pebble", "--seed", "1", "--updates",
            str(self.UPDATES))
        game = ["--seed", "1", "--turn-timeout", "off"]  # on a machine however slow
        run(hexarena, "play", "policy.py", "random", "--map", "pebble", "--strict", *game)
        (folder / "trained").mkdir()
        for name in "policy.py", "policy.npz":
            shutil.copy(folder / name, folder / "trained")
        table = json.loads(run(
            hexarena, "cup", "trained", "random", "--maps", "pebble", "--count", "200",
            "--format", "round-robin", "--start-timeout", "2m", "--json", *game))
        won = {one["bot"]: one for one in table["bots"]}["trained"]
        self.assertEqual((won["matches"], won["forfeits"]), (200, {}))
        self.assertGreaterEqual(won["score"], 0.9)


if __name__ == "__main__":
    unittest.main(verbosity=1)
