// What the editor proposes while one types, and what it says about a name under the pointer: the fields of states
// and actions, and the kit's helpers.

import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { hoverTooltip, type Tooltip } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import type { Documented, Glossary } from "../../core/documentation.ts";
import { Types } from "./types.ts";

/** Returns a source of proposals for the bots of a game. */
export function proposals(glossary: () => Glossary) {
  return (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context;
    const node = syntaxTree(state).resolveInner(pos, -1);
    const types = typesIn(state, glossary());
    if (node.name === "String") return inText(glossary(), node);
    if (/Comment$|^TemplateString$/.test(node.name)) return null;
    const word = context.matchBefore(/[\w$]*/)!;
    const before = state.sliceDoc(word.from - 1, word.from);
    if (before === ".")
      return afterDot(
        glossary(),
        types,
        memberAt(node),
        word.from,
        context.explicit || word.text !== "",
      );
    if (word.text === "" && !context.explicit) return null;
    const named = node.name === "PropertyDefinition" || node.name === "ObjectExpression";
    const options = named
      ? glossary().fields(glossary().bot.action).map(option)
      : glossary().helpers.map(option);
    return { from: word.from, options, validFor: /^[\w$]*$/ };
  };
}

/** The expression before the dot at a node; null: there is none. */
function memberAt(node: SyntaxNode): SyntaxNode | null {
  for (let n: SyntaxNode | null = node; n; n = n.parent) {
    if (n.name === "MemberExpression") return n.firstChild;
    if (n.name === "Block" || n.name === "Script") return null;
  }
  return null;
}

/** Proposes the fields of a type; of one that is not known, those of all types, once a name has begun. */
function afterDot(
  glossary: Glossary,
  types: Types,
  object: SyntaxNode | null,
  from: number,
  begun: boolean,
): CompletionResult | null {
  const type = types.of(object);
  const known = glossary.fields(type);
  if (known.length > 0) return { from, options: known.map(option), validFor: /^[\w$]*$/ };
  if (type !== "" || !begun || object?.name === "this") return null;
  const all = new Map(
    glossary
      .reachable()
      .flatMap((name) =>
        glossary
          .fields(name)
          .map((f) => [f.name, { ...option(f), detail: `${f.type} of ${name}` }]),
      ),
  );
  return { from, options: [...all.values()], validFor: /^[\w$]*$/ };
}

function inText(glossary: Glossary, node: SyntaxNode): CompletionResult {
  return {
    from: node.from + 1,
    options: glossary
      .texts()
      .map(({ text, about }) => ({ label: text, type: "text", info: about })),
    validFor: /^[^"'`]*$/,
  };
}

function option(documented: Documented): Completion {
  const { name, type, parameters, about } = documented;
  const documentation = about === "" ? {} : { info: about };
  if (parameters === undefined)
    return { label: name, type: "property", detail: type, ...documentation };
  return { label: name, type: "function", detail: `(${parameters}): ${type}`, ...documentation };
}

function typesIn(state: EditorState, glossary: Glossary): Types {
  return new Types(glossary, (node) => state.sliceDoc(node.from, node.to));
}

/** Shows the documentation of the name under the pointer. */
export function explanations(glossary: () => Glossary) {
  return hoverTooltip((view, pos, side): Tooltip | null => {
    const node = syntaxTree(view.state).resolveInner(pos, side);
    const found = documentedAt(view.state, glossary(), node);
    if (!found) return null;
    return {
      pos: node.from,
      end: node.to,
      above: true,
      create: () => ({ dom: explanation(found) }),
    };
  });
}

function documentedAt(
  state: EditorState,
  glossary: Glossary,
  node: SyntaxNode,
): Documented | undefined {
  const name = state.sliceDoc(node.from, node.to);
  if (node.name === "VariableName") return glossary.helpers.find((h) => h.name === name);
  if (node.name !== "PropertyName") return undefined;
  return glossary.field(typesIn(state, glossary).of(node.parent!.firstChild), name);
}

function explanation({ name, type, parameters, about }: Documented): HTMLElement {
  const dom = document.createElement("div");
  const head = dom.appendChild(document.createElement("code"));
  dom.className = "explanation";
  head.textContent =
    parameters === undefined ? `${name}: ${type}` : `${name}(${parameters}): ${type}`;
  if (about) dom.appendChild(document.createElement("p")).textContent = about;
  return dom;
}
