// A JSON value as a tree whose members open on a click. Only open members are drawn,
// a page at a time, so that values may be large.

import { useState } from "preact/hooks";
import { clip, number } from "../../core/text.ts";
import { isObject, type Json } from "./state.ts";

/** The number of members of a list or object that are shown at first, and with each further page. */
const PAGE = 100;
/** The top-level lists and objects with up to this number of members are open at first. */
const OPEN_MEMBERS = 24;
const LONGEST_TEXT = 200;
/** The number of members in the preview of a closed object. */
const PREVIEWED = 4;
const LONGEST_PREVIEW = 80;

/** What the viewer has opened and closed, and the pages that are shown, by path. */
interface Choices {
  open: Map<string, boolean>;
  pages: Map<string, number>;
  changed(): void;
}

/** before is the value one turn earlier: changes stand out. */
export function Tree({
  value,
  before,
  label,
}: {
  value: Json;
  before: Json | undefined;
  label: string;
}) {
  const [, draw] = useState(0);
  const [choices] = useState<Choices>(() => ({
    open: new Map(),
    pages: new Map(),
    changed: () => draw((n) => n + 1),
  }));
  return (
    <ul class="tree" aria-label={label}>
      <Members value={value} before={before} path="" choices={choices} />
    </ul>
  );
}

function Members({
  value,
  before,
  path,
  choices,
}: {
  value: Json;
  before: Json | undefined;
  path: string;
  choices: Choices;
}) {
  const keys = keysOf(value);
  const shown = Math.min(keys.length, PAGE * (choices.pages.get(path) ?? 1));
  return (
    <>
      {keys.slice(0, shown).map((key) => (
        <Member
          key={key}
          name={key}
          value={memberOf(value, key)!}
          before={memberOf(before, key)}
          path={`${path}/${key}`}
          depth={path.split("/").length}
          choices={choices}
        />
      ))}
      {shown < keys.length && (
        <li class="more">
          <button
            onClick={() => {
              choices.pages.set(path, (choices.pages.get(path) ?? 1) + 1);
              choices.changed();
            }}
          >
            {number(keys.length - shown)} more
          </button>
        </li>
      )}
    </>
  );
}

function Member(props: {
  name: string;
  value: Json;
  before: Json | undefined;
  path: string;
  depth: number;
  choices: Choices;
}) {
  const { name, value, before, path, depth, choices } = props;
  const shownName = clip(name, LONGEST_TEXT);
  if (value === null || typeof value !== "object") {
    return (
      <li>
        <span class="name">{shownName}</span>{" "}
        <span
          class={`${typeof value} ${before !== undefined && before !== value ? "changed" : ""}`}
        >
          {plain(value)}
        </span>
      </li>
    );
  }
  const size = keysOf(value).length;
  const open = choices.open.get(path) ?? (depth === 1 && size <= OPEN_MEMBERS);
  return (
    <li>
      <button
        class="name"
        aria-expanded={open}
        disabled={size === 0}
        onClick={() => {
          choices.open.set(path, !open);
          choices.changed();
        }}
      >
        {shownName}
      </button>
      <small>
        {sizeOf(value, size)}
        {!open && size > 0 && ` ${preview(value)}`}
      </small>
      {open && size > 0 && (
        <ul>
          <Members value={value} before={before} path={path} choices={choices} />
        </ul>
      )}
    </li>
  );
}

function keysOf(value: Json): string[] {
  return value !== null && typeof value === "object" ? Object.keys(value) : [];
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.prototype.hasOwnProperty.call(value, key)
    ? value[key]
    : undefined;
}

function sizeOf(value: Json, size: number): string {
  return Array.isArray(value) ? `[${number(size)}]` : `{${number(size)}}`;
}

function plain(value: Json): string {
  return typeof value === "string" ? `"${clip(value, LONGEST_TEXT)}"` : String(value);
}

/** Returns the first members of a closed value, with sizes instead of nested lists and objects. */
function preview(value: Json): string {
  const parts: string[] = [];
  for (const key of keysOf(value).slice(0, PREVIEWED)) {
    const member = memberOf(value, key)!;
    const text =
      member !== null && typeof member === "object"
        ? sizeOf(member, keysOf(member).length)
        : plain(member);
    parts.push(Array.isArray(value) ? text : `${key}: ${text}`);
  }
  return clip(parts.join(", "), LONGEST_PREVIEW);
}
