// A sign with what it means, drawn as on the board or the timeline.

import { useEffect, useRef } from "preact/hooks";
import type { Theme } from "../core/theme.ts";

const SIZE = 52;

/** draw gets a canvas in CSS pixels, and its width. */
export function Sign({
  means,
  theme,
  draw,
}: {
  means: string;
  theme: Theme;
  draw: (c: CanvasRenderingContext2D, size: number) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const c = canvas.current!.getContext("2d")!;
    canvas.current!.width = canvas.current!.height = Math.round(SIZE * ratio);
    c.scale(ratio, ratio);
    draw(c, SIZE);
  }, [theme]);
  return (
    <li>
      <canvas ref={canvas} style={{ width: `${SIZE}px`, height: `${SIZE}px` }} aria-hidden="true" />
      <span>{means}</span>
    </li>
  );
}
