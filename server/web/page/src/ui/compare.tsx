// Two positions side by side: two turns of a match, or the same turn of two recordings, which are scrubbed together.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import STYLES from "sheet:styles/compare.css";
import { fragmentOf, momentInAddress } from "../core/address.ts";
import { Beside } from "../core/beside.ts";
import { firstDifference } from "../core/difference.ts";
import { gameOf } from "../core/game.ts";
import type { DrawChanges } from "../core/gameview.ts";
import type { Page } from "../core/page.ts";
import { loadRecording } from "../core/source.ts";
import { Store } from "../core/store.ts";
import { number, signed } from "../core/text.ts";
import { Icon, type IconName } from "./icons.tsx";
import { adopt } from "./lazy.tsx";
import { shownIn, stepOf, turnName, turnNumber } from "../core/turns.ts";

adopt(STYLES);

/** The time between two turns that are played, in milliseconds. */
const INTERVAL = 200;
/** How long after the last step the address follows, in milliseconds: browsers limit how often it changes. */
const ADDRESS_AFTER = 400;

export function Compare({ session }: { session: Page }) {
  const other = useMemo(() => new URLSearchParams(location.search).get("with"), []);
  const [store, setStore] = useState<Store | null>(other === null ? session.store : null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (other === null) return;
    const loaded = new Store((start, answers) =>
      gameOf(session.games, start.rules, start.state).story(start, answers),
    );
    loadRecording(other, { events: (events) => events.forEach((e) => loaded.append(e)) }).then(
      () => (loaded.start ? setStore(loaded) : setProblem("The other recording is empty.")),
      (e: Error) => setProblem(e.message),
    );
  }, []);
  return (
    <main class="page compare" tabIndex={0}>
      <header>
        <h1>{other === null ? "Compare two turns" : "Compare two matches"}</h1>
        <button class="button" onClick={() => leave(session)}>
          Back to the match
        </button>
      </header>
      {problem ? (
        <p role="alert">{problem}</p>
      ) : store ? (
        <Both session={session} other={other} store={store} />
      ) : (
        <p>Loading …</p>
      )}
    </main>
  );
}

/** Shows the match alone. */
function leave(session: Page): void {
  if (session.recording !== null && !session.embedded) session.takeAddress();
  session.select("match");
}

function Both({ session, other, store }: { session: Page; other: string | null; store: Store }) {
  const one = session.store;
  const difference = useMemo(
    () => (other === null ? null : firstDifference(one, store)),
    [one.last, store.last],
  );
  const [pin, setPin] = useState(() => pinnedIn(location, session.player.turn));
  const [turn, setTurn] = useState(() => momentInAddress()?.turn ?? session.player.turn);
  const [playing, play] = useState(false);
  const [[a, b], setPanes] = useState<(Beside | null)[]>([null, null]);
  const last = Math.max(other === null ? 0 : one.last, store.last);
  const left = other === null ? pin : turn;
  const go = (to: number) => setTurn(Math.max(0, Math.min(last, to)));

  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(
      () =>
        setTurn((t) => {
          if (t >= last || t + 1 === difference) play(false);
          return Math.min(last, t + 1);
        }),
      INTERVAL,
    );
    return () => clearInterval(timer);
  }, [playing, last]);
  useEffect(() => {
    if (session.recording === null || session.embedded) return;
    const query = new URLSearchParams({
      recording: session.recording,
      ...(other === null ? { pin: String(shownIn(pin)) } : { with: other }),
    });
    const timer = setTimeout(
      () => history.replaceState(null, "", `?${query}#${fragmentOf({ turn, player: -1 })}`),
      ADDRESS_AFTER,
    );
    return () => clearTimeout(timer);
  }, [turn, pin]);
  useEffect(() => {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => setTurn((t) => Math.max(0, t - 1)),
      ArrowRight: () => setTurn((t) => Math.min(last, t + 1)),
      Home: () => go(0),
      End: () => go(last),
      Escape: () => leave(session),
      " ": () => play((p) => !p),
    };
    const press = (e: KeyboardEvent) => {
      const act = keys[e.key];
      if (!act || ((e.target as Element).closest("input, button, a") && e.key !== "Escape")) return;
      e.preventDefault();
      act();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [last]);
  useEffect(() => {
    a?.goTo(left);
    b?.goTo(turn);
  }, [a, b, left, turn]);
  const changes = useChanges(session, a, b, left, turn);

  return (
    <>
      <p class="aside" role="status">
        {inWords(session, other, difference, store)}
      </p>
      <div class="panes">
        <Pane
          session={session}
          store={one}
          recording={session.recording}
          title={title("A", other === null ? "" : session.recording!, one, left)}
          ready={(p) => setPanes(([, b]) => [p, b])}
        />
        <Pane
          session={session}
          store={store}
          recording={other}
          title={title("B", other ?? "", store, turn)}
          ready={(p) => setPanes(([a]) => [a, p])}
          over={changes.canvas}
        />
      </div>
      <div class="together">
        <div class="controls">
          <Act name="first" label="First turn" onClick={() => go(0)} />
          <Act name="back" label="Back one turn" onClick={() => go(turn - 1)} />
          <button
            class="play"
            aria-label={playing ? "Pause" : "Play"}
            onClick={() => play(!playing)}
          >
            <Icon name={playing ? "pause" : "play"} size={22} />
          </button>
          <Act name="on" label="Forward one turn" onClick={() => go(turn + 1)} />
          <span class="turn">
            <b>{turnNumber(turn)}</b> / {number(last)}
          </span>
          <span class="space" />
          {other === null && (
            <button class="button" onClick={() => setPin(turn)}>
              Keep {turnName(turn)} at the left
            </button>
          )}
          {difference !== null && (
            <button class="button" onClick={() => (play(false), go(difference))}>
              First difference: {turnName(difference)}
            </button>
          )}
        </div>
        <div class="tracks">
          {other !== null && <Band shown={a} last={last} />}
          <Band shown={b} last={last} />
          {difference !== null && (
            <i class="differs" style={{ left: `${(100 * difference) / Math.max(1, last)}%` }} />
          )}
          <i class="head" style={{ left: `${(100 * turn) / Math.max(1, last)}%` }} />
          <input
            type="range"
            min={0}
            max={last}
            value={turn}
            aria-label="Turn"
            aria-valuetext={`${turnNumber(turn)} of ${number(last)}`}
            onInput={(e) => go(Number(e.currentTarget.value))}
          />
        </div>
      </div>
      <Scores one={one} other={store} left={left} turn={turn} cells={changes.cells} />
    </>
  );
}

/** Returns the step of the board that an address keeps at the left, or another one. Old addresses have the step. */
function pinnedIn({ search, hash }: Location, step: number): number {
  const pin = new URLSearchParams(search).get("pin");
  if (pin === null) return step;
  return hash.startsWith("#t=") ? Number(pin) : stepOf(Number(pin));
}

function title(letter: string, name: string, store: Store, turn: number): string {
  return `${letter} · ${name ? `${name.replace(/\.hexarena$/, "")} · ` : ""}${turnName(Math.min(turn, store.last))}`;
}

/** Returns what the page compares, and where the difference is. */
function inWords(
  { store, game }: Page,
  other: string | null,
  difference: number | null,
  second: Store,
): string {
  if (other === null)
    return `A is a ${game.unit} that stays. Cells of B that had another owner in A are hatched in that owner's colour.`;
  if (difference === 0)
    return `The two matches begin differently${store.start!.seed === second.start!.seed ? "" : ": their seeds differ"}.`;
  return difference === null
    ? "Both matches are the same, turn by turn."
    : `Both are the same up to ${turnName(difference - 1)}. Cells of B that have another owner in A are hatched in that owner's colour.`;
}

function Act({ name, label, onClick }: { name: IconName; label: string; onClick: () => void }) {
  return (
    <button class="step" aria-label={label} title={label} onClick={onClick}>
      <Icon name={name} size={22} />
    </button>
  );
}

/** A board with its title. */
function Pane({
  session,
  store,
  recording,
  title,
  ready,
  over,
}: {
  session: Page;
  store: Store;
  recording: string | null;
  title: string;
  ready: (pane: Beside) => void;
  over?: { current: HTMLCanvasElement | null };
}) {
  const place = useRef<HTMLDivElement>(null);
  const pane = useRef<Beside | null>(null);
  useEffect(() => {
    const element = place.current!;
    const made = new Beside(session, session.games, store, recording, element);
    pane.current = made;
    const observer = new ResizeObserver(() =>
      made.board.resize(element.clientWidth, element.clientHeight, 0, 10),
    );
    observer.observe(element);
    let frame = requestAnimationFrame(function draw(now) {
      made.board.draw(now);
      frame = requestAnimationFrame(draw);
    });
    ready(made);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, []);
  useEffect(() => pane.current?.restyle(), [session.theme]);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <div class="place" ref={place} role="img" aria-label={title}>
        {over && <canvas class="over" ref={over} />}
      </div>
    </figure>
  );
}

/** Draws how B differs from A, and returns the cells that players have won and lost. */
function useChanges(session: Page, a: Beside | null, b: Beside | null, left: number, turn: number) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [draw, setDraw] = useState<{ it: DrawChanges } | null>(null);
  const [size, resized] = useState("");
  const [cells, setCells] = useState<ReturnType<DrawChanges>>([]);
  useEffect(() => {
    if (!b) return;
    void b.game.changes?.().then(
      (it) => setDraw({ it }),
      () => {},
    );
    const observer = new ResizeObserver(() =>
      requestAnimationFrame(() =>
        resized(`${canvas.current?.clientWidth} ${canvas.current?.clientHeight}`),
      ),
    );
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  }, [b]);
  useEffect(() => {
    const over = canvas.current;
    if (!a || !b || !draw || !over) return;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    [over.width, over.height] = [over.clientWidth * ratio, over.clientHeight * ratio];
    const c = over.getContext("2d")!;
    c.scale(ratio, ratio);
    setCells(
      draw.it(
        c,
        { session: b, turn: Math.min(turn, b.store.last) },
        { session: a, turn: Math.min(left, a.store.last) },
      ),
    );
  }, [a, b, draw, left, turn, size, session.theme]);
  return { canvas, cells };
}

/** The band of a match on the common timeline. */
function Band({ shown, last }: { shown: Beside | null; last: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(() => setWidth(canvas.current!.clientWidth));
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const c = canvas.current!.getContext("2d")!;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    const height = canvas.current!.clientHeight;
    [c.canvas.width, c.canvas.height] = [width * ratio, height * ratio];
    c.scale(ratio, ratio);
    if (shown && width > 0)
      shown.game.drawTrack(c, (turn) => (turn / Math.max(1, last)) * width, {
        top: 0,
        height,
        width,
      });
  }, [shown, width, last, shown?.store.last, shown?.theme]);
  return <canvas ref={canvas} aria-hidden="true" />;
}

/** The first measure of both, player by player, and the cells that are hatched. */
function Scores({
  one,
  other,
  left,
  turn,
  cells,
}: {
  one: Store;
  other: Store;
  left: number;
  turn: number;
  cells: ReturnType<DrawChanges>;
}) {
  const [first, second] = [one.story?.measures[0], other.story?.measures[0]];
  if (!first || !second) return null;
  const value = (series: typeof first.series, player: number, at: number, { last }: Store) =>
    series[player]?.[Math.min(at, last)] ?? null;
  return (
    <table>
      <caption class="unseen">{first.name} of both</caption>
      <thead>
        <tr>
          <th scope="col">{first.name}</th>
          <th scope="col">A</th>
          <th scope="col">B</th>
          <th scope="col">B − A</th>
          {cells.length > 0 && (
            <>
              <th scope="col">cells won</th>
              <th scope="col">cells lost</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {other.seats.map(({ nickname }, player) => {
          const [a, b] = [
            value(first.series, player, left, one),
            value(second.series, player, turn, other),
          ];
          const before = one.seats[player]?.nickname;
          return (
            <tr key={player}>
              <th scope="row">
                <bdi>{nickname}</bdi>
                {before !== undefined && before !== nickname && (
                  <>
                    {" "}
                    (A: <bdi>{before}</bdi>)
                  </>
                )}
              </th>
              <td>{a === null ? "" : number(a)}</td>
              <td>{b === null ? "" : number(b)}</td>
              <td>{a === null || b === null ? "" : signed(b - a)}</td>
              {cells.length > 0 && (
                <>
                  <td>{number(cells[player].won)}</td>
                  <td>{number(cells[player].lost)}</td>
                </>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
