// A uPlot that is as wide as its element. A click goes to the turn.

import { useLayoutEffect, useRef, type MutableRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Session } from "../core/session.ts";

/** What differs from plot to plot. */
export interface Plot {
  height(): number;
  options(): Omit<uPlot.Options, "width" | "height" | "legend" | "cursor">;
  data(): uPlot.AlignedData;
}

/** The plots by their elements. */
const plots = new WeakMap<Element, uPlot>();

/** Returns the turn at a share of the width of a plot's element; null: it is beside the axes. */
export function turnUnder(element: HTMLElement | null, share: number): number | null {
  const u = element && plots.get(element);
  if (!u) return null;
  const at = share * element.clientWidth - u.over.offsetLeft;
  return at < 0 || at > u.over.clientWidth ? null : u.posToIdx(at);
}

/**
 * Returns a ref for the element of a plot. The plot is created again when any of the
 * looks changes, and gets new data when any of the values does. Both happen in a
 * layout effect: later the match may have other seats than the plot has series.
 */
export function usePlot(
  session: Session,
  plot: Plot,
  looks: unknown[],
  values: unknown[],
): MutableRef<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const made = useRef<uPlot | null>(null);
  useLayoutEffect(() => {
    const element = place.current!;
    const u = (made.current = new uPlot(
      {
        ...plot.options(),
        width: element.clientWidth || 200,
        height: plot.height(),
        legend: { show: false },
        cursor: { points: { show: false }, y: false, drag: { x: false, y: false } },
      },
      plot.data(),
      element,
    ));
    plots.set(element, u);
    u.over.addEventListener("click", (e) => session.goTo(u.posToIdx(e.offsetX)));
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) u.setSize({ width: element.clientWidth, height: plot.height() });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      u.destroy();
      made.current = null;
    };
  }, looks);
  useLayoutEffect(() => made.current?.setData(plot.data()), values);
  return place;
}
