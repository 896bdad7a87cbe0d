// Intervals as bars. All bars of a page have one scale, which contains 0.

import type { Interval, Standings } from "../../core/cup.ts";
import { points } from "./words.ts";

/** The ends of a scale in Elo points. */
export interface Scale {
  low: number;
  high: number;
}

/** Returns the interval of an estimate. */
export function around({ value, error }: { value: number; error: number }): Interval {
  return { value, low: value - error, high: value + error };
}

/** Returns the scale of all intervals of the standings. */
export function scaleOf({ bots, comparisons }: Standings): Scale {
  const all = [...bots.flatMap((b) => (b.elo && !b.bound ? [b.elo] : [])), ...(comparisons ?? []).map((c) => around(c.elo))];
  return { low: Math.min(0, ...all.map((i) => i.low)), high: Math.max(0, ...all.map((i) => i.high)) };
}

/** The heading of a column of bars: the ends of the scale. */
export function BarHead({ scale }: { scale: Scale }) {
  return (
    <th scope="col" class="bars" aria-label="95 % interval as a bar">
      <span>{points(scale.low)}</span> <span>{points(scale.high)}</span>
    </th>
  );
}

/** A cell with a bar. What the bar says is beside it in figures. A bound has no interval. */
export function Bar({ scale, interval, bound }: { scale: Scale; interval?: Interval | undefined; bound?: string | undefined }) {
  const at = (elo: number) => `${(100 * Math.min(1, Math.max(0, (elo - scale.low) / (scale.high - scale.low || 1)))).toFixed(2)}%`;
  if (!interval) return <td class="bars" />;
  const low = bound === "at most" ? scale.low : interval.low;
  const high = bound === "at least" ? scale.high : interval.high;
  return (
    <td class="bars">
      <div aria-hidden="true">
        <i class="zero" style={{ left: at(0) }} />
        <i class={bound ? "range open" : "range"} style={{ left: at(low), right: `calc(100% - ${at(high)})` }} />
        <i class="at" style={{ left: at(interval.value) }} />
      </div>
    </td>
  );
}

/** Returns an interval in figures. */
export function between({ low, high }: Interval, bound?: string): string {
  if (bound) return bound === "at least" ? "or more" : "or less";
  return `${points(low)} to ${points(high)}`;
}
