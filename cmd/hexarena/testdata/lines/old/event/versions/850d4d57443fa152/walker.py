#!/usr/bin/env python3
"""A bot for hexabomb: change turn() and play.

    hexarena play bot.py painter random random
    python3 bot.py [HOST [PORT]]                 (--help lists the options)
"""
from typing import List

import hexarena
from hexarena import Action, State, at, blast, first_step, neighbour


class MyBot(hexarena.Bot):
    """Paints, drops a bomb now and then, and steps out of danger."""

    def turn(self, state: State) -> List[Action]:
        """Return at most one action for each of my characters."""
        mine, rng = self.match.player_id + 1, self.match.random  # my colour
        board = {at(cell) for cell in state["cells"]}
        not_mine = {at(cell) for cell in state["cells"] if cell["color"] != mine}
        free = board - {at(c) for c in state["characters"] if c["alive"]} - {at(b) for b in state["bombs"]}
        danger = {cell for b in state["bombs"] for cell in blast(at(b), b["range"], board)}  # sooner or later
        actions: List[Action] = []
        for c in [c for c in state["characters"] if c["color"] == mine]:
            me, here, safe, reach = c["id"], at(c), free - danger, blast(at(c), 3, board)
            if not c["alive"]:
                if c["revive_delay"] == 0 and not self.match.nb_special_players:
                    actions.append({"id": me, "movement": "revive"})
            elif (c["bomb_count"] > 0 and here not in danger and rng.random() < 0.3
                    and first_step(here, free, safe - reach, 2)):  # I could step out of its reach in time
                actions.append({"id": me, "movement": "bomb", "bomb_range": 3, "bomb_delay": 3})
                danger |= reach
            else:  # get out of danger; otherwise walk to the nearest cell that is not mine
                step = first_step(here, free, safe, rng=rng) if here in danger else first_step(here, safe, not_mine, rng=rng)
                if step:
                    actions.append({"id": me, "movement": "move", "direction": step})
                    free.discard(neighbour(here, step))
        self.match.debug.values["cells in danger"] = len(danger)
        return actions

    def end(self, state: State, winner: int) -> None:
        print(f"The match is over. I was player {self.match.player_id}, the scores are {state['score']}")


if __name__ == "__main__":
    hexarena.run(MyBot)
