// Measures the colours that must be distinguishable: OKLab distance × 100, in normal
// sight and under the three colour deficiencies at full strength.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DARK, LIGHT, type Theme } from "../src/core/theme.ts";

type RGB = [number, number, number];
type Matrix = [RGB, RGB, RGB];

const NORMAL: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB. */
const SIGHTS: Record<string, Matrix> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function linear(hex: string): RGB {
  return [1, 3, 5].map((i) => {
    const v = parseInt(hex.slice(i, i + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  }) as RGB;
}

function times(m: Matrix, v: RGB): RGB {
  return m.map((row) =>
    Math.max(0, Math.min(1, row[0] * v[0] + row[1] * v[1] + row[2] * v[2])),
  ) as RGB;
}

function oklab([r, g, b]: RGB): RGB {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function distance(a: string, b: string, sight: Matrix): number {
  const x = oklab(times(sight, linear(a)));
  const y = oklab(times(sight, linear(b)));
  return 100 * Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

function closest(colors: string[], sight: Matrix): number {
  return Math.min(
    ...colors.flatMap((a, i) => colors.slice(i + 1).map((b) => distance(a, b, sight))),
  );
}

function luminance(hex: string): number {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

function rounded(n: number): number {
  return Math.round(10 * n) / 10;
}

for (const theme of [DARK, LIGHT] as Theme[]) {
  const six = theme.players.slice(0, 6);
  const bodies = six.map((p) => p.body);
  const fills = [...six.map((p) => p.fill), theme.freeFill, theme.spectre.fill];

  test(`${theme.name}: bodies and fills differ in normal sight`, () => {
    assert.ok(closest(bodies, NORMAL) >= 16, `bodies: ${closest(bodies, NORMAL)}`);
    assert.ok(closest(fills, NORMAL) >= 11, `fills: ${closest(fills, NORMAL)}`);
  });

  for (const [name, sight] of Object.entries(SIGHTS)) {
    test(`${theme.name}: bodies and fills differ under ${name}`, () => {
      assert.ok(closest(bodies, sight) >= 10, `bodies: ${closest(bodies, sight)}`);
      assert.ok(closest(fills, sight) >= 6, `fills: ${closest(fills, sight)}`);
    });
  }

  test(`${theme.name}: lines stand out from the stage, ink from its body and from its strong fill`, () => {
    for (const p of theme.players) {
      assert.ok(
        rounded(contrast(p.line, theme.stage)) >= 4.2,
        `${p.line} on the stage: ${contrast(p.line, theme.stage)}`,
      );
      assert.ok(
        rounded(contrast(p.ink, p.body)) >= 4.3,
        `${p.ink} on ${p.body}: ${contrast(p.ink, p.body)}`,
      );
      assert.ok(
        contrast(p.ink, p.strong) >= 4.5,
        `${p.ink} on ${p.strong}: ${contrast(p.ink, p.strong)}`,
      );
    }
  });

  test(`${theme.name}: text can be read`, () => {
    for (const ground of [theme.panel, theme.stage, theme.raised]) {
      assert.ok(contrast(theme.text1, ground) >= 14);
      assert.ok(contrast(theme.text2, ground) >= 7);
      assert.ok(contrast(theme.text3, ground) >= 4.5);
      assert.ok(contrast(theme.warning, ground) >= 4.5);
    }
  });
}
