// The text field for code: CodeMirror in a shadow root, to which it adds its styles as adopted style sheets, so that
// the page's content policy needs no exception.

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript, javascriptLanguage, localCompletionSource } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { unifiedMergeView } from "@codemirror/merge";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Glossary } from "../../core/documentation.ts";
import { explanations, proposals } from "./completion.ts";
import { colours, look } from "./look.ts";

export interface EditorOptions {
  label: string;
  /** The types of the bot that is written. */
  glossary: () => Glossary;
  onInput: (code: string) => void;
  onRun: () => void;
}

/** A mistake in a line of the code, from 1. */
export interface Mistake {
  line: number;
  text: string;
}

export class CodeEditor {
  private readonly view: EditorView;
  private readonly comparison = new Compartment();

  /** parent gets a shadow root, if it has none. */
  constructor(
    parent: HTMLElement,
    code: string,
    private readonly options: EditorOptions,
  ) {
    const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
    this.view = new EditorView({ root, parent: root, state: this.fresh(code) });
  }

  private fresh(code: string): EditorState {
    const { label, glossary, onInput, onRun } = this.options;
    const run = () => {
      onRun();
      return true;
    };
    return EditorState.create({
      doc: code,
      extensions: [
        Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightActiveLine(),
        lintGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightSelectionMatches(),
        javascript(),
        javascriptLanguage.data.of({ autocomplete: proposals(glossary) }),
        javascriptLanguage.data.of({ autocomplete: localCompletionSource }),
        autocompletion({ icons: false }),
        explanations(glossary),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          { key: "F8", run: nextDiagnostic },
          ...searchKeymap,
          ...historyKeymap,
          indentWithTab,
          ...defaultKeymap,
        ]),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.domEventObservers({
          // Tab then leaves the code, unless another key comes before it, also if Escape has closed or deselected something;
          // CodeMirror itself waits for two seconds.
          keydown: (e, view) => {
            if (e.key === "Escape") queueMicrotask(() => view.setTabFocusMode(60_000));
          },
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onInput(update.state.doc.toString());
        }),
        this.comparison.of([]),
        look,
        colours,
      ] satisfies Extension[],
    });
  }

  get code(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the code in a way that can be undone. */
  replace(code: string): void {
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: code },
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
  }

  /** Shows other code, whose history begins now. */
  open(code: string): void {
    this.view.setState(this.fresh(code));
  }

  /** Marks the lines with mistakes, and no others. */
  mark(mistakes: readonly Mistake[]): void {
    const { doc } = this.view.state;
    this.view.dispatch(
      setDiagnostics(
        this.view.state,
        mistakes
          .filter(({ line }) => line <= doc.lines)
          .map(({ line, text }) => {
            const { from, to, text: code } = doc.line(line);
            return {
              from: from + code.search(/\S|$/),
              to,
              severity: "error" as const,
              message: text,
            };
          }),
      ),
    );
  }

  /** Goes to a line, from 1, and selects it. */
  goTo(line: number): void {
    const { doc } = this.view.state;
    const { from, to } = doc.line(Math.min(line, doc.lines));
    this.view.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: "center" }),
    });
    this.view.focus();
  }

  /** Shows in what the code differs from an earlier one; null: no longer. */
  compare(original: string | null): void {
    const shown =
      original === null
        ? []
        : unifiedMergeView({ original, mergeControls: false, syntaxHighlightDeletions: true });
    this.view.dispatch({ effects: this.comparison.reconfigure(shown) });
  }

  close(): void {
    this.view.destroy();
  }
}
