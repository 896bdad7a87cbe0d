"""Plays turns of a simulator: a hundred times two rounds of all characters about a cell."""
import hexarena


class Steps(hexarena.Bot):
    def __init__(self, match):
        super().__init__(match)
        self.simulator = hexarena.Simulator(match)
        self.simulator.save("start")

    def turn(self, state):
        walks = [[[{"id": c["id"], "movement": "move", "direction": d} for c in state["characters"]
                   if c["color"] == p + 1] for p in range(self.match.nb_players)]
                 for d in hexarena.DIRECTIONS]
        for _ in range(100):
            self.simulator.restore("start")
            for walk in walks + walks:
                self.simulator.step(walk)


hexarena.run(Steps)
