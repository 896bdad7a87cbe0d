// The panel beside the board: cards, evaluation, moves.

import { useState } from "preact/hooks";
import { copy } from "../../core/clipboard.ts";
import type { Session } from "../../core/session.ts";
import { lazy } from "../../ui/lazy.tsx";
import { useRoving } from "../../ui/roving.ts";
import { useShowNow } from "../../ui/shownow.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { AnalysisPanel } from "./analysispanel.tsx";
import { Cards, Symbol } from "./cards.tsx";
import { EvaluationChart } from "./chart.tsx";
import { storyOf } from "./match.ts";
import { MoveControls } from "./movecontrols.tsx";
import { notationOf } from "./notation.ts";
import { nameOf, playsHere, viewOf } from "./play.ts";
import { Review } from "./review.tsx";
import { slotOfSide } from "./stones.ts";
import type { GameStory, Position } from "./story.ts";
import { coordOf } from "./viewport.ts";
import { place, reasonText, verdict } from "./words.ts";

const TrialPanel = lazy(() => import("./trialpanel.tsx").then((m) => m.TrialPanel));

/** Opens the analysis board, where the viewer tries moves. */
function TryMoves({ session }: { session: Session }) {
  const begin = () =>
    void import("./trialpanel.tsx").then(
      (m) => m.begin(session),
      () => session.say("The analysis board could not be loaded: the connection is lost."),
    );
  return (
    <p class="encore">
      <button class="button" onClick={begin}>
        Try moves from here
      </button>
    </p>
  );
}

export function Panel({ session }: { session: Session }) {
  const { analysed, trial } = viewOf(session);
  if (trial) return <TrialPanel session={session} />;
  if (analysed)
    return (
      <>
        <AnalysisPanel session={session} analysis={analysed} />
        <TryMoves session={session} />
      </>
    );
  return (
    <>
      <Cards session={session} />
      {!playsHere(session) && <EvaluationChart session={session} />}
      {!playsHere(session) && <ConsideredMoves session={session} />}
      <Moves session={session} />
      <Review session={session} />
      {!playsHere(session) && <TryMoves session={session} />}
    </>
  );
}

/** The number of considered moves in the list. */
const SHOWN = 4;

function ConsideredMoves({ session }: { session: Session }) {
  const p = storyOf(session)?.at(session.player.turn);
  if (!p || p.considered.length === 0) return null;
  const side = p.previous.at(-1)?.side ?? "x";
  const good = (v: number) => (1 + (side === "x" ? v : -v)) / 2;
  const { line } = session.theme.players[slotOfSide(side)];
  return (
    <section class="considered" aria-label={`Considered at move ${p.move}`}>
      <header class="section">
        <h2>Considered at move {p.move}</h2>
        <button
          class="aside"
          aria-pressed={session.overlaid}
          onClick={() => session.toggleOverlay()}
        >
          on the board: G
        </button>
      </header>
      <ol>
        {p.considered.slice(0, SHOWN).map((c, i) => (
          <li key={i} style={{ "--line": line }}>
            <span>{i + 1}</span>
            <b>{c.pieces.map(place).join("  ")}</b>
            <div class="bar">
              <i style={{ transform: `scaleX(${c.evaluation ? good(c.evaluation.value) : 0})` }} />
            </div>
            <span>{verdict(c.evaluation)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** All moves, two per line, or the game in its notation. */
function Moves({ session }: { session: Session }) {
  const story = storyOf(session)!;
  const [as, show] = useState<"list" | "notation">("list");
  const { turn } = session.player;
  const list = useShowNow([turn, as]);
  const roving = useRoving(list);
  const pointed = session.cell < 0 ? -1 : story.placedIn(coordOf(session.cell));
  const lines: number[][] = [];
  for (let t = story.first + 1; t < story.positions.length; t++) {
    const { move } = story.positions[t];
    if (move === story.positions[t - 1].move) continue;
    const i = Math.ceil(move / 2) - 1;
    (lines[i] ??= []).push(t);
  }
  return (
    <section class="events moves" aria-label="Moves">
      <header class="section">
        <h2>Moves</h2>
        <Tabs
          label="How moves are shown"
          options={
            [
              ["list", "List"],
              ["notation", "Notation"],
            ] as const
          }
          value={as}
          onSelect={show}
        />
      </header>
      {as === "notation" ? (
        <Notation session={session} story={story} />
      ) : (
        <ol ref={list} {...roving} aria-label="Moves">
          {lines.length === 0 && <li class="none">No move yet.</li>}
          {lines.map((turns, i) => (
            <li key={i}>
              <span class="turn">{i + 1}</span>
              {turns.map((t) => (
                <MoveButton
                  key={t}
                  session={session}
                  position={story.positions[t]}
                  turn={t}
                  now={t === turn}
                  pointed={t === pointed}
                />
              ))}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

interface MoveButtonProps {
  session: Session;
  position: Position;
  turn: number;
  /** The move is shown. */
  now: boolean;
  /** The viewer points at one of its pieces on the board. */
  pointed: boolean;
}

/** A move leads to its turn, and is outlined on the board while the viewer points at it. */
function MoveButton({ session, position, turn, now, pointed }: MoveButtonProps) {
  const move = position.previous.at(-1)!;
  const { board } = viewOf(session);
  const point = () => board.outline(move.pieces);
  const leave = () => board.outline([]);
  const event = playsHere(session)
    ? undefined
    : session.store.story?.events.find((e) => e.turn === turn && e.kind === "swing");
  return (
    <button
      class={`${now ? "now" : ""} ${pointed ? "pointed" : ""}`}
      onPointerEnter={point}
      onPointerLeave={leave}
      onFocus={point}
      onBlur={leave}
      aria-current={now ? "step" : undefined}
      title={event ? `${nameOf(session, event.player)} ${event.what}: ${event.detail}` : undefined}
      onClick={() => session.goTo(turn)}
    >
      <Symbol theme={session.theme} side={move.side} size={14} />
      {move.pieces.map((p, i) => (
        <span key={i}>{place(p)}</span>
      ))}
      {event && (
        <i class="jump" style={{ color: session.theme.players[event.player].line }}>
          ▴
        </i>
      )}
    </button>
  );
}

function Notation({ session, story }: { session: Session; story: GameStory }) {
  const text = notationOf(story, [nameOf(session, 0), nameOf(session, 1)]);
  return (
    <>
      <pre tabIndex={0} aria-label="The game in its notation">
        {text}
      </pre>
      <p class="copy">
        <button class="button" onClick={() => void copy(session, "Notation", text)}>
          Copy notation
        </button>
      </p>
    </>
  );
}

/** On the stage: how the game ended, and the controls of the player in this page. */
export function Above({ session }: { session: Session }) {
  const story = storyOf(session);
  const view = viewOf(session);
  const p = story?.at(session.player.turn);
  return (
    <>
      {p && p.status !== "in_progress" && (
        <p class="verdict pill">
          {p.row.length > 0 ? "row complete" : reasonText(p.reason)} · move {p.move}
        </p>
      )}
      {view.seat && <MoveControls session={session} seat={view.seat} />}
    </>
  );
}
