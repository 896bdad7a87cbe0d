// How the code looks. The colours are custom properties of the page, which reach into the shadow root.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.modifier], color: "var(--code-keyword)", fontWeight: "700" },
    { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--code-text)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
    {
      tag: [
        tags.function(tags.variableName),
        tags.function(tags.propertyName),
        tags.definition(tags.function(tags.variableName)),
      ],
      color: "var(--code-function)",
    },
    {
      tag: [tags.className, tags.definition(tags.className)],
      color: "var(--code-function)",
      fontWeight: "700",
    },
    { tag: tags.comment, color: "var(--text3)", fontStyle: "italic" },
    { tag: tags.invalid, color: "var(--warning)" },
  ]),
);

const scrolls = { scrollbarWidth: "thin", scrollbarColor: "var(--rule) transparent" };

export const look = EditorView.theme({
  "&": {
    height: "100%",
    font: "13px/20px var(--mono)",
    color: "var(--text1)",
    backgroundColor: "var(--well)",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "inherit", overflow: "auto", ...scrolls },
  ".cm-content": { padding: "12px 0", caretColor: "var(--accent)" },
  ".cm-content:focus-visible": { outline: "1px solid var(--text3)", outlineOffset: "-1px" },
  ".cm-cursor": { borderLeft: "2px solid var(--accent)" },
  ".cm-gutters": { backgroundColor: "var(--well)", color: "var(--text3)", border: "0" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "34px", padding: "0 8px 0 0" },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--raised) 60%, transparent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--code-selection)" },
  ".cm-selectionMatch": { backgroundColor: "var(--raised)" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--rule)",
    outline: "1px solid var(--text3)",
  },
  "&.cm-focused .cm-nonmatchingBracket": {
    backgroundColor: "transparent",
    color: "var(--warning)",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warning)",
    textUnderlineOffset: "3px",
  },
  ".cm-lint-marker-error": {
    content: "none",
    width: "10px",
    height: "10px",
    margin: "5px 2px",
    borderRadius: "50%",
    backgroundColor: "var(--warning)",
  },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--warning)" },
  ".cm-tooltip": {
    maxWidth: "min(460px, 90vw)",
    border: "1px solid var(--rule)",
    borderRadius: "10px",
    backgroundColor: "var(--panel)",
    color: "var(--text1)",
    boxShadow: "var(--shadow)",
    overflow: "hidden",
  },
  ".cm-tooltip .explanation, .cm-tooltip .cm-diagnostic": {
    padding: "8px 12px",
    font: "13px/18px var(--sans)",
    whiteSpace: "pre-wrap",
  },
  ".explanation code": { font: "12px/18px var(--mono)", color: "var(--text2)" },
  ".explanation p": { margin: "4px 0 0" },
  ".cm-tooltip.cm-tooltip-autocomplete": { overflow: "visible", padding: "4px 0" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)",
    maxHeight: "220px",
    ...scrolls,
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "flex",
    gap: "10px",
    padding: "2px 12px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": {
    marginLeft: "auto",
    fontStyle: "normal",
    color: "var(--text3)",
    overflow: "hidden",
    textOverflow: "ellipsis",
  },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-tooltip.cm-completionInfo": {
    padding: "8px 12px",
    font: "13px/18px var(--sans)",
    width: "max-content",
    maxWidth: "280px",
  },
  ".cm-panels": {
    backgroundColor: "var(--panel)",
    color: "var(--text1)",
    borderColor: "var(--rule)",
  },
  ".cm-panels input, .cm-panels button": {
    font: "13px/20px var(--sans)",
    color: "inherit",
    background: "var(--well)",
    border: "1px solid var(--rule)",
    borderRadius: "6px",
  },
  ".cm-searchMatch": { backgroundColor: "var(--code-match)" },
  ".cm-changedLine, &.cm-merge-b .cm-changedLine": { backgroundColor: "var(--code-added)" },
  "&.cm-merge-b .cm-changedText, .cm-changedText": { background: "var(--code-changed)" },
  ".cm-deletedChunk": { backgroundColor: "var(--code-deleted)", paddingLeft: "6px" },
  ".cm-deletedChunk .cm-deletedText": { background: "none", textDecoration: "line-through" },
  ".cm-changeGutter": { width: "3px" },
  ".cm-changedLineGutter": { background: "var(--ok)" },
  ".cm-deletedLineGutter": { background: "var(--warning)" },
});
