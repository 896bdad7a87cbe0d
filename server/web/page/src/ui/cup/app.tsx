// The page of a cup.

import { useEffect, useState } from "preact/hooks";
import type { CupSession } from "../../core/cupsession.ts";
import { Icon, type IconName, Logo } from "../icons.tsx";
import { CrossTable } from "./crosstable.tsx";
import { Failures } from "./failures.tsx";
import { Groups } from "./groups.tsx";
import { OriginOf } from "./origin.tsx";
import { Parts } from "./parts.tsx";
import { Progress } from "./progress.tsx";
import { Standings } from "./standings.tsx";
import { title } from "./words.ts";

export function CupApp({ session }: { session: CupSession }) {
  const [, draw] = useState(0);
  useEffect(() => {
    session.draw = () => draw((n) => n + 1);
    session.draw(); // something may have arrived before
  }, []);
  const { board, problem } = session;
  const name = board ? title(board.standings) : "Cup";
  useEffect(() => {
    document.title = `${name} · hexarena`;
  }, [name]);
  return (
    <>
      <Bar session={session} name={name} />
      <main>
        {problem && (
          <p class="problem" role="alert">
            <Icon name="warning" size={18} /> {problem}
          </p>
        )}
        {!board && !problem && (
          <p class="aside" role="status">
            Reading the cup…
          </p>
        )}
        {board && (
          <>
            <Progress board={board} live={session.live} />
            <Standings table={board.standings} />
            <Groups groups={board.standings.groups} />
            {board.standings.matches > 0 && <CrossTable session={session} board={board} />}
            {board.standings.matches > 0 && <Parts table={board.standings} />}
            <Failures board={board} />
            <OriginOf origin={board.standings} />
          </>
        )}
      </main>
    </>
  );
}

function Bar({ session, name }: { session: CupSession; name: string }) {
  const { board, theme } = session;
  return (
    <header class="topbar">
      <span class="brand">
        <Logo />
      </span>
      <h1 class="title">
        <bdi>{name}</bdi>{" "}
        {board && (
          <small>
            {board.standings.game}, {board.standings.seats} seats
          </small>
        )}
      </h1>
      {board && (
        <span class="pill">
          {board.over ? (
            <b>FINISHED</b>
          ) : session.live ? (
            <>
              <i class="dot" /> <b>LIVE</b>
            </>
          ) : (
            <b>NOT FINISHED</b>
          )}
        </span>
      )}
      <span class="space" />
      <div class="switches">
        <Switch
          name={theme.name === "dark" ? "light" : "dark"}
          label={theme.name === "dark" ? "Light theme (D)" : "Dark theme (D)"}
          onClick={() => session.toggleTheme()}
        />
        <Switch
          name="screen"
          label="Projector (P)"
          pressed={session.projector}
          onClick={() => session.toggleProjector()}
        />
        <Switch name="full" label="Full screen (F)" onClick={() => session.fullScreen()} />
      </div>
    </header>
  );
}

function Switch(props: { name: IconName; label: string; pressed?: boolean; onClick: () => void }) {
  return (
    <button
      class="switch"
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.pressed}
      onClick={props.onClick}
    >
      <Icon name={props.name} />
    </button>
  );
}
