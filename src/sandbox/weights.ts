// Computes the fixed cost of code from its syntax. It is paid before the code runs, once per entry of a function and
// per iteration of a loop. Costs are upper bounds for memory; values that grow are paid at run time.

import { g, type Pay } from "./guards.ts";
import { STEPS_PER_BYTE } from "./limits.ts";
import { childrenOf, identifiersIn, isFunction, isLoop, memberNamesIn, type AnyNode } from "./tree.ts";

/** Returns the renderer of payments for a program. Payments are inline, because they are executed very often. */
export function payFor(program: AnyNode): Pay {
  const member = memberNamesIn(program).size > MOST_NAMES || deletes(program) ? TABLED : FAST;
  return (node) => `(${g("budget")}.left-=${weightOf(node, member, true)})<0&&${g("more")}()`;
}

/** With more names, or after `delete`, the engine stores an object as a hash table. */
const MOST_NAMES = 100;

// Bytes for a member with a literal name.
const FAST = 12;
const TABLED = 160;

function deletes(node: AnyNode): boolean {
  return (node.type === "UnaryExpression" && node.operator === "delete") || childrenOf(node).some(deletes);
}

/** Returns the steps for one execution of a node. Nested functions cost their creation, nested loops their head. */
function weightOf(node: AnyNode, member: number, isTop: boolean): number {
  if (!isTop && isFunction(node))
    return STEPS_PER_BYTE * ((node.type === "ArrowFunctionExpression" ? 64 : CONSTRUCTOR) + keptBy(node));
  // The head of a loop is evaluated even if its body is not.
  const children = !isTop && isLoop(node) ? childrenOf(node).filter((child) => child !== node.body) : childrenOf(node);
  let weight = 1 + STEPS_PER_BYTE * bytesOf(node, member);
  for (const child of children) weight += weightOf(child, member, false);
  return weight;
}

/** Returns the bytes that a closure keeps of its surroundings: at most one slot per name. */
function keptBy(node: AnyNode): number {
  return 8 * identifiersIn(node).size;
}

/** Returns the maximum number of bytes that a node allocates itself. */
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
      // Numeric names make the engine store the object as a table.
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
      // The arguments may be kept by a rest parameter.
      return own + Math.max(0, node.arguments.length - FEW) * 12;
    default:
      return own;
  }
}

/** Bytes for a function that can be called with `new`: the engine creates a layout for its objects. */
const CONSTRUCTOR = 464;

/** The number of arguments that a rest parameter has already paid for. */
const FEW = 8;

// Bytes by node type.
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
