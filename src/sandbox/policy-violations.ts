// Checks a syntax tree against the policy and reports all violations.

import { losesReceiver } from "./instrument-chains.ts";
import { hasRest, isPosition, isRepeatable } from "./node-predicates.ts";
import { LIMITS } from "./sandbox-limits.ts";
import {
  ALLOWED_GLOBALS,
  REFUSED_FORMS,
  REFUSED_GLOBALS,
  REFUSED_PROPERTIES,
  REFUSED_SYNTAX,
  ALLOWED_SYNTAX,
} from "./sandbox-policy.ts";
import { isDeclared, openScope, type LexicalScope } from "./lexical-scope.ts";
import { listChildren, isFunction, getLineNumber, type AnyNode } from "./syntax-tree.ts";

/** A violation with a message for the author. Lines count from 1. */
export type ProgramIssue = { readonly message: string; readonly line: number };

/** The maximum number of reported violations. */
const MAX_ISSUES = 20;

/** The surroundings of a node. */
type NodeContext = {
  readonly scope: LexicalScope | null;
  readonly parent: AnyNode | null;
  readonly grandparent: AnyNode | null;
  /** True if `this` is bound to an object. */
  readonly hasThis: boolean;
  /** The number of nodes above. */
  readonly depth: number;
};

/**
 * Returns the violations in the order of their lines, each message once per line, at most `MAX_ISSUES`. `providedNames`
 * are names that the program may use without declaring them, besides the globals of the policy. Code below a refused
 * node is not checked.
 */
export function findPolicyViolations(tree: AnyNode, source: string, providedNames: readonly string[]): ProgramIssue[] {
  const issues = new Map<string, ProgramIssue>();

  function report(node: AnyNode, message: string): void {
    if (issues.size >= MAX_ISSUES) return;
    const line = getLineNumber(source, node.start);
    issues.set(`${line} ${message}`, { message, line });
  }
  const reportRefused = (node: AnyNode, [name, instead]: readonly [string, string]): void =>
    report(node, `${name} is not allowed: ${instead}`);

  function walk(node: AnyNode, context: NodeContext): void {
    if (context.depth > LIMITS.nesting) return report(node, "It is nested too deeply: break it up");
    if (!ALLOWED_SYNTAX.has(node.type))
      return reportRefused(node, REFUSED_SYNTAX[node.type] ?? [node.type, "write it another way"]);
    for (const form of findRefusedForms(node, context)) reportRefused(node, REFUSED_FORMS[form]);
    const name = getPropertyName(node);
    const instead = name === null ? undefined : getOwn(REFUSED_PROPERTIES, name);
    if (instead !== undefined && !isPrototypeMethodCall(node, context))
      report(node, `\`${name}\` is not allowed: ${instead}`);
    if (node.type === "Identifier") return checkIdentifier(node, context);
    const scope = openScope(node, context.scope);
    const hasThis = context.hasThis || (isFunction(node) && node.type !== "ArrowFunctionExpression") || isField(node);
    for (const child of listChildren(node))
      walk(child, { scope, parent: node, grandparent: context.parent, hasThis, depth: context.depth + 1 });
  }

  function checkIdentifier(node: Extract<AnyNode, { type: "Identifier" }>, { scope, parent }: NodeContext): void {
    if (node.name.startsWith("$g_")) return reportRefused(node, REFUSED_FORMS.reserved);
    if (parent !== null && isPropertyOrLabel(node, parent)) return;
    const { name } = node;
    if (isDeclared(scope, name) || ALLOWED_GLOBALS.has(name)) return;
    const instead = getOwn(REFUSED_GLOBALS, name);
    report(node, instead === undefined ? `\`${name}\` is not defined` : `\`${name}\` is not available: ${instead}`);
  }

  walk(tree, {
    scope: { names: new Set(providedNames), outer: null },
    parent: null,
    grandparent: null,
    hasThis: false,
    depth: 0,
  });
  return [...issues.values()].sort((a, b) => a.line - b.line);
}

/** Returns an own member of a table: names such as `constructor` come from the program. */
function getOwn(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * True for calls such as `Object.prototype.hasOwnProperty.call(…)`. They are common, and harmless because prototypes
 * are frozen.
 */
function isPrototypeMethodCall(node: AnyNode, { parent, grandparent, scope }: NodeContext): boolean {
  if (node.type !== "MemberExpression" || getStaticKey(node.property, node.computed) !== "prototype") return false;
  const { object: receiver } = node;
  const isBuiltIn =
    receiver.type === "Identifier" && ALLOWED_GLOBALS.has(receiver.name) && !isDeclared(scope, receiver.name);
  const isMethod = parent?.type === "MemberExpression" && parent.object === node;
  const isUsed =
    grandparent?.type === "MemberExpression" &&
    /^(?:call|apply)$/.test(getStaticKey(grandparent.property, grandparent.computed) ?? "");
  return isBuiltIn && isMethod && isUsed;
}

function isField(node: AnyNode): boolean {
  return node.type === "PropertyDefinition";
}

/** True if an identifier is a property name or a label, not a variable. */
function isPropertyOrLabel(node: AnyNode, parent: AnyNode): boolean {
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
function getPropertyName(node: AnyNode): string | null {
  switch (node.type) {
    case "MemberExpression":
      return getStaticKey(node.property, node.computed);
    case "PropertyDefinition":
    case "Property":
      return getStaticKey(node.key, node.computed);
    case "MethodDefinition":
      return node.kind === "constructor" ? null : getStaticKey(node.key, node.computed);
    default:
      return null;
  }
}

/** Returns the name of a key if it is known before the program runs. */
function getStaticKey(key: AnyNode, computed: boolean): string | null {
  if (key.type === "Literal" && typeof key.value === "string") return key.value;
  if (key.type === "TemplateLiteral" && key.expressions.length === 0) return key.quasis[0]?.value.cooked ?? null;
  return key.type === "Identifier" && !computed ? key.name : null;
}

/** Returns the refused forms that a node has. */
function findRefusedForms(
  node: AnyNode,
  { parent, grandparent, hasThis }: NodeContext,
): (keyof typeof REFUSED_FORMS)[] {
  if (isFunction(node))
    return [...(node.async ? (["async"] as const) : []), ...(node.generator ? (["generator"] as const) : [])];
  switch (node.type) {
    case "ForOfStatement":
      return [...(node.await ? (["forAwait"] as const) : []), ...checkLoopTarget(node.left)];
    case "ForInStatement":
      return checkLoopTarget(node.left);
    case "Property":
    case "MethodDefinition":
      return node.kind === "get" || node.kind === "set" ? ["accessor"] : [];
    case "ClassDeclaration":
    case "ClassExpression":
      return node.superClass ? ["extends"] : [];
    case "ChainExpression":
      return losesReceiver(node.expression) ? ["optionalMethod"] : [];
    case "ThisExpression":
      return hasThis ? [] : ["thisOutside"];
    case "ArrayPattern":
    case "ObjectPattern":
      // A parameter may have a default.
      return findRefusedPatternForms(
        node,
        parent?.type === "AssignmentPattern" && grandparent && isFunction(grandparent) ? grandparent : parent,
      );
    case "AssignmentExpression":
    case "UpdateExpression":
      return isPrivateMemberOfExpression(node.type === "UpdateExpression" ? node.argument : node.left)
        ? ["patternTarget"]
        : [];
    default:
      return [];
  }
}

/** Refuses targets other than names in the head of a loop, because no guard sees the assignment. */
function checkLoopTarget(left: AnyNode): (keyof typeof REFUSED_FORMS)[] {
  return left.type === "VariableDeclaration" || left.type === "Identifier" ? [] : ["patternTarget"];
}

/** Returns the refused forms of a pattern. */
function findRefusedPatternForms(
  node: Extract<AnyNode, { type: "ArrayPattern" | "ObjectPattern" }>,
  parent: AnyNode | null,
): (keyof typeof REFUSED_FORMS)[] {
  const parts: readonly (AnyNode | null)[] = node.type === "ArrayPattern" ? node.elements : node.properties;
  const found: (keyof typeof REFUSED_FORMS)[] = [];
  if (hasRest(node) && !allowsRest(parent)) found.push("nestedRest");
  for (const part of parts) {
    if (part?.type === "Property" && !part.computed && isPosition(part.key) && !allowsPositions(parent))
      found.push("patternPosition");
    const target = getAssignmentTarget(part);
    if (target?.type === "MemberExpression" && !isPlainTarget(target)) found.push("patternTarget");
  }
  return found;
}

/** True where a guard can pay for the copy that a rest makes. */
function allowsRest(parent: AnyNode | null): boolean {
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
function allowsPositions(parent: AnyNode | null): boolean {
  return allowsRest(parent) && !isFunction(parent as AnyNode);
}

function getAssignmentTarget(part: AnyNode | null): AnyNode | null {
  const value = part?.type === "Property" ? part.value : part;
  return value?.type === "AssignmentPattern" ? value.left : value;
}

/** True for targets that need no guard, or that a guard can evaluate twice. */
function isPlainTarget(node: Extract<AnyNode, { type: "MemberExpression" }>): boolean {
  if (!node.computed) return node.property.type === "Identifier" && node.property.name !== "length";
  return isRepeatable(node.object) && isRepeatable(node.property);
}

/** True for `a().#x += 1` and the like: the object would have to be evaluated twice. */
function isPrivateMemberOfExpression(target: AnyNode): boolean {
  return (
    target.type === "MemberExpression" && target.property.type === "PrivateIdentifier" && !isRepeatable(target.object)
  );
}
