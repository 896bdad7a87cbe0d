// A JSON value as a tree that opens where it is clicked. However large the value is,
// only what is open is drawn, a page of members at a time.

import { useState } from "preact/hooks";
import { clip, number } from "../../core/text.ts";
import { isObject, type Json } from "./state.ts";

/** Members of one list or object that are shown before more are asked for. */
const PAGE = 100;
/** Lists and objects of the state itself are open when they have at most so many members. */
const OPEN_MEMBERS = 24;
const LONGEST_TEXT = 200;
/** Members that a closed object tells of. */
const PREVIEWED = 4;
const LONGEST_PREVIEW = 80;

/** What a viewer has opened, closed and asked more of, by path. */
interface Choices {
  open: Map<string, boolean>;
  pages: Map<string, number>;
  changed(): void;
}

/** before is the same value one turn earlier, so that what has changed stands out. */
export function Tree({ value, before, label }: { value: Json; before: Json | undefined; label: string }) {
  const [, draw] = useState(0);
  const [choices] = useState<Choices>(() => ({ open: new Map(), pages: new Map(), changed: () => draw((n) => n + 1) }));
  return (
    <ul class="tree" aria-label={label}>
      <Members value={value} before={before} path="" choices={choices} />
    </ul>
  );
}

function Members({ value, before, path, choices }: { value: Json; before: Json | undefined; path: string; choices: Choices }) {
  const keys = keysOf(value);
  const shown = Math.min(keys.length, PAGE * (choices.pages.get(path) ?? 1));
  return (
    <>
      {keys.slice(0, shown).map((key) => (
        <Member key={key} name={key} value={memberOf(value, key)!} before={memberOf(before, key)} path={`${path}/${key}`} depth={path.split("/").length} choices={choices} />
      ))}
      {shown < keys.length && (
        <li class="more">
          <button onClick={() => {
            choices.pages.set(path, (choices.pages.get(path) ?? 1) + 1);
            choices.changed();
          }}>{number(keys.length - shown)} more</button>
        </li>
      )}
    </>
  );
}

function Member(props: { name: string; value: Json; before: Json | undefined; path: string; depth: number; choices: Choices }) {
  const { name, value, before, path, depth, choices } = props;
  const shownName = clip(name, LONGEST_TEXT);
  if (value === null || typeof value !== "object") {
    return <li><span class="name">{shownName}</span> <span class={`${typeof value} ${before !== undefined && before !== value ? "changed" : ""}`}>{plain(value)}</span></li>;
  }
  const size = keysOf(value).length;
  const open = choices.open.get(path) ?? (depth === 1 && size <= OPEN_MEMBERS);
  return (
    <li>
      <button class="name" aria-expanded={open} disabled={size === 0} onClick={() => {
        choices.open.set(path, !open);
        choices.changed();
      }}>{shownName}</button>
      <small>{sizeOf(value, size)}{!open && size > 0 && ` ${preview(value)}`}</small>
      {open && size > 0 && <ul><Members value={value} before={before} path={path} choices={choices} /></ul>}
    </li>
  );
}

function keysOf(value: Json): string[] {
  return value !== null && typeof value === "object" ? Object.keys(value) : [];
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.prototype.hasOwnProperty.call(value, key) ? value[key] : undefined;
}

function sizeOf(value: Json, size: number): string {
  return Array.isArray(value) ? `[${number(size)}]` : `{${number(size)}}`;
}

function plain(value: Json): string {
  return typeof value === "string" ? `"${clip(value, LONGEST_TEXT)}"` : String(value);
}

/** The first members of a closed value, as far as they are no lists or objects themselves. */
function preview(value: Json): string {
  const parts: string[] = [];
  for (const key of keysOf(value).slice(0, PREVIEWED)) {
    const member = memberOf(value, key)!;
    const text = member !== null && typeof member === "object" ? sizeOf(member, keysOf(member).length) : plain(member);
    parts.push(Array.isArray(value) ? text : `${key}: ${text}`);
  }
  return clip(parts.join(", "), LONGEST_PREVIEW);
}
