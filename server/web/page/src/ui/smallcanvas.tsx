// The canvas of a small board, in the units of the plane.

import { useEffect, useRef } from "preact/hooks";
import type { Bounds } from "../core/grid.ts";

interface SmallCanvasProps {
  /** In pixels. */
  width: number;
  height: number;
  /** What fits into it; null: it stays empty. */
  bounds: Bounds | null;
  /** It is drawn again when one of them changes, or the size. */
  keys: readonly unknown[];
  /** pixel is the length of a pixel of the page in units. */
  draw: (c: CanvasRenderingContext2D, pixel: number) => void;
}

export function SmallCanvas({ width, height, bounds, keys, draw }: SmallCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = canvas;
    if (!current || !bounds) return;
    const { left, right, top, bottom } = bounds;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    current.width = Math.round(width * ratio);
    current.height = Math.round(height * ratio);
    const c = current.getContext("2d")!;
    const scale = Math.min(width / (right - left), height / (bottom - top)) * ratio;
    c.setTransform(
      scale,
      0,
      0,
      scale,
      (current.width - (left + right) * scale) / 2,
      (current.height - (top + bottom) * scale) / 2,
    );
    draw(c, ratio / scale);
  }, [...keys, width, height]);
  return (
    <canvas
      ref={canvas}
      class="small"
      style={{ width: `${width}px`, height: `${height}px` }}
      aria-hidden="true"
    />
  );
}
