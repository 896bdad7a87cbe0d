"""Plays random matches of hexabomb through hexarena_env.py: begin here to train a bot.

    python3 example.py
"""

import time

import numpy as np

from hexarena_env import Arrays

MATCHES, STEPS = 64, 500

rng = np.random.default_rng(1)
with Arrays(MATCHES, map="lagoon", turns=100) as a:
    a.seed[:] = np.arange(MATCHES)
    a.begin()
    total, started = np.zeros(a.seats), time.time()
    for _ in range(STEPS):
        # a legal action for each character, at random: put a policy in its place
        a.actions[:] = (rng.random(a.mask.shape) * a.mask).argmax(-1)
        a.reset[:] = a.over > 0  # these begin again in place of a turn
        a.seed[:] += np.uint64(MATCHES) * a.reset
        a.step()
        total += a.reward.sum(0)
    rate = MATCHES * STEPS * a.seats / (time.time() - started)
    print("%d answers a second; the lead of each seat grew by %s a turn" % (
        rate, np.round(total / MATCHES / STEPS, 3).tolist()))
