// Checks a syntax tree against the policy and reports all violations.

import { losesThis } from "./guard-chains.ts";
import { hasRest, isPosition, isSimple } from "./nodes.ts";
import { LIMITS } from "./limits.ts";
import { GLOBALS, REFUSED_FORMS, REFUSED_GLOBALS, REFUSED_PROPERTIES, REFUSED_SYNTAX, SYNTAX } from "./policy.ts";
import { isDeclared, scopeOf, type Scope } from "./scope.ts";
import { childrenOf, isFunction, lineAt, type AnyNode } from "./tree.ts";

/** A violation with a message for the author. Lines count from 1. */
export type Issue = { readonly message: string; readonly line: number };

/** The maximum number of reported violations. */
const MOST_ISSUES = 20;

/** The surroundings of a node. */
type Place = {
  readonly scope: Scope | null;
  readonly parent: AnyNode | null;
  readonly grandparent: AnyNode | null;
  /** True if `this` is bound to an object. */
  readonly hasThis: boolean;
  /** The number of nodes above. */
  readonly depth: number;
};

/**
 * Returns the violations in the order of their lines, each message once per line. `providedNames` are names that the
 * program may use without declaring them, besides the globals of the policy.
 */
export function inspect(tree: AnyNode, source: string, given: readonly string[]): Issue[] {
  const issues = new Map<string, Issue>();

  function report(node: AnyNode, message: string): void {
    if (issues.size >= MOST_ISSUES) return;
    const line = lineAt(source, node.start);
    issues.set(`${line} ${message}`, { message, line });
  }
  const refuse = (node: AnyNode, [name, instead]: readonly [string, string]): void =>
    report(node, `${name} is not allowed: ${instead}`);

  function walk(node: AnyNode, place: Place): void {
    if (place.depth > LIMITS.nesting) return report(node, "It is nested too deeply: break it up");
    if (!SYNTAX.has(node.type)) return refuse(node, REFUSED_SYNTAX[node.type] ?? [node.type, "write it another way"]);
    for (const form of formsOf(node, place)) refuse(node, REFUSED_FORMS[form]);
    const name = propertyOf(node);
    const instead = name === null ? undefined : own(REFUSED_PROPERTIES, name);
    if (instead !== undefined && !isBorrowing(node, place)) report(node, `\`${name}\` is not allowed: ${instead}`);
    if (node.type === "Identifier") return identifier(node, place);
    const scope = scopeOf(node, place.scope);
    const hasThis = place.hasThis || (isFunction(node) && node.type !== "ArrowFunctionExpression") || isField(node);
    for (const child of childrenOf(node))
      walk(child, { scope, parent: node, grandparent: place.parent, hasThis, depth: place.depth + 1 });
  }

  function identifier(node: Extract<AnyNode, { type: "Identifier" }>, { scope, parent }: Place): void {
    if (node.name.startsWith("$g_")) return refuse(node, REFUSED_FORMS.reserved);
    if (parent !== null && isOnlyName(node, parent)) return;
    const { name } = node;
    if (isDeclared(scope, name) || GLOBALS.has(name)) return;
    const instead = own(REFUSED_GLOBALS, name);
    report(node, instead === undefined ? `\`${name}\` is not defined` : `\`${name}\` is not available: ${instead}`);
  }

  walk(tree, {
    scope: { names: new Set(given), outer: null },
    parent: null,
    grandparent: null,
    hasThis: false,
    depth: 0,
  });
  return [...issues.values()].sort((a, b) => a.line - b.line);
}

/** Returns an own member of a table: names such as `constructor` come from the program. */
function own(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * True for calls such as `Object.prototype.hasOwnProperty.call(…)`. They are common, and harmless because prototypes
 * are frozen.
 */
function isBorrowing(node: AnyNode, { parent, grandparent, scope }: Place): boolean {
  if (node.type !== "MemberExpression" || spelled(node.property, node.computed) !== "prototype") return false;
  const { object } = node;
  const isBuiltIn = object.type === "Identifier" && GLOBALS.has(object.name) && !isDeclared(scope, object.name);
  const isMethod = parent?.type === "MemberExpression" && parent.object === node;
  const isUsed =
    grandparent?.type === "MemberExpression" &&
    /^(?:call|apply)$/.test(spelled(grandparent.property, grandparent.computed) ?? "");
  return isBuiltIn && isMethod && isUsed;
}

function isField(node: AnyNode): boolean {
  return node.type === "PropertyDefinition";
}

/** True if an identifier is a property name or a label, not a variable. */
function isOnlyName(node: AnyNode, parent: AnyNode): boolean {
  switch (parent.type) {
    case "MemberExpression":
      return parent.property === node && !parent.computed;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return parent.key === node && parent.value !== node && !parent.computed;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return true;
    default:
      return false;
  }
}

/** Returns the property name that a node contains literally; null if there is none. */
function propertyOf(node: AnyNode): string | null {
  switch (node.type) {
    case "MemberExpression":
      return spelled(node.property, node.computed);
    case "PropertyDefinition":
    case "Property":
      return spelled(node.key, node.computed);
    case "MethodDefinition":
      return node.kind === "constructor" ? null : spelled(node.key, node.computed);
    default:
      return null;
  }
}

/** Returns the name of a key if it is known before the program runs. */
function spelled(key: AnyNode, computed: boolean): string | null {
  if (key.type === "Literal" && typeof key.value === "string") return key.value;
  if (key.type === "TemplateLiteral" && key.expressions.length === 0) return key.quasis[0]?.value.cooked ?? null;
  return key.type === "Identifier" && !computed ? key.name : null;
}

/** Returns the refused forms that a node has. */
function formsOf(node: AnyNode, { parent, grandparent, hasThis }: Place): (keyof typeof REFUSED_FORMS)[] {
  if (isFunction(node))
    return [...(node.async ? (["async"] as const) : []), ...(node.generator ? (["generator"] as const) : [])];
  switch (node.type) {
    case "ForOfStatement":
      return [...(node.await ? (["forAwait"] as const) : []), ...loopTarget(node.left)];
    case "ForInStatement":
      return loopTarget(node.left);
    case "Property":
    case "MethodDefinition":
      return node.kind === "get" || node.kind === "set" ? ["accessor"] : [];
    case "ClassDeclaration":
    case "ClassExpression":
      return node.superClass ? ["extends"] : [];
    case "ChainExpression":
      return losesThis(node.expression) ? ["optionalMethod"] : [];
    case "ThisExpression":
      return hasThis ? [] : ["thisOutside"];
    case "ArrayPattern":
    case "ObjectPattern":
      // A parameter may have a default.
      return patternForms(
        node,
        parent?.type === "AssignmentPattern" && grandparent && isFunction(grandparent) ? grandparent : parent,
      );
    case "AssignmentExpression":
    case "UpdateExpression":
      return isPrivateOfMore(node.type === "UpdateExpression" ? node.argument : node.left) ? ["patternTarget"] : [];
    default:
      return [];
  }
}

/** Refuses targets other than names in the head of a loop, because no guard sees the assignment. */
function loopTarget(left: AnyNode): (keyof typeof REFUSED_FORMS)[] {
  return left.type === "VariableDeclaration" || left.type === "Identifier" ? [] : ["patternTarget"];
}

/** Returns the refused forms of a pattern. */
function patternForms(
  node: Extract<AnyNode, { type: "ArrayPattern" | "ObjectPattern" }>,
  parent: AnyNode | null,
): (keyof typeof REFUSED_FORMS)[] {
  const parts: readonly (AnyNode | null)[] = node.type === "ArrayPattern" ? node.elements : node.properties;
  const found: (keyof typeof REFUSED_FORMS)[] = [];
  if (hasRest(node) && !mayRest(parent)) found.push("nestedRest");
  for (const part of parts) {
    if (part?.type === "Property" && !part.computed && isPosition(part.key) && !mayRead(parent))
      found.push("patternPosition");
    const target = targetOf(part);
    if (target?.type === "MemberExpression" && !isPlainTarget(target)) found.push("patternTarget");
  }
  return found;
}

/** True where a guard can pay for the copy that a rest makes. */
function mayRest(parent: AnyNode | null): boolean {
  switch (parent?.type) {
    case "VariableDeclarator":
      return parent.init !== null && parent.init !== undefined;
    case "AssignmentExpression":
    case "CatchClause":
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return true;
    default:
      return false;
  }
}

/** True where a guard checks the value before the pattern reads a position of it. */
function mayRead(parent: AnyNode | null): boolean {
  return mayRest(parent) && !isFunction(parent as AnyNode);
}

function targetOf(part: AnyNode | null): AnyNode | null {
  const value = part?.type === "Property" ? part.value : part;
  return value?.type === "AssignmentPattern" ? value.left : value;
}

/** True for targets that need no guard, or that a guard can evaluate twice. */
function isPlainTarget(node: Extract<AnyNode, { type: "MemberExpression" }>): boolean {
  if (!node.computed) return node.property.type === "Identifier" && node.property.name !== "length";
  return isSimple(node.object) && isSimple(node.property);
}

/** True for `a().#x += 1` and the like: the object would have to be evaluated twice. */
function isPrivateOfMore(target: AnyNode): boolean {
  return target.type === "MemberExpression" && target.property.type === "PrivateIdentifier" && !isSimple(target.object);
}
