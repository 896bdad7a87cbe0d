// The stage: the board, with what lies beside it and on it.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Page } from "../core/page.ts";
import { fit, listenToPointers, zoom } from "./gestures.ts";
import { Icon } from "./icons.tsx";
import { IncompleteBanner } from "./incomplete.tsx";
import { Tooltip } from "./tooltip.tsx";

/** Width of the rail with its margins; on a phone it lies below the board. */
const RAIL = 92;
/** The same as in phone.css. */
const PHONE = "(max-width: 760px), (max-height: 500px)";
const PHONE_RAIL = 34;
const PHONE_PADDING = 10;
const ZOOM = 1.4;

export function Stage({ session }: { session: Page }) {
  const stage = useRef<HTMLDivElement>(null);
  const { board, store } = session;
  const { Rail, Above } = session.game.parts;
  useEffect(() => {
    const element = stage.current!;
    element.prepend(board.element);
    listenToPointers(session);
    const observer = new ResizeObserver(() => {
      const phone = matchMedia(PHONE).matches;
      if (phone) session.resize(element.clientWidth, element.clientHeight - PHONE_RAIL, 0, PHONE_PADDING);
      else session.resize(element.clientWidth, element.clientHeight, session.projector ? 0 : RAIL);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  board.element.setAttribute("aria-label", session.game.boardName());
  board.element.classList.toggle("away", session.cutOff);
  return (
    <div class="stage" ref={stage}>
      {store.start && Rail && <Rail />}
      {session.game.show && (
        <div class="zoom" role="group" aria-label="Zoom">
          <button aria-label="Zoom in" title="Zoom in" onClick={() => zoom(session, ZOOM)}><Icon name="plus" /></button>
          <button aria-label="Zoom out" title="Zoom out" onClick={() => zoom(session, 1 / ZOOM)}><Icon name="minus" /></button>
          <button aria-label="Fit the board" title="Fit the board" onClick={() => fit(session)}><Icon name="fit" /></button>
        </div>
      )}
      {board.view.moved && <button class="button fit" onClick={() => fit(session)}><Icon name="fit" /> Whole board</button>}
      {Above && <Above />}
      <Banner session={session} />
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
        <b>{session.store.start ? `${what} at turn ${session.store.last}.` : `${what}.`}</b>
        <span>{wait > 0 ? `Trying again in ${wait} s.` : "Trying again …"}{session.store.start ? " All turns so far can be scrubbed." : ""}</span>
      </p>
      <button class="button" onClick={() => session.retry()}>Retry now</button>
    </div>
  );
}
