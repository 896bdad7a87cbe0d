// The tab Analysis: the choice of the judge, its verdict on the current move, and the
// list of mistakes.

import { useState } from "preact/hooks";
import type { Session } from "../../core/session.ts";
import { count } from "../../core/text.ts";
import { Icon } from "../../ui/icons.tsx";
import { useRoving } from "../../ui/roving.ts";
import { useShowNow } from "../../ui/shownow.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { type Analysis, ELSEWHERE, type Verdict } from "./analysis.ts";
import { Symbol } from "./cards.tsx";
import { EvaluationChart } from "./chart.tsx";
import { storyOf } from "./match.ts";
import { nameOf } from "./play.ts";
import { type GameStory, SIDES } from "./story.ts";
import { place, sideName, verdict } from "./words.ts";

export function AnalysisPanel({ session, analysis }: { session: Session; analysis: Analysis }) {
  const story = storyOf(session);
  if (!story) return null;
  return (
    <>
      <JudgeForm session={session} analysis={analysis} total={story.last.move} />
      <EvaluationChart session={session} />
      <ShownMove session={session} analysis={analysis} story={story} />
      <Findings session={session} analysis={analysis} story={story} />
    </>
  );
}

/** The choice of the judge, and the progress of the analysis. */
function JudgeForm({
  session,
  analysis,
  total,
}: {
  session: Session;
  analysis: Analysis;
  total: number;
}) {
  const set = (change: Partial<Analysis>) => {
    Object.assign(analysis, change);
    session.changed(true);
  };
  const { running, verdicts, problem } = analysis;
  return (
    <section class="order" aria-label="Analysis">
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (running) analysis.stop();
          else void analysis.run();
        }}
      >
        <select
          aria-label="Judge"
          disabled={running}
          value={analysis.chosen}
          onChange={(e) => set({ chosen: e.currentTarget.value })}
        >
          {analysis.judges?.map((name) => (
            <option key={name} value={name}>
              Judge: {name}
            </option>
          ))}
          <option value={ELSEWHERE}>Judge: a bot at an address</option>
        </select>
        <button class={`button ${running ? "" : "first"}`} type="submit">
          <Icon name={running ? "close" : "play"} size={18} /> {running ? "Stop" : "Analyse"}
        </button>
        {analysis.chosen === ELSEWHERE && (
          <input
            type="text"
            inputMode="url"
            spellcheck={false}
            required
            aria-label="Address of the judge"
            disabled={running}
            value={analysis.address}
            onInput={(e) => set({ address: e.currentTarget.value })}
          />
        )}
        <p class="aside">
          <label>
            <input
              type="checkbox"
              checked={analysis.threats}
              disabled={running}
              onChange={(e) => set({ threats: e.currentTarget.checked })}
            />{" "}
            Report threats, too
          </label>
          <span role="status">{progressText(analysis, total)}</span>
        </p>
      </form>
      {running && <progress aria-label="Moves judged" value={verdicts.size} max={total} />}
      {problem !== "" && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

/** Does not change during the analysis, so that screen readers speak it once. */
function progressText({ running, verdicts, blunders, mistakes }: Analysis, total: number): string {
  if (running) return "The judge is thinking.";
  if (verdicts.size === 0) return "";
  const far =
    verdicts.size === total ? count(total, "move") : `${verdicts.size} of ${count(total, "move")}`;
  return `${far} judged, ${count(blunders.length, "blunder")}, ${count(mistakes.length - blunders.length, "smaller mistake")}`;
}

/** The verdict on the current move. */
function ShownMove({
  session,
  analysis,
  story,
}: {
  session: Session;
  analysis: Analysis;
  story: GameStory;
}) {
  const { move } = story.at(session.player.turn);
  const v = analysis.verdicts.get(move);
  if (analysis.verdicts.size === 0) return null;
  return (
    <section class="shownmove" aria-label="Current move">
      <header class="section">
        <h2>{move === 0 ? "Before the first move" : `Move ${move}`}</h2>
        {v && <Badge of={v} />}
      </header>
      {!v ? (
        <p class="aside">
          {move === 0 ? "Choose a move below, or go on with →." : "This move has not been judged."}
        </p>
      ) : (
        <dl>
          <div>
            <dt>Played</dt>
            <dd>
              <Symbol theme={session.theme} side={v.side} size={14} /> <b>{cells(v.pieces)}</b>
              <span>{nameOf(session, SIDES.indexOf(v.side))}</span>
            </dd>
          </div>
          <div>
            <dt>Evaluation</dt>
            <dd>
              {longText(v.before)} <span>→</span> <b>{longText(v.after)}</b>
            </dd>
          </div>
          {v.missed.length > 0 && (
            <div>
              <dt>! Won at once</dt>
              <dd>
                <b>{cells(v.missed)}</b>
              </dd>
            </div>
          )}
          {v.preferred.length > 0 && (
            <div>
              <dt>★ Judge plays</dt>
              <dd>
                <b>{cells(v.preferred)}</b>
                <span>{v.instead && `then ${longText(v.instead)}`}</span>
              </dd>
            </div>
          )}
          {v.note !== "" && (
            <div>
              <dt>Note</dt>
              <dd>{noteText(v.note)}</dd>
            </div>
          )}
        </dl>
      )}
    </section>
  );
}

function Badge({ of: v }: { of: Verdict }) {
  if (v.mark !== "")
    return (
      <span class="badge">
        {v.mark} {MARKS[v.mark]}
      </span>
    );
  return v.best ? <span class="badge dim">★ the judge plays it, too</span> : null;
}

const MARKS = { "??": "blunder", "?": "mistake", "?!": "inaccuracy" } as const;

type List = "mistakes" | "all" | "judge";

/** The mistakes, all moves, or the capabilities of the judge. */
function Findings({
  session,
  analysis,
  story,
}: {
  session: Session;
  analysis: Analysis;
  story: GameStory;
}) {
  const [chosen, show] = useState<List>("mistakes");
  const { judge, mistakes, verdicts, running } = analysis;
  const now = story.at(session.player.turn).move;
  const list = useShowNow([now, chosen]);
  const roving = useRoving(list);
  if (!judge)
    return (
      <p class="quiet aside">
        A bot goes through the game. For each move it gives its evaluation before and after it, and
        the move that it would have played.
      </p>
    );
  const options = [
    ["mistakes", `Mistakes ${mistakes.length}`],
    ["all", "All moves"],
    ["judge", "Judge"],
  ] as const;
  const shown = chosen === "all" ? [...verdicts.values()] : mistakes;
  return (
    <section class="events findings" aria-label="Findings">
      <header class="section">
        <Tabs label="What is listed" options={options} value={chosen} onSelect={show} />
        <span class="aside keyboard">J K next, previous mistake</span>
      </header>
      {chosen === "judge" ? (
        <Capabilities analysis={analysis} />
      ) : (
        <ol ref={list} {...roving} aria-label={chosen === "all" ? "Judged moves" : "Mistakes"}>
          {shown.length === 0 && <li class="none">{running ? "None so far." : "None."}</li>}
          {shown.map((v) => (
            <li key={v.move}>
              <button
                class={v.move === now ? "now" : ""}
                aria-current={v.move === now ? "step" : undefined}
                onClick={() => session.goTo(story.turnOf(v.move))}
              >
                <span class="turn">{v.move}</span>
                <Symbol theme={session.theme} side={v.side} size={14} />
                <span>{cells(v.pieces)}</span>
                <span class="from">
                  {shortText(v.before)} → {shortText(v.after)}
                </span>
                <span class="line">
                  {v.mark !== "" ? <b class="mark">{v.mark}</b> : v.best ? "★" : ""}{" "}
                  {noteText(v.note)}
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Capabilities({ analysis }: { analysis: Analysis }) {
  const { judge } = analysis;
  if (!judge) return null;
  return (
    <div class="capabilities" tabIndex={0} role="region" aria-label="What the judge can do">
      <p>
        <b>{judge.name}</b>{" "}
        <span class="aside">
          {judge.stateless ? "asked over HTTP, without a session" : "asked over a WebSocket"}
        </span>
      </p>
      {[true, false].map((declared) => {
        const features = judge.features.filter((f) => f.declared === declared);
        return (
          features.length > 0 && (
            <div key={String(declared)}>
              <h3>
                {declared
                  ? "What it can do, and how that is used"
                  : "What it lacks, and what is done instead"}
              </h3>
              <dl>
                {features.map((f) => (
                  <div key={f.name}>
                    <dt>{f.name}</dt>
                    <dd>{f.effect}</dd>
                  </div>
                ))}
              </dl>
            </div>
          )
        );
      })}
    </div>
  );
}

function cells(list: Verdict["pieces"]): string {
  return list.map(place).join("  ");
}

/** Returns an evaluation with the name of the side that wins. */
function longText(e: Verdict["after"]): string {
  if (!e) return "unknown";
  if (e.winIn === 0) return verdict(e);
  return `${sideName(e.winIn > 0 ? "x" : "o")} wins in ${Math.abs(e.winIn)}`;
}

/** Returns the same for a line of a list. */
function shortText(e: Verdict["after"]): string {
  if (!e) return "?";
  return e.winIn === 0 ? verdict(e) : `${e.winIn > 0 ? "x" : "o"} in ${Math.abs(e.winIn)}`;
}

/** Returns a note of the server with cells as the page writes them. */
function noteText(note: string): string {
  return note
    .replace(/\[(-?\d+),(-?\d+)\]/g, (_, q, r) => `${place({ q: Number(q), r: Number(r) })} `)
    .replace(/ +(;|$)/g, "$1");
}
