// A text field for code, with line numbers, Tab and automatic indentation.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** What Tab inserts. */
const INDENT = "  ";

export interface CodeAreaProps {
  code: string;
  label: string;
  /** The line to select, from 1; a new object selects it again. */
  goTo: { line: number } | null;
  onInput: (code: string) => void;
  onRun: () => void;
}

export function CodeArea({ code, label, goTo, onInput, onRun }: CodeAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  const scroll = () => {
    if (area.current && gutter.current) gutter.current.style.transform = `translateY(${-area.current.scrollTop}px)`;
  };
  // In a layout effect, or characters typed meanwhile would be lost.
  useLayoutEffect(() => {
    if (area.current && area.current.value !== code) replaceAll(area.current, code);
  }, [code]);
  useEffect(() => {
    if (area.current && goTo) select(area.current, goTo.line);
  }, [goTo]);
  return (
    <div class="codearea">
      <pre ref={gutter} aria-hidden="true">{numbers(code)}</pre>
      <textarea
        ref={area}
        defaultValue={code}
        aria-label={label}
        wrap="off"
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        onInput={(e) => onInput(e.currentTarget.value)}
        onScroll={scroll}
        onKeyDown={(e) => press(e, onRun)}
      />
    </div>
  );
}

function numbers(code: string): string {
  return Array.from({ length: code.split("\n").length }, (_, i) => i + 1).join("\n");
}

/** Escape was pressed: Tab then moves the focus on, so that the field can be left without a pointer. */
let released = false;

function press(e: KeyboardEvent, onRun: () => void): void {
  const area = e.currentTarget as HTMLTextAreaElement;
  const leaves = released;
  released = e.key === "Escape";
  if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) onRun();
  else if (e.ctrlKey || e.metaKey || e.altKey) return;
  else if (e.key === "Tab" && !leaves) shift(area, e.shiftKey);
  else if (e.key === "Enter") insert("\n" + /^ */.exec(lineAt(area))![0]);
  else return;
  e.preventDefault();
}

function lineAt({ value, selectionStart }: HTMLTextAreaElement): string {
  return value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
}

/** Indents or outdents the selected lines; without a selection, inserts an indentation. */
function shift(area: HTMLTextAreaElement, out: boolean): void {
  const { value, selectionStart, selectionEnd } = area;
  if (!out && selectionStart === selectionEnd) return insert(INDENT);
  const from = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const lines = value.slice(from, selectionEnd).split("\n");
  const text = lines.map((l) => (out ? l.replace(/^ {1,2}/, "") : l && INDENT + l)).join("\n");
  area.setSelectionRange(from, selectionEnd);
  insert(text);
  area.setSelectionRange(from, from + text.length);
}

/** Replaces the selection in a way that can be undone. */
function insert(text: string): void {
  document.execCommand(text === "" ? "delete" : "insertText", false, text);
}

function replaceAll(area: HTMLTextAreaElement, code: string): void {
  area.focus();
  area.select();
  insert(code);
  area.setSelectionRange(0, 0);
  area.scrollTop = 0;
}

function select(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split("\n");
  const from = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
  area.focus();
  area.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
  const height = parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = Math.max(0, (line - 1) * height - area.clientHeight / 2);
}
