// The text field for code as a component.

import DOCUMENTATION from "documentation:kit";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type BotTypes, Glossary } from "../core/documentation.ts";
import { CodeEditor, type Mistake } from "./code/editor.ts";

export interface CodeAreaProps {
  /** What is written: the code of another bot begins a history of its own. */
  bot: object;
  code: string;
  label: string;
  types: BotTypes;
  mistakes: readonly Mistake[];
  /** The code that this one is compared with; null: none. */
  original: string | null;
  /** The line to select, from 1; a new object selects it again. */
  goTo: { line: number } | null;
  onInput: (code: string) => void;
  onRun: () => void;
}

export function CodeArea(props: CodeAreaProps) {
  const { bot, code, label, mistakes, original, goTo } = props;
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>();
  const shown = useRef(bot);
  const now = useRef(props);
  now.current = props;
  useLayoutEffect(() => {
    editor.current = new CodeEditor(place.current!, code, {
      label,
      glossary: () => new Glossary(DOCUMENTATION, now.current.types),
      onInput: (text) => now.current.onInput(text),
      onRun: () => now.current.onRun(),
    });
    return () => editor.current!.close();
  }, []);
  // In a layout effect, or characters typed meanwhile would be lost.
  useLayoutEffect(() => {
    if (shown.current !== bot) editor.current!.open(code);
    else if (editor.current!.code !== code) editor.current!.replace(code);
    shown.current = bot;
  }, [bot, code]);
  useEffect(() => editor.current!.compare(original), [original, bot]);
  const lines = mistakes.map(({ line, text }) => `${line} ${text}`).join("\n");
  useEffect(() => editor.current!.mark(mistakes), [lines, bot]);
  useEffect(() => {
    if (goTo) editor.current!.goTo(goTo.line);
  }, [goTo]);
  return <div class="codearea" ref={place} />;
}
