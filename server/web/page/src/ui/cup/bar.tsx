// Intervals as bars. All bars of a page have one scale, which contains 0.

import type { Comparison, Interval, Standings } from "../../core/cup.ts";
import { points } from "./words.ts";

/** The ends of a scale in Elo points. */
export interface Scale {
  low: number;
  high: number;
}

/** Returns the interval of a comparison. */
export function around({ elo, bound }: Comparison): Interval | undefined {
  if (!elo) return undefined;
  const { value, error = 0 } = elo;
  return {
    value,
    low: bound === "at most" ? undefined : value - error,
    high: bound === "at least" ? undefined : value + error,
  };
}

/** Returns the scale of all intervals of the standings. */
export function scaleOf({ bots, comparisons }: Standings): Scale {
  const all = [...bots.map((b) => b.elo), ...(comparisons ?? []).map(around)].flatMap((i) =>
    i ? [i.low, i.value, i.high] : [],
  );
  const ends = all.filter((end) => end !== undefined);
  return { low: Math.min(0, ...ends), high: Math.max(0, ...ends) };
}

/** The heading of a column of bars: the ends of the scale. */
export function BarHead({ scale }: { scale: Scale }) {
  return (
    <th scope="col" class="bars" aria-label="95 % interval as a bar">
      <span>{points(scale.low)}</span> <span>{points(scale.high)}</span>
    </th>
  );
}

/** A cell with a bar. What the bar says is beside it in figures. An open end is at the end of the scale. */
export function Bar({ scale, interval }: { scale: Scale; interval?: Interval | undefined }) {
  const at = (elo: number) =>
    `${(100 * Math.min(1, Math.max(0, (elo - scale.low) / (scale.high - scale.low || 1)))).toFixed(2)}%`;
  if (!interval) return <td class="bars" />;
  const { low = scale.low, high = scale.high } = interval;
  const open = interval.low === undefined || interval.high === undefined;
  return (
    <td class="bars">
      <div aria-hidden="true">
        <i class="zero" style={{ left: at(0) }} />
        <i
          class={open ? "range open" : "range"}
          style={{ left: at(low), right: `calc(100% - ${at(high)})` }}
        />
        <i class="at" style={{ left: at(interval.value) }} />
      </div>
    </td>
  );
}

/** Returns an interval in figures. */
export function between({ low, high }: Interval, bound?: string): string {
  if (bound) return bound === "at least" ? "or more" : "or less";
  if (low === undefined) return high === undefined ? "" : `${points(high)} or less`;
  return high === undefined ? `${points(low)} or more` : `${points(low)} to ${points(high)}`;
}
