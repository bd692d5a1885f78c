// Parses source and walks syntax trees.

import { parse, type AnyNode, type Program } from "acorn";

export type { AnyNode } from "acorn";

/** A syntax tree, or a message for the author. */
export type ParsedSource =
  | { readonly ok: true; readonly tree: Program }
  | { readonly ok: false; readonly message: string; readonly line: number };

/**
 * Parses a module (strict mode) in which `return` is allowed at the top level. Deeply nested code is an error instead
 * of a stack overflow.
 */
export function parseSource(source: string): ParsedSource {
  try {
    const tree = parse(source, {
      ecmaVersion: "latest",
      sourceType: "module",
      allowReturnOutsideFunction: true,
      allowHashBang: false,
    });
    return { ok: true, tree };
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError) || thrown.message.includes("stack space"))
      return { ok: false, message: "It is nested too deeply to be read", line: 1 };
    const line = (thrown as SyntaxError & { loc?: { line: number } }).loc?.line ?? 1;
    return { ok: false, message: `Syntax error: ${thrown.message.replace(/ \(\d+:\d+\)$/, "")}`, line };
  }
}

/** Returns the direct children in the order of the source. A shorthand property has one child, its value. */
export function listChildren(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = [];
  for (const [name, value] of Object.entries(node)) {
    if (name === "key" && node.type === "Property" && node.shorthand) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) children.push(child);
  }
  return children.sort((a, b) => a.start - b.start);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** True for function declarations, function expressions (methods contain one) and arrow functions. */
export function isFunction(
  node: AnyNode,
): node is Extract<AnyNode, { type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" }> {
  return (
    node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression"
  );
}

/** True for all `for`, `while` and `do` loops. */
export function isLoop(
  node: AnyNode,
): node is Extract<
  AnyNode,
  { type: "ForStatement" | "ForInStatement" | "ForOfStatement" | "WhileStatement" | "DoWhileStatement" }
> {
  return /^(For|ForIn|ForOf|While|DoWhile)Statement$/.test(node.type);
}

/** Returns the names that a pattern declares. */
export function listBoundNames(pattern: AnyNode | null): string[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        listBoundNames(property.type === "Property" ? property.value : property),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => listBoundNames(element));
    case "AssignmentPattern":
      return listBoundNames(pattern.left);
    case "RestElement":
      return listBoundNames(pattern.argument);
    default:
      return [];
  }
}

// Names by function node, so that nested functions are not walked again for each enclosing function. Entries are
// released with their trees.
const identifierCache = new WeakMap<AnyNode, ReadonlySet<string>>();

/**
 * Returns the names of all identifiers in a node, regardless of their role. Cached by node: the tree must not change.
 */
export function collectIdentifiers(node: AnyNode): ReadonlySet<string> {
  const earlier = identifierCache.get(node);
  if (earlier !== undefined) return earlier;
  const names = new Set<string>();
  const read = (below: AnyNode): void => {
    if (below.type === "Identifier") names.add(below.name);
    for (const child of listChildren(below))
      if (isFunction(child)) for (const name of collectIdentifiers(child)) names.add(name);
      else read(child);
  };
  read(node);
  identifierCache.set(node, names);
  return names;
}

/** Returns the names of the members in a node: literal keys and identifiers, also in brackets. Adds them to `names`. */
export function collectMemberNames(node: AnyNode, names = new Set<string>()): ReadonlySet<string> {
  const key =
    node.type === "MemberExpression"
      ? node.property
      : node.type === "Property" || node.type === "PropertyDefinition"
        ? node.key
        : null;
  if (key?.type === "Literal") names.add(String(key.value));
  else if (key?.type === "Identifier") names.add(key.name);
  for (const child of listChildren(node)) collectMemberNames(child, names);
  return names;
}

/** Returns the line of an offset, counted from 1. */
export function getLineNumber(source: string, offset: number): number {
  let line = 1;
  for (let at = 0; at < offset; at += 1) if (source.charCodeAt(at) === 10) line += 1;
  return line;
}
