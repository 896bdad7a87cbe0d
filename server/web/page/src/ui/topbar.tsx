// The top bar: what is played, whether it is live, tabs and switches.

import type { Tab } from "../core/address.ts";
import { ownPage } from "../core/eventteam.ts";
import { toggleFullScreen } from "../core/looks.ts";
import type { Page } from "../core/page.ts";
import { at, ROOT } from "../core/root.ts";
import { number } from "../core/text.ts";
import { Help } from "./helps.ts";
import { Icon, type IconName, Logo } from "./icons.tsx";
import { moreOf } from "./more.tsx";
import { playOn, playsOn, share } from "./shares.tsx";
import { totalOf } from "../core/turns.ts";

const TABS: [Tab, string][] = [
  ["match", "Match"],
  ["mybot", "My bot"],
  ["report", "Report"],
  ["analysis", "Analysis"],
  ["edit", "Write a bot"],
  ["recordings", "Recordings"],
  ["rules", "Rules"],
];

/** Reports whether a bot can be written in this page: there is a starter of the game on the stage. */
export function hasEditor({ embedded, game }: Page): boolean {
  return !embedded && game.starter !== undefined;
}

/** Reports whether a tab has something to show. */
function opens(session: Page, tab: Tab): boolean {
  switch (tab) {
    case "analysis":
      return session.game.tabs?.includes(tab) ?? false;
    case "report":
    case "mybot":
      return session.store.start !== null;
    case "edit":
      return hasEditor(session) && !session.server.cup;
    case "recordings":
      return !session.embedded && !session.server.cup; // the list is the server's, and a cup has its own
    default:
      return true;
  }
}

/** Returns the tabs that this page has now. */
export function openTabs<T extends { 0: Tab }>(session: Page, tabs: readonly T[]): T[] {
  return tabs.filter(({ 0: tab }) => opens(session, tab));
}

export function TopBar({ session }: { session: Page }) {
  const { store, board, theme } = session;
  const played = store.start !== null || store.lobby !== null; // there is a board to look at
  return (
    <header class="topbar">
      {session.embedded ? (
        <span class="brand">
          <Logo /> <b>hexarena</b>
        </span>
      ) : session.server.event ? (
        <a
          class="brand"
          href={at("/standings")}
          aria-label={`${session.server.event}, the standings`}
        >
          <Logo /> <b>{session.server.event}</b>
        </a>
      ) : (
        <a
          class="brand"
          href={ROOT}
          aria-label={session.server.cup ? "hexarena, the cup" : "hexarena, the live match"}
        >
          <Logo /> <b>hexarena</b>
        </a>
      )}
      <Title session={session} />
      <Chip session={session} />
      <nav aria-label="Pages">
        {openTabs(session, TABS).map(([tab, name]) => (
          <button
            key={tab}
            aria-current={session.tab === tab ? "page" : undefined}
            onClick={() => session.select(tab)}
          >
            {name}
          </button>
        ))}
        {session.server.cup && <a href={at("/cup")}>Cup</a>}
        {session.server.event && <OwnPage />}
      </nav>
      <span class="space" />
      {session.recording === null && store.viewers > 1 && (
        <span class="pill viewers">
          <Icon name="eye" size={17} /> {number(store.viewers)} watching
        </span>
      )}
      <div class="switches">
        {played && (
          <>
            <Switch
              name="marks"
              label={`Marks: ${board.marks}`}
              pressed={board.marks !== "off"}
              onClick={() => session.looks.cycleMarks()}
            />
            <Switch
              name="coordinates"
              label="Coordinates"
              pressed={board.coordinates}
              onClick={() => session.looks.toggleCoordinates()}
            />
          </>
        )}
        <Switch
          name={theme.name === "dark" ? "light" : "dark"}
          label={theme.name === "dark" ? "Light theme" : "Dark theme"}
          onClick={() => session.looks.toggleTheme()}
        />
        {playsOn(session) && (
          <Switch name="branch" label="Play on from this turn" onClick={() => playOn(session)} />
        )}
        {played && <Switch name="share" label="Share" onClick={() => share(session)} />}
        <Switch name="full" label="Full screen" onClick={() => toggleFullScreen()} />
        <Switch
          name="more"
          label="Speed and looks"
          onClick={() => session.openDialog(moreOf(session))}
        />
        <Switch
          name="help"
          label="Keys"
          pressed={session.dialog === Help}
          onClick={() => session.openDialog(session.dialog === Help ? null : Help)}
        />
      </div>
    </header>
  );
}

function OwnPage() {
  const { name, href } = ownPage();
  return (
    <a class="ownpage" href={href}>
      {name}
    </a>
  );
}

/** Parts that do not fit are left out whole, from the last on. */
function Title({ session }: { session: Page }) {
  const { start, lobby } = session.store;
  const { Title: Played } = session.game.parts;
  if (start) return <Played />;
  if (!lobby) return null;
  return (
    <p class="title">
      <b>{session.game.title ?? lobby.game}</b>
      {lobby.map && lobby.map !== lobby.game && (
        <span>
          map <b>{lobby.map}</b>
        </span>
      )}
    </p>
  );
}

export function Chip({ session }: { session: Page }) {
  const { store, player } = session;
  if (!store.start) {
    const { lobby } = store;
    if (!lobby) return null;
    const there = lobby.present.filter((p) => p.role === "player").length;
    return (
      <span class="pill chipstate">
        Lobby · {there} of {number(lobby.seats.players)}
      </span>
    );
  }
  if (session.recording !== null)
    return (
      <span class="pill chipstate">
        <b>REPLAY</b>
        {session.projector && player.turn < store.last && " result hidden"}
      </span>
    );
  if (store.end)
    return (
      <span class="pill chipstate">
        <b>FINISHED</b>
      </span>
    );
  if (session.cutOff)
    return (
      <span class="pill chipstate">
        <i class="dot off" /> {session.game.count(player.turn)} / {totalOf(session.game)}
      </span>
    );
  const behind = player.turn < store.last;
  return (
    <span class="pill chipstate">
      <i class="dot" />{" "}
      <b>
        LIVE
        {behind && (
          <span class="at">
            {" "}
            · {session.game.unit} {session.game.count(store.last)}
          </span>
        )}
      </b>
    </span>
  );
}

function Switch(props: { name: IconName; label: string; pressed?: boolean; onClick: () => void }) {
  return (
    <button
      class={`switch ${props.name}`}
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.pressed}
      onClick={props.onClick}
    >
      <Icon name={props.name} />
    </button>
  );
}
