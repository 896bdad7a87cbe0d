#!/usr/bin/env python3
"""A bot for the game of logic.py: it claims any free cell. Change turn() and play.

    hexarena play --game external --logic logic.py claimer.py claimer.py
"""
import hexarena


class Claimer(hexarena.Bot):
    def turn(self, state):
        """Return the number of a free cell."""
        free = [number for number, cell in enumerate(state["cells"]) if cell["owner"] < 0]
        return [{"claim": self.match.random.choice(free)}] if free else []


if __name__ == "__main__":
    hexarena.run(Claimer)
