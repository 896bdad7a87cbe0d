#!/usr/bin/env python3
"""A bot for hexabomb that looks ahead: it tries bombs out, and drops those that pay.

    hexarena play look_ahead.py painter random random
    python3 look_ahead.py [HOST [PORT]]                 (--help lists the options)
"""
from typing import List, Sequence

import hexarena
from hexarena import Action, Bomb, Match, Simulator, State, at, blast, first_step, neighbour

TURNS = 5  # that it looks ahead: the turn of a bomb, and its longest delay
GAIN = 8  # cells that a bomb must gain: it may gain more in a later turn
LIFE = 8  # cells that a character is worth: while it is dead, it paints none for some turns


class MyBot(hexarena.Bot):
    """Paints, steps out of danger, and tries each bomb out before it drops one."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.simulator = Simulator(match)

    def turn(self, state: State) -> List[Action]:
        """Return at most one action for each of my characters."""
        self.simulator.load()
        self.simulator.save("now")
        bombs: List[Bomb] = []
        best = self.walk(state)
        most = self.worth(best)
        mine = self.match.player_id + 1
        for c in [c for c in state["characters"] if c["color"] == mine and c["alive"] and c.get("bomb_count", 1)]:
            before = bombs
            for delay in 2, 3, 4:
                if self.match.time_left() < 0.1:  # seconds
                    return best
                tried = before + [Bomb(color=mine, range=4, delay=delay, q=c["q"], r=c["r"])]
                actions = self.walk(state, tried)
                worth = self.worth(actions)
                if worth >= most + GAIN:
                    best, bombs, most = actions, tried, worth
        self.match.debug.values["lead in five turns"] = most
        return best

    def worth(self, actions: List[Action]) -> int:
        """Return my lead after some turns, in which I act like this and then walk, and others stand."""
        me = self.match.player_id
        self.simulator.restore("now")
        for _ in range(TURNS):
            self.simulator.step([actions if p == me else [] for p in range(len(self.simulator.score))])
            state: State = self.simulator.state()
            if self.simulator.over:
                break
            actions = self.walk(state)
        others = [n for p, n in state["cell_count"].items() if p != str(me)]
        lives = sum(1 if c["color"] == me + 1 else -1 for c in state["characters"] if c["alive"])
        return state["cell_count"][str(me)] - max(others, default=0) + LIFE * lives

    def walk(self, state: State, bombs: Sequence[Bomb] = ()) -> List[Action]:
        """Return actions that drop my bombs and lead the others out of danger, or to cells that are not mine."""
        mine, rng = self.match.player_id + 1, self.match.random  # my colour
        board = {at(cell) for cell in state["cells"]}
        not_mine = {at(cell) for cell in state["cells"] if cell["color"] != mine}
        free = board - {at(c) for c in state["characters"] if c["alive"]} - {at(b) for b in state["bombs"]}
        danger = {cell for b in [*state["bombs"], *bombs] for cell in blast(at(b), b["range"], board)}
        dropped = {at(b): b for b in bombs}
        actions: List[Action] = []
        for c in [c for c in state["characters"] if c["color"] == mine]:
            me, here, safe = c["id"], at(c), free - danger
            if c["alive"] and here in dropped:
                bomb = dropped[here]
                actions.append({"id": me, "movement": "bomb", "bomb_range": bomb["range"], "bomb_delay": bomb["delay"]})
            elif c["alive"]:
                ways, goals = (free, safe) if here in danger else (safe, not_mine)
                step = first_step(here, ways, goals, rng=rng)
                if step:
                    actions.append({"id": me, "movement": "move", "direction": step})
                    free.discard(neighbour(here, step))
            elif c["revive_delay"] == 0 and not self.match.nb_special_players:
                actions.append({"id": me, "movement": "revive", "revive_q": c["q"], "revive_r": c["r"]})
        return actions

    def end(self, state: State, winner: int) -> None:
        self.simulator.close()
        print(f"The match is over. I was player {self.match.player_id}, the scores are {state['score']}")


if __name__ == "__main__":
    hexarena.run(MyBot)
