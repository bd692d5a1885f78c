// Computes the fixed cost of code from its syntax. It is paid before the code runs, once per entry of a function and
// per iteration of a loop. Costs are upper bounds for memory; values that grow are paid at run time.

import { getGuardName, type RenderPayment } from "./guards.ts";
import { STEPS_PER_BYTE } from "./sandbox-limits.ts";
import {
  listChildren,
  collectIdentifiers,
  isFunction,
  isLoop,
  collectMemberNames,
  type AnyNode,
} from "./syntax-tree.ts";

/** Returns the renderer of payments for a program. Payments are inline, because they are executed very often. */
export function createPaymentRenderer(program: AnyNode): RenderPayment {
  const memberBytes =
    collectMemberNames(program).size > MAX_FAST_NAMES || containsDelete(program)
      ? TABLE_MEMBER_BYTES
      : FAST_MEMBER_BYTES;
  return (node) =>
    `(${getGuardName("budget")}.left-=${computeSteps(node, memberBytes, true)})<0&&${getGuardName("more")}()`;
}

/** With more names, or after `delete`, the engine stores an object as a hash table. */
const MAX_FAST_NAMES = 100;

// Bytes for a member with a literal name.
const FAST_MEMBER_BYTES = 12;
const TABLE_MEMBER_BYTES = 160;

function containsDelete(node: AnyNode): boolean {
  return (node.type === "UnaryExpression" && node.operator === "delete") || listChildren(node).some(containsDelete);
}

/** Returns the steps for one execution of a node. Nested functions cost their creation, nested loops their head. */
function computeSteps(node: AnyNode, memberBytes: number, isTop: boolean): number {
  if (!isTop && isFunction(node))
    return (
      STEPS_PER_BYTE * ((node.type === "ArrowFunctionExpression" ? 64 : CONSTRUCTOR_BYTES) + countClosureBytes(node))
    );
  // The head of a loop is evaluated even if its body is not.
  const children =
    !isTop && isLoop(node) ? listChildren(node).filter((child) => child !== node.body) : listChildren(node);
  let steps = 1 + STEPS_PER_BYTE * countAllocatedBytes(node, memberBytes);
  for (const child of children) steps += computeSteps(child, memberBytes, false);
  return steps;
}

/** Returns the bytes that a closure keeps of its surroundings: at most one slot per name. */
function countClosureBytes(node: AnyNode): number {
  return 8 * collectIdentifiers(node).size;
}

/** Returns the maximum number of bytes that a node allocates itself. */
function countAllocatedBytes(node: AnyNode, memberBytes: number): number {
  const own = NODE_BYTES[node.type] ?? 0;
  switch (node.type) {
    case "ArrayExpression":
      return own + node.elements.length * 12;
    case "ArrayPattern":
      return own + node.elements.length * memberBytes;
    case "ObjectPattern":
      return node.properties.length * memberBytes;
    case "ObjectExpression": {
      // Numeric names make the engine store the object as a table.
      const hasPositions = node.properties.some(
        (each) => each.type === "Property" && each.key.type === "Literal" && typeof each.key.value === "number",
      );
      return own + node.properties.length * memberBytes + (hasPositions ? 200 : 0);
    }
    case "AssignmentExpression":
      return node.left.type === "MemberExpression" && !node.left.computed ? memberBytes : 0;
    case "PropertyDefinition":
      return own + memberBytes + countClosureBytes(node);
    case "CallExpression":
    case "NewExpression":
      // The arguments may be kept by a rest parameter.
      return own + Math.max(0, node.arguments.length - FREE_ARGUMENTS) * 12;
    default:
      return own;
  }
}

/** Bytes for a function that can be called with `new`: the engine creates a layout for its objects. */
const CONSTRUCTOR_BYTES = 464;

/** The number of arguments that a rest parameter has already paid for. */
const FREE_ARGUMENTS = 8;

// Bytes by node type.
const NODE_BYTES: Readonly<Record<string, number>> = {
  ArrayExpression: 56,
  ObjectExpression: 64,
  NewExpression: 64,
  ClassExpression: 800,
  ClassDeclaration: 800,
  MethodDefinition: 64,
  PropertyDefinition: 12,
  RestElement: 56 + 12 * FREE_ARGUMENTS,
  ArrayPattern: 8,
};
