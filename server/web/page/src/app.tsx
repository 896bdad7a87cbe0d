// The page put together.

import { useEffect, useRef, useState } from "preact/hooks";
import { Edit } from "./edit.tsx";
import { Help } from "./help.tsx";
import { NewGame, PlayButton } from "./hextictactoe/newgame.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { JoinLater } from "./joinin.tsx";
import { Empty, Lobby } from "./lobby.tsx";
import { MyBot } from "./mybot.tsx";
import { PlayerCard } from "./playercard.tsx";
import { Encore } from "./results.tsx";
import { Recordings } from "./recordings.tsx";
import type { Session, Tab } from "./session.ts";
import { Stage } from "./stage.tsx";
import { Timeline } from "./timeline.tsx";
import { Chip, open, TopBar } from "./topbar.tsx";
import { Voice } from "./voice.tsx";
import { number } from "./text.ts";

const PHONE_TABS: [Tab, string, IconName][] = [
  ["match", "Match", "coordinates"],
  ["ranking", "Ranking", "ranking"],
  ["mybot", "My bot", "code"],
  ["analysis", "Analysis", "eye"],
  ["edit", "Write", "code"],
  ["recordings", "Recordings", "film"],
  ["rules", "Rules", "help"],
];

export function App({ session }: { session: Session }) {
  const [, draw] = useState(0);
  useEffect(() => session.onChange(() => draw((n) => n + 1)), []);
  const { store, tab } = session;
  const { Chips, Far, Panel, Rules, Table } = session.game.parts;
  const match = store.start !== null;
  const board = match || store.lobby !== null;
  const away = tab === "recordings" || tab === "rules";
  const edits = tab === "edit" && !session.embedded;
  const known = board || session.reached || session.problem !== "";
  const empty = !board && !away && !edits && known;
  const waiting = !known && !away && !edits;
  return (
    <div class={`app ${waiting ? "playing waiting" : match ? "playing" : board ? "gathering" : "idle"} tab-${tab}`}>
      <TopBar session={session} />
      {match && <Chips session={session} />}
      <Stage session={session} />
      {match && session.projector && <Corner session={session} />}
      {edits && <Edit session={session} />}
      {match && !edits && (session.projector ? <Far session={session} /> : (
        <aside class="panel">
          {tab === "mybot" ? <MyBot session={session} /> : <Panel session={session} />}
          <Encore session={session} />
          <PlayButton session={session} />
          <JoinLater session={session} />
        </aside>
      ))}
      {!match && board && !edits && <aside class="panel"><PlayButton session={session} /><Lobby session={session} /></aside>}
      {match && <Timeline session={session} />}
      {waiting && <Grey />}
      {tab === "recordings" && <Recordings />}
      {tab === "rules" && <Rules session={session} />}
      {empty && <Empty session={session} />}
      <nav class="bottom" aria-label="Pages">
        {open(session, PHONE_TABS).filter(([t]) => t === tab || (match ? t !== "edit" : t !== "ranking" && t !== "mybot")).map(([t, name, icon]) => (
          <button key={t} aria-current={tab === t ? "page" : undefined} onClick={() => session.select(t)}>
            <Icon name={icon} size={22} /> {name}
          </button>
        ))}
      </nav>
      {match && <PlayerCard session={session} />}
      {session.newGame && <NewGame session={session} />}
      {session.help && <Help session={session} />}
      {match && <Table session={session} />}
      <Voice session={session} />
      {session.notice && <Notice key={session.notice} text={session.notice} />}
    </div>
  );
}

/** The frame of the page until it is known what there is to see, as in index.html. */
function Grey() {
  return (
    <>
      <aside class="panel grey" aria-hidden="true"><i /><i /><i /><i /></aside>
      <section class="timeline grey" aria-hidden="true"><i /></section>
    </>
  );
}

/** Lies above everything, open dialogs too, whatever the tab. */
function Notice({ text }: { text: string }) {
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => notice.current?.showPopover?.(), []); // which old browsers do not have
  return <p class="notice" ref={notice} popover="manual">{text}</p>;
}

/** What a projector shows in the corners of the stage. */
function Corner({ session }: { session: Session }) {
  return (
    <div class="corner">
      <p>{session.store.start?.map}<br /><b>{number(session.game.count(session.player.turn))}</b> / {number(session.game.count(session.game.total))}</p>
      <Chip session={session} />
    </div>
  );
}
