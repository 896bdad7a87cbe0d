#!/usr/bin/env python3
"""A bot for hexabomb: change turn() and play.

    hexarena play bot.py painter random random
    python3 bot.py [HOST [PORT]]                 (--help lists the options)
"""
from typing import Collection, List, Set

import hexarena
from hexarena import DIRECTIONS, Action, Hex, State, first_step, neighbour, ray


class MyBot(hexarena.Bot):
    """Paints, drops a bomb now and then, and steps out of danger."""

    def turn(self, state: State) -> List[Action]:
        """Return at most one action for each of my characters."""
        mine = self.match.player_id + 1  # my colour
        colors = {(c["q"], c["r"]): c["color"] for c in state["cells"]}
        free = set(colors)  # cells without a living character or a bomb
        free -= {(c["q"], c["r"]) for c in state["characters"] if c["alive"]}
        free -= {(b["q"], b["r"]) for b in state["bombs"]}
        danger: Set[Hex] = set()  # cells that will explode, sooner or later
        for b in state["bombs"]:
            danger |= blast((b["q"], b["r"]), b["range"], colors)
        not_mine = {cell for cell, color in colors.items() if color != mine}
        rng = self.match.random

        actions: List[Action] = []
        for character in state["characters"]:
            if character["color"] != mine:
                continue
            me, here = character["id"], (character["q"], character["r"])
            if not character["alive"]:
                if character["revive_delay"] == 0 and not self.match.nb_special_players:
                    actions.append({"id": me, "movement": "revive"})
                continue

            # Drop a bomb now and then, if I could step out of its reach in time.
            reach = blast(here, 3, colors)
            if (character["bomb_count"] > 0 and here not in danger and rng.random() < 0.3
                    and first_step(here, free, free - danger - reach, 2)):
                actions.append({"id": me, "movement": "bomb", "bomb_range": 3, "bomb_delay": 3})
                danger |= reach
                continue

            # Get out of danger; otherwise walk to the nearest cell that is not mine.
            if here in danger:
                direction = first_step(here, free, free - danger, rng=rng)
            else:
                direction = first_step(here, free - danger, not_mine, rng=rng)
            if direction:
                actions.append({"id": me, "movement": "move", "direction": direction})
                free.discard(neighbour(here, direction))
        self.match.debug.values["cells in danger"] = len(danger)
        return actions

    def end(self, state: State, winner: int) -> None:
        """Print the result."""
        print(f"The match is over. I was player {self.match.player_id}, the scores are {state['score']}")


def blast(bomb: Hex, reach: int, board: Collection[Hex]) -> Set[Hex]:
    """Return the cells that a bomb covers: its own and six lines."""
    return {bomb}.union(*(ray(bomb, direction, reach, board) for direction in DIRECTIONS))


if __name__ == "__main__":
    hexarena.run(MyBot)
