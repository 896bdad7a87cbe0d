// The panel of the analysis board, on which the viewer tries moves: a chunk.

import { useState } from "preact/hooks";
import { copy } from "../../core/clipboard.ts";
import { sentence } from "../../core/http.ts";
import type { Session } from "../../core/session.ts";
import { adopt } from "../../ui/lazy.tsx";
import { Symbol } from "./cards.tsx";
import { storyOf } from "./match.ts";
import { viewOf } from "./play.ts";
import { Trial } from "./trial.ts";
import { place, sideName, verdict } from "./words.ts";
import STYLES from "sheet:trial.css";

adopt(STYLES);

/** Tries moves from the position that is shown. */
export function begin(session: Session): void {
  const story = storyOf(session)!;
  const { pieces, toMove } = story.at(session.player.turn);
  session.player.playing = false;
  viewOf(session).explore(
    new Trial({
      pieces: story.pieces.slice(0, pieces),
      toMove,
      view: story.rules.view_distance,
      win: story.rules.win_distance,
    }),
  );
}

export function TrialPanel({ session }: { session: Session }) {
  const view = viewOf(session);
  const [text, setText] = useState("");
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState("");
  const { trial } = view;
  if (!trial) return null;
  const after = (what: string) => {
    setProblem(what);
    view.explore(trial);
  };
  const story = storyOf(session);
  const now = story?.at(session.player.turn).move ?? 0;
  const judged = view.analysis?.verdicts.get(now + 1);
  const judges = view.analysis?.judges != null && story !== null && now < story.last.move;
  const ask = async () => {
    setAsking(true);
    const found = await view.analysis!.line(now + 1).catch((e: Error) => sentence(e.message));
    setAsking(false);
    if (view.trial !== trial) return;
    if (typeof found === "string") return after(found);
    if (found.length === 0) return after("The judge shows no line.");
    trial.line = found;
    trial.follow(1);
    after("");
  };
  const better = judged ? (judged.best ? judged.pieces : judged.preferred) : [];
  return (
    <section class="trial" aria-label="Analysis board">
      <header class="section">
        <h2>Analysis board</h2>
        <button class="button" onClick={() => view.explore(null)}>
          Back to the game
        </button>
      </header>
      <p role="status">
        <Symbol
          theme={session.theme}
          side={trial.row.length > 0 ? trial.tried.at(-1)!.p : trial.side}
          size={18}
        />{" "}
        {trial.row.length > 0
          ? `${sideName(trial.tried.at(-1)!.p)} has won.`
          : `${sideName(trial.side)} places ${trial.left === 2 ? "two pieces" : "its second piece"}: click on the board.`}
      </p>
      {view.analysis?.judges && trial.row.length === 0 && (
        <p class="aside evaluation">
          {trial.evaluation === undefined ? (
            "The judge is thinking …"
          ) : trial.evaluation === null ? (
            "The judge has no evaluation of this position."
          ) : (
            <>
              The judge's evaluation after the last whole move: <b>{verdict(trial.evaluation)}</b>
            </>
          )}
        </p>
      )}
      {problem !== "" && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="acts">
        <button
          class="button"
          disabled={trial.tried.length === 0}
          onClick={() => {
            trial.back();
            after("");
          }}
        >
          Take a piece back
        </button>
        <button class="button" disabled={trial.tried.length === 0} onClick={() => begin(session)}>
          Start over
        </button>
        {better.length > 0 && trial.tried.length === 0 && (
          <button
            class="button"
            onClick={() => after(better.map((c) => trial.place(c)).find(Boolean) ?? "")}
          >
            Judge's move: {better.map(place).join("  ")}
          </button>
        )}
        <button
          class="button"
          disabled={trial.tried.length === 0}
          onClick={() => void copy(session, "Moves", trial.notation)}
        >
          Copy moves
        </button>
        {judges && (
          <button class="button" disabled={asking} onClick={() => void ask()}>
            {asking ? "The judge is thinking …" : "Judge's line"}
          </button>
        )}
      </p>
      {trial.line.length > 0 && (
        <JudgesLine
          session={session}
          trial={trial}
          go={(moves) => {
            trial.follow(moves);
            after("");
          }}
        />
      )}
      <form
        onSubmit={(e) => {
          e.preventDefault();
          after(trial.paste(text));
        }}
      >
        <label>
          A game in the notation
          <textarea
            rows={5}
            spellcheck={false}
            placeholder="1. [1,0][2,0];"
            value={text}
            onInput={(e) => setText(e.currentTarget.value)}
          />
        </label>
        <button class="button" disabled={text.trim() === ""}>
          Show this game
        </button>
      </form>
    </section>
  );
}

/** What the judge would play, to go through move by move. */
function JudgesLine({
  session,
  trial,
  go,
}: {
  session: Session;
  trial: Trial;
  go: (moves: number) => void;
}) {
  const { line, followed } = trial;
  return (
    <section class="judgesline" aria-label="Judge's line">
      <p class="acts">
        <button
          class="button"
          disabled={followed === 0}
          onClick={() => go(Math.max(0, followed - 1))}
        >
          Back
        </button>
        <button
          class="button first"
          disabled={followed >= line.length}
          onClick={() => go(Math.max(0, followed) + 1)}
        >
          Next move
        </button>
        <span class="aside">
          {followed < 0 ? "You have left the line." : `${followed} of ${line.length} moves`}
        </span>
      </p>
      <ol>
        {line.map((move, i) => (
          <li key={i}>
            <button
              class={i + 1 === followed ? "now" : ""}
              aria-current={i + 1 === followed ? "step" : undefined}
              onClick={() => go(i + 1)}
            >
              <Symbol theme={session.theme} side={trial.sideOf(i)} size={14} />{" "}
              {move.map(place).join("  ")}
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
