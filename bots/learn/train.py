#!/usr/bin/env python3
"""Trains policy.npz by PPO: all characters of all seats share one network and play each other.

    python3 train.py --map lagoon --updates 200
    hexarena play policy.py random

It needs numpy alone. With --torch the network is PyTorch's, for large ones and for a GPU.
"""

import argparse
import time

import numpy as np

from hexarena_env import Arrays
from policy import CODES, Board, draw, forward, probabilities, save

CLIP, GAMMA, LAMBDA = 0.2, 0.95, 0.9  # usual, except GAMMA: a bomb pays within 4 turns
ENTROPY, VALUE = 0.01, 0.5  # the weights of both in the loss


class Network:
    """A network in numpy, and Adam."""

    def __init__(self, sizes, rate, rng):
        self.layers = [
            (rng.normal(0, (0.01 if b == sizes[-1] else 1) / np.sqrt(a), (a, b)).astype("f4"),
             np.zeros(b, "f4")) for a, b in zip(sizes, sizes[1:])]
        self.rate, self.steps = rate, 0
        self.moments = [[np.zeros_like(p) for p in pair * 2] for pair in self.layers]

    def outputs(self, x):
        return forward(self.layers, x)[-1]

    def update(self, x, mask, action, chance, gain, value):
        """Takes a step against the gradient of PPO's loss; chance is that of action before."""
        outs, rows = forward(self.layers, x), np.arange(len(x))
        p = probabilities(outs[-1][:, :CODES], mask)
        ratio = p[rows, action] / chance
        bounded = np.where(gain > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
        logs = np.log(np.maximum(p, 1e-8))
        spread = -(p * logs).sum(1, keepdims=True)
        d = np.empty_like(outs[-1])
        pull = np.where(bounded, 0, -gain * ratio)[:, None]
        d[:, :CODES] = ENTROPY * p * (logs + spread) - pull * p
        d[rows, action] += pull[:, 0]
        d[:, CODES] = VALUE * (outs[-1][:, CODES] - value)
        d /= len(x)
        gradients = []
        for i in reversed(range(len(self.layers))):
            gradients.append((outs[i].T @ d, d.sum(0)))
            if i:
                d = (d @ self.layers[i][0].T) * (1 - outs[i] ** 2)
        self._adam(gradients[::-1])

    def _adam(self, gradients):
        self.steps += 1
        fix = self.rate * np.sqrt(1 - 0.999 ** self.steps) / (1 - 0.9 ** self.steps)
        for pair, grads, m in zip(self.layers, gradients, self.moments):
            for k in range(2):
                m[k] += 0.1 * (grads[k] - m[k])
                m[k + 2] += 0.001 * (grads[k] ** 2 - m[k + 2])
                pair[k][...] -= fix * m[k] / (np.sqrt(m[k + 2]) + 1e-8)


class TorchNetwork:
    """The same in PyTorch."""

    def __init__(self, sizes, rate, rng):
        import torch

        self.torch = torch
        torch.manual_seed(int(rng.integers(2**31)))
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        parts = []
        for a, b in zip(sizes, sizes[1:]):
            parts += [torch.nn.Linear(a, b), torch.nn.Tanh()]
        with torch.no_grad():
            parts[-2].weight.mul_(0.01)
            parts[-2].bias.zero_()
        self.net = torch.nn.Sequential(*parts[:-1]).to(self.device)
        self.adam = torch.optim.Adam(self.net.parameters(), rate)

    @property
    def layers(self):
        numbers = [p.detach().cpu().numpy() for p in self.net.parameters()]
        return [(w.T, b) for w, b in zip(numbers[::2], numbers[1::2])]

    def outputs(self, x):
        with self.torch.no_grad():
            return self.net(self.torch.as_tensor(x, device=self.device)).cpu().numpy()

    def update(self, *batch):
        torch = self.torch
        x, mask, action, chance, gain, value = (
            torch.as_tensor(a, device=self.device) for a in batch)
        out = self.net(x)
        logs = out[:, :CODES].masked_fill(mask == 0, -1e9).log_softmax(1)
        ratio = logs.gather(1, action[:, None])[:, 0].exp() / chance
        loss = -torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
        loss = loss + ENTROPY * (logs.exp() * logs).sum(1).mean()
        loss = loss + VALUE * ((out[:, CODES] - value) ** 2).mean() / 2
        self.adam.zero_grad()
        loss.backward()
        self.adam.step()


def advantages(rewards, values, ended, last):
    """Returns GAE of steps (T, ...); values are before the steps, last after them."""
    gains, gain = np.zeros_like(values), np.zeros_like(last)
    for t in reversed(range(len(values))):
        goes_on = 1 - ended[t]
        error = rewards[t] + GAMMA * goes_on * last - values[t]
        gain = error + GAMMA * LAMBDA * goes_on * gain
        gains[t], last = gain, values[t]
    return gains


class Trainer:
    """Plays matches side by side and trains a network by them."""

    def __init__(self, arrays, network, seed):
        self.a, self.rng = arrays, np.random.default_rng(seed)
        self.board = Board(arrays.about["about"]["cells"])
        self.seats = np.arange(arrays.seats)
        self.network = network([self.see().shape[-1]])
        arrays.seed[:] = self.rng.integers(0, 2**63, arrays.envs, "u8")
        arrays.begin()
        self.lead = np.zeros(arrays.reward.shape, "f4")

    def see(self):
        return self.board.features(self.a.cells, self.a.characters, self.seats)

    def play(self, steps):
        """Returns the arrays of steps: x, mask, action, chance, value, reward and ended."""
        a, log = self.a, []
        for _ in range(steps):
            x, mask = self.see(), a.mask.copy()
            out = self.network.outputs(x)
            p = probabilities(out[..., :CODES], mask)
            action = draw(p, self.rng)
            chance = np.take_along_axis(p, action[..., None], -1)[..., 0].astype("f4")
            a.actions[:] = action
            a.step()
            # a.reward is the lead in cells after this turn; this reward is how that changed
            reward = a.reward - self.lead
            self.lead[:] = a.reward
            ended = np.float32(a.over > 0)
            shape = action.shape
            log.append((x, mask, action, chance, out[..., CODES],
                        np.broadcast_to(reward[..., None], shape),
                        np.broadcast_to(ended[:, None, None], shape)))
            if ended.any():
                a.seed[:] = self.rng.integers(0, 2**63, a.envs, "u8")
                a.begin(a.over > 0)
                self.lead[ended > 0] = 0
        return [np.stack(parts) for parts in zip(*log)]

    def update(self, steps=32, epochs=3, batch=1024):
        """Plays steps and learns from them."""
        x, mask, action, chance, value, reward, ended = self.play(steps)
        gain = advantages(reward, value, ended, self.network.outputs(self.see())[..., CODES])
        chosen = mask.sum(-1).reshape(-1) > 1  # else there was no choice
        flat = [p.reshape((-1,) + p.shape[4:])[chosen]
                for p in (x, mask, action, chance, gain, gain + value)]
        flat[4] = (flat[4] - flat[4].mean()) / (flat[4].std() + 1e-6)
        for _ in range(epochs):
            order = self.rng.permutation(len(flat[0]))
            for k in range(0, len(order), batch):
                self.network.update(*(p[order[k:k + batch]] for p in flat))


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    p.add_argument("--map", default="lagoon")
    p.add_argument("--players", type=int)
    p.add_argument("--turns", type=int, default=100)
    p.add_argument("--envs", type=int, default=32, help="matches at once")
    p.add_argument("--updates", type=int, default=100)
    p.add_argument("--hidden", type=int, nargs="+", default=[64], help="sizes of hidden layers")
    p.add_argument("--rate", type=float, default=1e-3, help="of learning")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--torch", action="store_true", help="a network of PyTorch")
    p.add_argument("--out", default="policy.npz")
    o = p.parse_args()
    kind, rng = TorchNetwork if o.torch else Network, np.random.default_rng(o.seed)
    with Arrays(o.envs, map=o.map, players=o.players, turns=o.turns) as arrays:
        trainer = Trainer(arrays, lambda inputs: kind(
            inputs + o.hidden + [CODES + 1], o.rate, rng), o.seed)
        started = time.time()
        for n in range(1, o.updates + 1):
            trainer.update()
            if n % 10 == 0 or n == o.updates:
                save(trainer.network.layers, o.out)
                painted = arrays.counts.sum() / arrays.cells[..., 0].size
                print("update %d, %.0f s: %.0f %% of the cells are painted" % (
                    n, time.time() - started, 100 * painted), flush=True)


if __name__ == "__main__":
    main()
