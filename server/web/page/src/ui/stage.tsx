// The stage: the board, with what lies beside it and on it.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isBeyond } from "../core/board.ts";
import type { Page } from "../core/page.ts";
import { fit, listenToPointers, zoom } from "./gestures.ts";
import { Held } from "./held.tsx";
import { Icon } from "./icons.tsx";
import { IncompleteBanner } from "./incomplete.tsx";
import { lazy } from "./lazy.tsx";
import { PHONE } from "./sheet.ts";
import { Tooltip } from "./tooltip.tsx";
import { turnName } from "../core/turns.ts";

const Winner = lazy(() => import("./winner.tsx").then((m) => m.Winner));

const Minimap = lazy(() => import("./minimap.tsx").then((m) => m.Minimap));
const Centre = lazy(() => import("./centre.tsx").then((m) => m.Centre));

/** Width of the rail with its margins; on a phone it lies below the board. */
const RAIL = 92;
const PHONE_RAIL = 34;
const PHONE_PADDING = 10;
const ZOOM = 1.4;
/** Height of what a projector shows above the board, as a share of the window; see .corner in projector.css. */
const CORNER = 0.135;

interface StageProps {
  session: Page;
  /** The stage is the main part of the page. */
  main: boolean;
  /** Another page lies over the stage. */
  inert: boolean;
  /** What only screen readers see. */
  children: ComponentChildren;
}

export function Stage({ session, main, inert, children }: StageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [covered, cover] = useState(0);
  const { board, store } = session;
  const { Rail, Above } = session.game.parts;
  useEffect(() => {
    const element = stage.current!;
    element.prepend(board.element);
    listenToPointers(session);
  }, []);
  const railed = store.start !== null && Rail !== undefined && !session.projector;
  useEffect(() => {
    const observer = new ResizeObserver(([{ target }]) => {
      const { clientWidth: width, clientHeight: height } = target;
      if (matchMedia(PHONE).matches)
        session.resize(width, height - (railed ? PHONE_RAIL : 0), 0, PHONE_PADDING, covered);
      else if (session.projector)
        session.resize(width, height, 0, undefined, Math.max(covered, CORNER * height));
      else session.resize(width, height, railed ? RAIL : 0, undefined, covered);
    });
    observer.observe(stage.current!);
    return () => observer.disconnect();
  }, [railed, session.projector, covered]);
  board.element.setAttribute("aria-label", session.game.boardName());
  board.element.classList.toggle("away", session.cutOff);
  return (
    <div
      class="stage"
      ref={stage}
      style={{ "--covered": `${covered}px` }}
      role={main ? "main" : "region"}
      aria-label={main ? undefined : "Board"}
      inert={inert}
    >
      {children}
      {store.start && Rail && <Rail />}
      {session.game.show && (
        <div class="zoom" role="group" aria-label="Zoom">
          <button aria-label="Zoom in" title="Zoom in" onClick={() => zoom(session, ZOOM)}>
            <Icon name="plus" />
          </button>
          <button aria-label="Zoom out" title="Zoom out" onClick={() => zoom(session, 1 / ZOOM)}>
            <Icon name="minus" />
          </button>
          <button aria-label="Fit the board" title="Fit the board" onClick={() => fit(session)}>
            <Icon name="fit" />
          </button>
        </div>
      )}
      {board.view.moved && (
        <button class="button fit" onClick={() => fit(session)}>
          <Icon name="fit" /> Whole board
        </button>
      )}
      {store.start && session.followed >= 0 && session.game.centre && <Centre session={session} />}
      {board.view.moved && isBeyond(board.view) && store.start && <Minimap session={session} />}
      {Above && <Above />}
      {store.end && session.player.turn >= store.last && (
        <Winner key={store.start?.id} session={session} cover={cover} />
      )}
      <Banner session={session} />
      <Held session={session} />
      <IncompleteBanner key={session.store.start?.id} session={session} />
      <Tooltip session={session} />
    </div>
  );
}

/** Tells that the connection is lost, and when the next attempt is. */
function Banner({ session }: { session: Page }) {
  const [, tick] = useState(0);
  const lost = session.cutOff;
  useEffect(() => {
    if (!lost) return;
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [lost]);
  if (!lost) return null;
  const wait = Math.max(0, Math.ceil((session.retryAt! - performance.now()) / 1000));
  const what = session.reached ? "Connection lost" : "No connection to the server";
  return (
    <div class="banner" role="status">
      <Icon name="wifi" size={24} />
      <p>
        <b>{session.store.start ? `${what} at ${turnName(session.store.last)}.` : `${what}.`}</b>
        <span>
          {wait > 0 ? `Trying again in ${wait} s.` : "Trying again …"}
          {session.store.start ? " All turns so far can be scrubbed." : ""}
        </span>
      </p>
      <button class="button" onClick={() => session.retry()}>
        Retry now
      </button>
    </div>
  );
}
