// How far a cup is, and what its test has found.

import type { Scoreboard } from "../../core/cup.ts";
import { count, number, percent, visible } from "../../core/text.ts";
import { decimal, duration, minus } from "./words.ts";

export function Progress({ board, live }: { board: Scoreboard; live: boolean }) {
  const { expected, over, rate, standings } = board;
  const { matches, blocks, test } = standings;
  const forecast = expected === 0 && !over ? test?.left : undefined;
  let left = expected > matches ? `, ${duration((expected - matches) / rate)} left` : "";
  if (forecast && rate > 0) {
    left = `, ${duration(forecast.least / rate)} to ${duration(forecast.most / rate)} left with a probability of ${percent(forecast.probability)}`;
  }
  return (
    <section class="progress" aria-label="Progress">
      <p>
        <strong>{number(matches)}</strong>
        {!over && expected > 0 && <> of {number(expected)}</>}{" "}
        {matches === 1 && (over || expected === 0) ? "match" : "matches"}
        <span class="aside">
          {" "}
          {count(blocks, "whole block")}
          {live && `, ${rate < 10 ? rate.toFixed(1) : number(rate)} a second${left}`}
        </span>
      </p>
      {!over && expected > 0 && (
        <Meter
          label="Matches"
          at={matches / expected}
          text={`${number(matches)} of ${number(expected)}, ${percent(matches / expected)}`}
        />
      )}
      {standings.answer && (
        <p class="answer">
          <strong>{visible(minus(standings.answer))}</strong>
        </p>
      )}
      {test && (
        <>
          <p class="test">
            <span class="aside">
              Test of normalised Elo {test.normalised_elo0} against {test.normalised_elo1}:
              log-likelihood ratio {decimal(test.log_ratio)}, of {decimal(test.lower)} (not better)
              to {decimal(test.upper)} (better)
            </span>
          </p>
          <Meter
            label="Test"
            at={(test.log_ratio - test.lower) / (test.upper - test.lower)}
            text={`${decimal(test.log_ratio)} of ${decimal(test.lower)} to ${decimal(test.upper)}`}
            point
          />
        </>
      )}
    </section>
  );
}

/** A bar that is filled up to a share, or has a point there. */
function Meter({
  label,
  at,
  text,
  point = false,
}: {
  label: string;
  at: number;
  text: string;
  point?: boolean;
}) {
  const share = `${(100 * Math.min(1, Math.max(0, at))).toFixed(2)}%`;
  return (
    <div
      class={point ? "meter point" : "meter"}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(parseFloat(share))}
      aria-valuetext={text}
    >
      <i style={point ? { left: share } : { width: share }} />
    </div>
  );
}
