// The types of expressions in the code of a bot, as far as they can be told without running it: of the parameters
// of turn(), of fields, of elements of lists, and of variables that hold them.

import type { SyntaxNode } from "@lezer/common";
import type { Glossary } from "../../core/documentation.ts";

/** Methods of lists whose functions get an element first. */
const EACH = new Set([
  "filter",
  "map",
  "flatMap",
  "find",
  "findLast",
  "findIndex",
  "some",
  "every",
  "forEach",
  "sort",
  "toSorted",
]);
/** Those that return a list of the same elements, and an element. */
const SAME = new Set(["filter", "slice", "concat", "sort", "toSorted", "reverse", "toReversed"]);
const ONE = new Set(["find", "findLast", "at", "pop", "shift"]);

/** An expression refers to at most so many others: code may be in a circle. */
const DEEPEST = 20;

export class Types {
  constructor(
    private readonly glossary: Glossary,
    private readonly text: (node: SyntaxNode) => string,
  ) {}

  /** Returns the type of an expression; empty: not known. */
  of(node: SyntaxNode | null, depth = 0): string {
    if (!node || depth > DEEPEST) return "";
    const next = (n: SyntaxNode | null | undefined) => this.of(n ?? null, depth + 1);
    switch (node.name) {
      case "VariableName":
        return this.ofVariable(node, depth + 1);
      case "ParenthesizedExpression":
        return next(node.firstChild?.nextSibling);
      case "MemberExpression":
        return this.ofMember(node, depth + 1);
      case "CallExpression":
        return this.ofCall(node, depth + 1);
      case "ArrayExpression": {
        const first = node.firstChild?.nextSibling;
        if (first?.name === "Spread") return next(first.nextSibling);
        const type = next(first);
        return type && `${type}[]`;
      }
    }
    return "";
  }

  private ofMember(node: SyntaxNode, depth: number): string {
    const { firstChild: object, lastChild: last } = node;
    if (last?.name === "]") return this.glossary.element(this.of(object, depth));
    if (last?.name !== "PropertyName") return "";
    const name = this.text(last);
    if (object?.name === "this") return this.ofOwn(node, name, depth);
    const type = this.of(object, depth);
    const field = this.glossary.field(type, name);
    return field && field.parameters === undefined ? this.glossary.plain(field.type) : "";
  }

  /** Returns the type of a field of the bot, by the first assignment to it. */
  private ofOwn(node: SyntaxNode, name: string, depth: number): string {
    let body: SyntaxNode | null = node;
    while (body && body.name !== "ClassBody") body = body.parent;
    for (const assigned of body
      ?.getChildren("MethodDeclaration")
      .flatMap((m) => m.lastChild?.getChildren("ExpressionStatement") ?? []) ?? []) {
      const { name: kind, firstChild: target, lastChild: value } = assigned.firstChild ?? assigned;
      if (kind === "AssignmentExpression" && target && this.text(target) === `this.${name}`)
        return this.of(value, depth);
    }
    return "";
  }

  private ofCall(node: SyntaxNode, depth: number): string {
    const callee = node.firstChild;
    if (callee?.name === "VariableName")
      return this.glossary.helpers.find((h) => h.name === this.text(callee))?.type ?? "";
    if (callee?.name !== "MemberExpression" || callee.lastChild?.name !== "PropertyName") return "";
    const method = this.text(callee.lastChild);
    const list = this.of(callee.firstChild, depth);
    if (SAME.has(method)) return list;
    return ONE.has(method) ? this.glossary.element(list) : "";
  }

  /** Returns the type of a variable where it is used, by its innermost declaration around that. */
  private ofVariable(use: SyntaxNode, depth: number): string {
    const name = this.text(use);
    for (let scope = use.parent; scope; scope = scope.parent) {
      const type = this.declaredIn(scope, name, use, depth);
      if (type !== null) return type;
    }
    return "";
  }

  /** Returns the type of a variable that a scope declares; null: it does not. */
  private declaredIn(
    scope: SyntaxNode,
    name: string,
    use: SyntaxNode,
    depth: number,
  ): string | null {
    switch (scope.name) {
      case "MethodDeclaration":
      case "ArrowFunction":
      case "FunctionExpression":
      case "FunctionDeclaration": {
        const at = parametersOf(scope).findIndex((p) => this.text(p) === name);
        return at < 0 ? null : this.ofParameter(scope, at, depth);
      }
      case "ForStatement": {
        const spec = scope.getChild("ForOfSpec");
        const variable = spec?.getChild("VariableDefinition");
        if (!variable || this.text(variable) !== name) return null;
        return this.glossary.element(this.of(spec!.lastChild!.prevSibling, depth));
      }
      case "Block":
      case "Script":
        for (const declaration of scope.getChildren("VariableDeclaration")) {
          const variable = declaration.getChild("VariableDefinition");
          if (declaration.from < use.from && variable && this.text(variable) === name)
            return this.of(variable.nextSibling?.nextSibling ?? null, depth);
        }
    }
    return null;
  }

  private ofParameter(scope: SyntaxNode, at: number, depth: number): string {
    if (scope.name === "MethodDeclaration") {
      const method = this.text(scope.getChild("PropertyDefinition")!);
      if (at > 0) return "";
      if (method === "constructor") return "Match";
      return method === "turn" || method === "end" ? this.glossary.bot.state : "";
    }
    if (scope.name === "FunctionDeclaration")
      return at === 0 && this.text(scope.getChild("VariableDefinition")!) === "turn"
        ? this.glossary.bot.state
        : "";
    const callee = scope.parent?.name === "ArgList" ? scope.parent.parent?.firstChild : null;
    if (callee?.name !== "MemberExpression" || !callee.lastChild) return "";
    const method = this.text(callee.lastChild);
    if (!EACH.has(method) || (at > 0 && !method.endsWith("ort") && !method.endsWith("orted")))
      return "";
    return this.glossary.element(this.of(callee.firstChild, depth));
  }
}

/** Returns the parameters of a function that are plain names, in order. */
function parametersOf(scope: SyntaxNode): SyntaxNode[] {
  const list = scope.getChild("ParamList");
  return list?.getChildren("VariableDefinition") ?? scope.getChildren("VariableDefinition");
}
