#!/usr/bin/env python3
"""The bot of the vectors: it prints each call as a line of JSON on standard error. See ../vectors/README.md."""
import json
import math
import struct
import sys
from typing import Any, Iterator, List

import hexarena


class Vectors(hexarena.Bot):
    def __init__(self, match: hexarena.Match) -> None:
        super().__init__(match)
        report("start", player_id=match.player_id, nb_players=match.nb_players,
               nb_special_players=match.nb_special_players, nb_turns_max=match.nb_turns_max,
               milliseconds_before_first_turn=match.milliseconds_before_first_turn,
               milliseconds_between_turns=match.milliseconds_between_turns,
               infos=len(match.players_info), match=match.number, seed=match.seed,
               draw=match.random.random(), digest=digest(match.initial_game_state))

    def turn(self, state: Any) -> Any:
        match = self.match
        report("turn", number=match.turn_number, infos=len(match.players_info),
               limited=match.time_left() < math.inf, digest=digest(state))
        if isinstance(state, dict):
            if "print" in state:
                print(state["print"])
            if "fail" in state:
                raise RuntimeError(state["fail"])
            debug = state.get("debug", {})
            match.debug.text = debug.get("text", "")
            match.debug.values.update(debug.get("values", {}))
            match.debug.values.update((name, math.nan) for name in debug.get("nan", []))
            for cell in debug.get("cells", []):
                match.debug.mark((cell["q"], cell["r"]), cell.get("color", ""), cell.get("label", ""))
            if "simulate" in state:
                simulate(hexarena.Simulator(match), state["simulate"])
            if "drawn" in state:
                draw(**state["drawn"])
        return [{"echo": match.turn_number}]

    def end(self, state: Any, winner: int) -> None:
        report("end", winner=winner, digest=digest(state))


def simulate(simulator: hexarena.Simulator, requests: List[Any]) -> None:
    """Make requests, and report the position after each, or the mistake."""
    for request in requests:
        try:
            for name, value in request.items():
                simulator.load() if name == "load" else getattr(simulator, name)(value)
        except RuntimeError as error:
            report("simulate", error=str(error))
        else:
            report("simulate", turn=simulator.turn, over=simulator.over, winner=simulator.winner,
                   score=simulator.score, digest=digest(simulator.state()))
    simulator.close()


def draw(drawing: str, player_id: int, seed: int, bombs: List[hexarena.Bomb]) -> None:
    """Report the numbers in a match that is drawn, in an order."""
    match, state = hexarena.test_match(drawing, bombs, player_id, seed)
    simulator = hexarena.Simulator(match)
    simulator.load()
    numbers = [match.player_id, match.nb_players, match.turn_number, match.seed]
    for c in state["cells"]:
        numbers += [c["q"], c["r"], c["color"]]
    for h in state["characters"]:
        numbers += [h["id"], h["color"], h["q"], h["r"], h["bomb_count"]]
    for b in state["bombs"]:
        numbers += [b["color"], b["range"], b["delay"], b["q"], b["r"]]
    report("drawn", numbers=numbers, score=simulator.score)
    simulator.close()


def report(call: str, **fields: Any) -> None:
    print(json.dumps({"call": call, **fields}), file=sys.stderr, flush=True)


def digest(state: Any) -> str:
    """Return the FNV-1a hash of a state."""
    value = 2166136261
    for part in parts(state):
        for byte in part:
            value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return f"{value:08x}"


def parts(value: Any) -> Iterator[bytes]:
    """Yield what the hash of a value is computed from. It has its own stack: states are deep."""
    stack: List[Any] = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, bytes):
            yield value
        elif isinstance(value, str):
            yield b"s" + value.encode("utf-8", "replace") + b"\xff"
        elif value is None or isinstance(value, bool):
            yield {None: b"n", True: b"t", False: b"f"}[value]
        elif isinstance(value, (int, float)):
            yield b"d" + struct.pack(">d", value)
        elif isinstance(value, list):
            stack += [b"]", *reversed(value), b"["]
        else:
            stack.append(b"}")
            for key in sorted(value, key=str.encode, reverse=True):
                stack += [value[key], key]
            stack.append(b"{")


if __name__ == "__main__":
    hexarena.run(Vectors, name="vectors")
