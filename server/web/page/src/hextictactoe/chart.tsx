// The evaluation over the game. Above the line cross is better.

import type { Session } from "../session.ts";
import { fade } from "../theme.ts";
import { storyOf } from "./game.tsx";
import { slotOfSide } from "./stones.ts";

const HEIGHT = 100;
const LEAST_TURNS = 10;

export function EvaluationChart({ session }: { session: Session }) {
  const story = storyOf(session);
  if (!story) return null;
  const { turn } = session.player;
  const first = story.first;
  const values = story.positions.slice(first, Math.max(first, turn) + 1).map((p) => p.evaluation?.value ?? 0);
  const span = Math.max(LEAST_TURNS, values.length - 1);
  const said = story.positions.some((p) => p.evaluation);
  const points = values.map((v, i) => `${((100 * i) / span).toFixed(2)} ${((HEIGHT / 2) * (1 - v)).toFixed(2)}`);
  const end = (100 * Math.max(0, values.length - 1)) / span;
  const area = `M0 ${HEIGHT / 2}L${points.join("L")}L${end.toFixed(2)} ${HEIGHT / 2}Z`;
  const step = span <= 12 ? 2 : span <= 30 ? 5 : span <= 80 ? 10 : 50;
  const click = (e: MouseEvent) => {
    const box = (e.currentTarget as Element).getBoundingClientRect();
    session.goTo(Math.min(session.store.last, first + Math.round(((e.clientX - box.left) / box.width) * span)));
  };
  return (
    <section class="chart evaluation" aria-label="Evaluation by move">
      <header class="section"><h2>Evaluation</h2><span class="aside">{said ? "from the bots; above the line: cross" : "the bots have said none"}</span></header>
      <div class="graph">
        <span class="y top">+1</span><span class="y">0</span><span class="y low">−1</span>
        <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" onClick={click} aria-hidden="true">
          <path class="grid" d={`M0 0H100M0 ${HEIGHT / 2}H100M0 ${HEIGHT}H100`} />
          {(["x", "o"] as const).map((side) => {
            const { line } = session.theme.players[slotOfSide(side)];
            const y = side === "x" ? 0 : HEIGHT / 2;
            return (
              <svg key={side} x="0" y={y} width="100" height={HEIGHT / 2} viewBox={`0 ${y} 100 ${HEIGHT / 2}`} preserveAspectRatio="none">
                <path d={area} fill={fade(line, 0.35)} />
                <path class="curve" d={`M${points.join("L")}`} stroke={line} />
              </svg>
            );
          })}
        </svg>
        {Array.from({ length: Math.floor(span / step) + 1 }, (_, i) => (
          <span key={i} class="x" style={{ left: `calc(40px + (100% - 60px) * ${(i * step) / span})` }}>{i * step}</span>
        ))}
      </div>
    </section>
  );
}
