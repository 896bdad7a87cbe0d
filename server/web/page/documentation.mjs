// What the page's editor says about the JavaScript kit, from the kit's declarations, of which those of states and
// actions are generated from the games' models.

import { readFileSync } from "node:fs";
import ts from "typescript";

const DECLARATIONS = new URL("../../../bots/kits/javascript/hexarena.d.ts", import.meta.url);

/** Returns the types and the helpers that the kit declares, as core/documentation.ts describes them. */
export function documentation() {
  const source = ts.createSourceFile(
    "hexarena.d.ts",
    readFileSync(DECLARATIONS, "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const types = {};
  const helpers = [];
  for (const node of source.statements) {
    const name = node.name?.text;
    if (ts.isInterfaceDeclaration(node))
      types[name] = { about: about(node), fields: node.members.map((m) => fieldOf(m, source)) };
    if (ts.isTypeAliasDeclaration(node))
      types[name] = { about: about(node), alias: node.type.getText(source) };
    if (ts.isFunctionDeclaration(node))
      helpers.push({ name, ...signatureOf(node, source), about: about(node) });
    if (ts.isVariableStatement(node)) {
      const [variable] = node.declarationList.declarations;
      helpers.push({
        name: variable.name.text,
        type: variable.type.getText(source),
        about: about(node),
      });
    }
  }
  return { types, helpers };
}

function fieldOf(member, source) {
  const optional = member.questionToken ? { optional: true } : {};
  const named = { name: member.name.text, about: about(member), ...optional };
  return ts.isMethodSignature(member)
    ? { ...named, ...signatureOf(member, source) }
    : { ...named, type: member.type.getText(source) };
}

function signatureOf(node, source) {
  return {
    parameters: node.parameters.map((p) => p.getText(source)).join(", "),
    type: node.type.getText(source),
  };
}

/** Returns the text of the comment before a declaration. */
function about(node) {
  return (node.jsDoc ?? [])
    .map(({ comment }) => ts.getTextOfJSDocComment(comment))
    .join(" ")
    .replace(/\s+/g, " ");
}
