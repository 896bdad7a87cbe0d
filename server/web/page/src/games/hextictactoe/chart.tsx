// The evaluation over the game: above the line, cross is better.

import type { Session } from "../../core/session.ts";
import { fade } from "../../core/theme.ts";
import type { Analysis } from "./analysis.ts";
import { storyOf } from "./match.ts";
import { viewOf } from "./play.ts";
import { slotOfSide } from "./stones.ts";
import type { GameStory } from "./story.ts";

/** Height of the plane in its units, and the least number of turns on it. */
const HEIGHT = 100;
const LEAST_TURNS = 10;

/** The plane of the curves: percentages of the width by turn, units of the height by value. */
class Plane {
  constructor(
    readonly first: number,
    readonly last: number,
    readonly span: number,
  ) {}

  x(turn: number): number {
    return (100 * (turn - this.first)) / this.span;
  }

  point(turn: number, value: number): string {
    return `${this.x(turn).toFixed(2)} ${((HEIGHT / 2) * (1 - value)).toFixed(2)}`;
  }
}

export function EvaluationChart({ session }: { session: Session }) {
  const story = storyOf(session);
  if (!story) return null;
  const { analysis, analysed } = viewOf(session);
  const { turn } = session.player;
  const { first } = story;
  // The analysis shows the whole game.
  const last = analysed ? story.positions.length - 1 : Math.max(first, turn);
  const plane = new Plane(first, last, Math.max(LEAST_TURNS, last - first));
  const said = story.positions.some((p) => p.evaluation);
  const shown = story.positions.slice(first, last + 1);
  const { span } = plane;
  const step = span <= 12 ? 2 : span <= 30 ? 5 : span <= 80 ? 10 : 50;
  const click = (e: MouseEvent) => {
    const box = (e.currentTarget as Element).getBoundingClientRect();
    session.goTo(
      Math.min(session.store.last, first + Math.round(((e.clientX - box.left) / box.width) * span)),
    );
  };
  const left = (share: number) => ({ left: `calc(40px + (100% - 60px) * ${share / 100})` });
  return (
    <section class="chart evaluation" aria-label="Evaluation by move">
      <header class="section">
        <h2>Evaluation</h2>
        {analysis?.judge ? (
          <span class="aside">
            <i class="dashes" /> {analysis.judge.name}, the judge
          </span>
        ) : (
          <span class="aside">
            {said ? "a line for each bot; above 0: cross" : "the bots sent none"}
          </span>
        )}
      </header>
      <div class="graph">
        <span class="y top">+1</span>
        <span class="y">0</span>
        <span class="y low">−1</span>
        <svg
          viewBox={`0 0 100 ${HEIGHT}`}
          preserveAspectRatio="none"
          onClick={click}
          aria-hidden="true"
        >
          <path class="grid" d={`M0 0H100M0 ${HEIGHT / 2}H100M0 ${HEIGHT}H100`} />
          {(["x", "o"] as const).map((side) => {
            const { line } = session.theme.players[slotOfSide(side)];
            const points = shown
              .map((p, i) => plane.point(first + i, p.said[side]?.value ?? 0))
              .join("L");
            const area = `M0 ${HEIGHT / 2}L${points}L${plane.x(last).toFixed(2)} ${HEIGHT / 2}Z`;
            return (
              shown.some((p) => p.said[side]) && (
                <g key={side}>
                  <path d={area} fill={fade(line, 0.2)} />
                  <path class="curve" d={`M${points}`} stroke={line} />
                </g>
              )
            );
          })}
          {analysed && (
            <path
              class="playhead-line"
              d={`M${plane.x(Math.max(first, turn)).toFixed(2)} 0V${HEIGHT}`}
            />
          )}
          {analysis && <path class="curve judge" d={judged(analysis, story, plane)} />}
        </svg>
        {analysed?.mistakes.map((v) => (
          <i key={v.move} class="blunder" style={left(plane.x(story.turnOf(v.move)))}>
            {v.mark}
          </i>
        ))}
        {Array.from({ length: Math.floor(span / step) + 1 }, (_, i) => (
          <span key={i} class="x" style={left((100 * i * step) / span)}>
            {i * step}
          </span>
        ))}
      </div>
    </section>
  );
}

/** Returns the judge's curve, with gaps where it gave no evaluation. */
function judged(analysis: Analysis, story: GameStory, plane: Plane): string {
  let path = "";
  let pen = "M";
  for (let turn = plane.first; turn <= plane.last; turn++) {
    const e = analysis.after(story.positions[turn].move);
    if (e) path += pen + plane.point(turn, e.value);
    pen = e ? "L" : "M";
  }
  return path;
}
