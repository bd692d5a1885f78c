// What code costs by what stands in it. It is paid before it runs, once for each entry of a function and each turn of a
// loop.

import { g, type Pay } from "./guards.ts";
import { STEPS_PER_BYTE } from "./limits.ts";
import { childrenOf, identifiersIn, isFunction, isLoop, memberNamesIn, type AnyNode } from "./tree.ts";

export function payFor(program: AnyNode): Pay {
  const member = memberNamesIn(program).size > MOST_NAMES || deletes(program) ? TABLED : FAST;
  // Inline, because it happens all the time.
  return (node) => `(${g("budget")}.left-=${weightOf(node, member, true)})<0&&${g("more")}()`;
}

/** With more names, or after `delete`, the engine makes a table of an object. */
const MOST_NAMES = 100;

/** Bytes for a member that is written by its name. */
const FAST = 12;
const TABLED = 160;

function deletes(node: AnyNode): boolean {
  return (node.type === "UnaryExpression" && node.operator === "delete") || childrenOf(node).some(deletes);
}

function weightOf(node: AnyNode, member: number, isTop: boolean): number {
  if (!isTop && isFunction(node))
    return STEPS_PER_BYTE * ((node.type === "ArrowFunctionExpression" ? 64 : CONSTRUCTOR) + keptBy(node));
  // The head of a loop that never turns runs all the same.
  const children = !isTop && isLoop(node) ? childrenOf(node).filter((child) => child !== node.body) : childrenOf(node);
  let weight = 1 + STEPS_PER_BYTE * bytesOf(node, member);
  for (const child of children) weight += weightOf(child, member, false);
  return weight;
}

/** What a function needs of what is around it, the engine keeps by itself: at most one place for each name. */
function keptBy(node: AnyNode): number {
  return 8 * identifiersIn(node).size;
}

/** What a node allocates, at most. */
function bytesOf(node: AnyNode, member: number): number {
  const own = BYTES[node.type] ?? 0;
  switch (node.type) {
    case "ArrayExpression":
      return own + node.elements.length * 12;
    case "ArrayPattern":
      return own + node.elements.length * member;
    case "ObjectPattern":
      return node.properties.length * member;
    case "ObjectExpression": {
      // A position as a name costs the object a table.
      const hasPositions = node.properties.some(
        (each) => each.type === "Property" && each.key.type === "Literal" && typeof each.key.value === "number",
      );
      return own + node.properties.length * member + (hasPositions ? 200 : 0);
    }
    case "AssignmentExpression":
      return node.left.type === "MemberExpression" && !node.left.computed ? member : 0;
    case "PropertyDefinition":
      return own + member + keptBy(node);
    case "CallExpression":
    case "NewExpression":
      // They may be kept, as a rest.
      return own + Math.max(0, node.arguments.length - FEW) * 12;
    default:
      return own;
  }
}

/** What `new` makes of a function has a form of its own. */
const CONSTRUCTOR = 464;

/** Arguments that are no matter: a rest has paid for so many. */
const FEW = 8;

const BYTES: Readonly<Record<string, number>> = {
  ArrayExpression: 56,
  ObjectExpression: 64,
  NewExpression: 64,
  ClassExpression: 800,
  ClassDeclaration: 800,
  MethodDefinition: 64,
  PropertyDefinition: 12,
  RestElement: 56 + 12 * FEW,
  ArrayPattern: 8,
};
