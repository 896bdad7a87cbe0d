// The whole page.

import { useEffect, useRef, useState } from "preact/hooks";
import { framed, type Tab } from "../core/address.ts";
import type { Page } from "../core/page.ts";
import { FarLobby } from "./farlobby.tsx";
import { Framed } from "./framed.tsx";
import { Heading } from "./heading.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { JoinLater } from "./joinin.tsx";
import { lazy } from "./lazy.tsx";
import { Empty, Lobby } from "./lobby.tsx";
import { PlayHere } from "./playhere.tsx";
import { PlayAgain } from "./playagain.tsx";
import { Stage } from "./stage.tsx";
import { Timeline } from "./timeline.tsx";
import { Chip, hasEditor, openTabs, TopBar } from "./topbar.tsx";
import { Voice } from "./voice.tsx";
import { totalOf } from "../core/turns.ts";

const MyBot = lazy(() => import("./mybot.tsx").then((m) => m.MyBot));
const Compare = lazy(() => import("./compare.tsx").then((m) => m.Compare));
const Recordings = lazy(() => import("./recordings.tsx").then((m) => m.Recordings));
/** Not in exported pages, which have no server. */
const Edit = SINGLE ? () => null : lazy(() => import("./edit.tsx").then((m) => m.Edit));

const PHONE_TABS: [Tab, string, IconName][] = [
  ["match", "Match", "coordinates"],
  ["ranking", "Ranking", "ranking"],
  ["report", "Report", "check"],
  ["mybot", "My bot", "code"],
  ["analysis", "Analysis", "eye"],
  ["edit", "Write", "pencil"],
  ["recordings", "Recordings", "film"],
  ["rules", "Rules", "help"],
];

export function App({ session }: { session: Page }) {
  const [, draw] = useState(0);
  useEffect(() => session.onChange(() => draw((n) => n + 1)), []);
  if (framed) return <Framed session={session} />;
  const { store, tab } = session;
  const { Chips, Panel, PlayerCard, ProjectorPanel, Report, Rules, Table } = session.game.parts;
  const Dialog = session.dialog;
  const match = store.start !== null;
  const board = match || store.lobby !== null;
  const otherPage = tab === "recordings" || tab === "rules" || tab === "compare";
  const edits = tab === "edit" && hasEditor(session);
  const known = board || session.reached || session.problem !== "";
  const empty = !board && !otherPage && !edits && known;
  // A phone has no room for the board beside these.
  const beside = edits || tab === "ranking";
  const waiting = !known && !otherPage && !edits;
  return (
    <div
      class={`app ${waiting ? "playing waiting" : match ? "playing" : board ? "gathering" : "idle"} tab-${tab}`}
    >
      <TopBar session={session} />
      {match && <Chips />}
      <Stage session={session} main={!empty && !otherPage && !beside} inert={otherPage}>
        {!empty && !beside && <Heading session={session} />}
        {match && <Table />}
      </Stage>
      {board && session.projector && <Corner session={session} />}
      {edits && (
        <Edit session={session}>
          <Heading session={session} />
        </Edit>
      )}
      {match &&
        !edits &&
        (session.projector ? (
          <ProjectorPanel />
        ) : (
          <aside
            class="panel"
            role={beside ? "main" : undefined}
            aria-label={beside ? undefined : "Beside the board"}
            inert={otherPage}
          >
            {beside && <Heading session={session} />}
            {session.server.unrecorded && (
              <p class="aside" role="alert">
                <b>This match is not recorded:</b> {session.server.unrecorded}
              </p>
            )}
            {tab === "mybot" ? (
              <MyBot session={session} />
            ) : tab === "report" ? (
              <Report />
            ) : (
              <Panel />
            )}
            {tab !== "report" && <PlayAgain session={session} />}
            <PlayHere session={session} />
            <JoinLater session={session} />
          </aside>
        ))}
      {!match && board && !edits && session.projector && <FarLobby session={session} />}
      {!match && board && !edits && !session.projector && (
        <aside class="panel" aria-label="Beside the board" inert={otherPage}>
          <PlayHere session={session} />
          <Lobby session={session} />
        </aside>
      )}
      {match && <Timeline session={session} inert={otherPage} />}
      {waiting && <Skeleton />}
      {tab === "recordings" && <Recordings session={session} />}
      {tab === "compare" && match && <Compare session={session} />}
      {tab === "rules" && <Rules />}
      {empty && <Empty session={session} />}
      <nav class="bottom" aria-label="Pages">
        {openTabs(session, PHONE_TABS)
          .filter(([t]) => t === tab || (match ? t !== "edit" : t !== "ranking"))
          .map(([t, name, icon]) => (
            <button
              key={t}
              aria-current={tab === t ? "page" : undefined}
              onClick={() => session.select(t)}
            >
              <Icon name={icon} size={22} /> {name}
            </button>
          ))}
      </nav>
      {match && PlayerCard && <PlayerCard />}
      {Dialog && <Dialog session={session} />}
      <Voice session={session} />
      {session.notice && <Notice key={session.notice} text={session.notice} />}
    </div>
  );
}

/** Stands in for the page until there is something to show; index.html holds the same. */
function Skeleton() {
  return (
    <>
      <aside class="panel grey" aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </aside>
      <section class="timeline grey" aria-hidden="true">
        <i />
      </section>
    </>
  );
}

/** A message in front of everything, open dialogs included. */
function Notice({ text }: { text: string }) {
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => notice.current?.showPopover?.(), []); // old browsers lack it
  return (
    <p class="notice" ref={notice} popover="manual">
      {text}
    </p>
  );
}

/** The corners of the stage on a projector. */
function Corner({ session }: { session: Page }) {
  const { start, lobby } = session.store;
  return (
    <header class="corner">
      {start ? (
        <p>
          {session.game.title ?? start.map}
          <br />
          <b>{session.game.count(session.player.turn)}</b> / {totalOf(session.game)}
        </p>
      ) : (
        <p>
          {lobby?.map !== lobby?.game && (
            <>
              {lobby?.map}
              <br />
            </>
          )}
          <b>{session.game.title ?? lobby?.game}</b>
        </p>
      )}
      <Chip session={session} />
    </header>
  );
}
