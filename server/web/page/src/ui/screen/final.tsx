// A final on the screen of an event: its bracket, its tables beside a match, and its winner.

import { type Final, finalists, type FinalTable } from "../../core/screen.ts";
import type { ScreenSession } from "../../core/screensession.ts";
import { number } from "../../core/text.ts";
import { Podium } from "./podium.tsx";

/** The largest number of teams with which stages are shown side by side; a stage with more is shown alone. */
const COLUMN_ROWS = 16;

interface FinalProps {
  session: ScreenSession;
  final: Final;
}

/** Between two matches: all stages that the final has reached, and room for the others. */
export function Bracket({ session, final }: FinalProps) {
  const { stages, later } = final;
  const rows = ({ tables }: Final["stages"][0]) => tables.reduce((n, t) => n + t.teams.length, 0);
  const current = stages[stages.length - 1];
  const alone = rows(current) > COLUMN_ROWS;
  const shown = alone ? [current] : stages.filter((s) => rows(s) <= COLUMN_ROWS);
  return (
    <main class={`bracket ${alone ? "alone" : ""}`}>
      <h1>
        {current.name}
        {final.best > 1 && <small> best of {number(final.best)}</small>}
      </h1>
      <div class="stages">
        {shown.map((stage) => {
          const next = stages[stages.indexOf(stage) + 1];
          const through = new Set(next?.tables.flatMap((t) => t.teams));
          return (
            <section
              key={stage.name}
              aria-label={stage.name}
              class={stage === current ? "current" : ""}
            >
              {stage.tables.map((table, i) => (
                <Table key={i} session={session} table={table} through={next ? through : null} />
              ))}
            </section>
          );
        })}
        {!alone &&
          later.map((tables, i) => (
            <section key={i} aria-hidden="true">
              {Array.from({ length: tables }, (_, k) => (
                <div key={k} class="table" />
              ))}
            </section>
          ))}
      </div>
    </main>
  );
}

/** A table; through has the teams of a stage that is over which go on, null: it is not over. */
function Table({
  session,
  table,
  through,
}: {
  session: ScreenSession;
  table: FinalTable;
  through: Set<string> | null;
}) {
  return (
    <ol class="table">
      {table.teams.map((team, i) => (
        <li key={team} class={through && !through.has(team) ? "out" : through ? "through" : ""}>
          <i class="chip" style={{ background: session.colourOf(team) }} />
          <bdi>{team}</bdi>
          <b>{number(table.points[i])}</b>
        </li>
      ))}
    </ol>
  );
}

/** The tables of the stage beside a match, the one that is shown first, with room for some teams. */
export function Tables({ session, final, places }: FinalProps & { places: number }) {
  const { name, tables } = final.stages[final.stages.length - 1];
  const playing = new Set(
    session.shown?.teams.map((team) => session.screen?.teams.find((t) => t.number === team)?.name),
  );
  const first = (t: FinalTable) => (t.teams.some((team) => playing.has(team)) ? 0 : 1);
  let room = places;
  const shown = [...tables]
    .sort((a, b) => first(a) - first(b))
    .filter((t) => (room -= t.teams.length) >= 0);
  return (
    <section class="standings bracket" aria-label="Final">
      <header>
        <span>{name}</span>
        <span>{final.best > 1 && <>best of {number(final.best)}</>}</span>
      </header>
      {shown.map((table, i) => (
        <Table key={i} session={session} table={table} through={null} />
      ))}
    </section>
  );
}

/** The end of a final: its first three, the third first, and how far the others came. */
export function Winners({ session, final }: FinalProps) {
  const held = session.heldPlaces;
  const last = final.stages[final.stages.length - 1].tables[0];
  const places = final.places.map((team, i) =>
    i < held
      ? null
      : {
          name: team,
          rank: i + 1,
          colour: session.colourOf(team),
          figure: `${number(last.points[last.teams.indexOf(team)])} points`,
        },
  );
  return (
    <Podium
      title={held > 0 ? "The final is over" : `${final.places[0]} wins the final`}
      headline
      label="The first of the final"
      places={places}
    >
      <section class="standings" aria-label="All teams of the final">
        <header>
          <span>The final</span>
        </header>
        <ol>
          {finalists(final).map(
            ({ team, stage }, i) =>
              i >= held && (
                <li key={team}>
                  <span>{i < final.places.length && i + 1}</span>
                  <i class="chip" style={{ background: session.colourOf(team) }} />
                  <bdi>{team}</bdi>
                  <b>{stage}</b>
                </li>
              ),
          )}
        </ol>
      </section>
    </Podium>
  );
}
