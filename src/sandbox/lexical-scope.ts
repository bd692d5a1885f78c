// Resolves which names are declared at a position in code.

import { listChildren, isFunction, listBoundNames, type AnyNode } from "./syntax-tree.ts";

/** The names declared in a scope, with the scope around it. */
export type LexicalScope = { readonly names: ReadonlySet<string>; readonly outer: LexicalScope | null };

/** True if the name is declared in the scope or in one around it; false for null. */
export function isDeclared(scope: LexicalScope | null, name: string): boolean {
  for (let at = scope; at !== null; at = at.outer) if (at.names.has(name)) return true;
  return false;
}

/** Returns the scope for the children of a node: a new scope if the node declares names, otherwise `outer`. */
export function openScope(node: AnyNode, outer: LexicalScope | null): LexicalScope | null {
  const names = listDeclaredNames(node);
  return names.length === 0 ? outer : { names: new Set(names), outer };
}

/** Returns the names that a node declares for its children. */
function listDeclaredNames(node: AnyNode): string[] {
  switch (node.type) {
    case "Program":
      return [...listHoistedNames(node.body), ...listLexicalNames(node.body)];
    case "BlockStatement":
    case "StaticBlock":
      return listLexicalNames(node.body);
    case "SwitchStatement":
      return listLexicalNames(node.cases.flatMap((each) => each.consequent));
    case "ForStatement":
      return node.init?.type === "VariableDeclaration" ? listLexicalNames([node.init]) : [];
    case "ForInStatement":
    case "ForOfStatement":
      return node.left.type === "VariableDeclaration" ? listLexicalNames([node.left]) : [];
    case "CatchClause":
      return listBoundNames(node.param ?? null);
    case "ClassExpression":
    case "ClassDeclaration":
      return node.id ? [node.id.name] : [];
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return [
        ...(node.type === "FunctionExpression" && node.id ? [node.id.name] : []),
        ...node.params.flatMap((param) => listBoundNames(param)),
        ...listHoistedNames([node.body]),
      ];
    default:
      return [];
  }
}

/** Returns the names that the statements themselves declare with `let`, `const`, `class` and `function`. */
function listLexicalNames(statements: readonly AnyNode[]): string[] {
  return statements.flatMap((statement) => {
    if (statement.type === "ExportNamedDeclaration" || statement.type === "ExportDefaultDeclaration")
      return statement.declaration ? listLexicalNames([statement.declaration]) : [];
    if (statement.type === "VariableDeclaration")
      return statement.kind === "var" ? [] : statement.declarations.flatMap(({ id }) => listBoundNames(id));
    if (statement.type === "FunctionDeclaration" || statement.type === "ClassDeclaration")
      return statement.id ? [statement.id.name] : [];
    return [];
  });
}

/** Returns the names that `var` declares below the nodes, without nested functions. */
function listHoistedNames(nodes: readonly AnyNode[]): string[] {
  return nodes.flatMap((node) => {
    if (isFunction(node)) return [];
    const own = node.type === "VariableDeclaration" && node.kind === "var" ? node.declarations : [];
    return [...own.flatMap(({ id }) => listBoundNames(id)), ...listHoistedNames(listChildren(node))];
  });
}
