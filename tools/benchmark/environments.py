"""Steps matches of random actions, and prints steps a second and the share of the child's time."""

import json
import os
import sys
import time

import numpy as np

from hexarena_env import Arrays

board, matches, turns, steps = sys.argv[1], *map(int, sys.argv[2:])


def play(steps):
    """Returns the seconds of the steps, and those of the processor in the child, start included."""
    before = os.times()
    with Arrays(matches, map=board, turns=turns) as a:
        codes = np.random.default_rng(1).integers(0, 17, (64,) + a.actions.shape, np.uint8)
        a.seed[:] = range(matches)
        a.begin()
        started = time.perf_counter()
        for n in range(steps):
            a.actions[:] = codes[n % 64]
            a.reset[:] = a.over > 0
            a.step()
        took = time.perf_counter() - started
    after = os.times()
    return took, after.children_user + after.children_system - (
        before.children_user + before.children_system)


start = play(0)[1]
took, child = play(steps)
print(json.dumps({"rate": matches * steps / took, "busy": min(1, max(0, child - start) / took)}))
