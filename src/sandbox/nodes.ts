// What can be told of an expression by looking at it.

import type { AnyNode } from "./tree.ts";

/** Whether a value is short and known, so that comparing with it costs nothing. */
export function isConstant(node: AnyNode): boolean {
  if (node.type === "Literal") return !node.regex && String(node.value).length <= 64;
  if (node.type === "UnaryExpression") return node.operator === "typeof" || node.operator === "void";
  return node.type === "Identifier" && node.name === "undefined";
}

/** Whether it is a number or a truth, whatever its parts are. */
export function isCheap(node: AnyNode): boolean {
  if (node.type === "Literal")
    return typeof node.value === "number" || typeof node.value === "boolean" || node.value === null;
  if (node.type === "UnaryExpression") return node.operator === "!";
  return node.type === "BinaryExpression" && /^(?:[<>]=?|[!=]==?|in|instanceof)$/.test(node.operator);
}

/** Multiplying or shifting with a literal number cannot grow anything: a BigInt would be an error. */
export function bothCheapFor(operator: string, left: AnyNode, right: AnyNode): boolean {
  return operator !== "+" && (isCheap(left) || isCheap(right));
}

/** Whether evaluating it twice is the same as once. */
export function isSimple(node: AnyNode): boolean {
  switch (node.type) {
    case "Identifier":
    case "ThisExpression":
      return true;
    case "Literal":
      return !node.regex;
    case "MemberExpression":
      return isSimple(node.object) && (!node.computed || isSimple(node.property)) && !node.optional;
    case "BinaryExpression":
      return node.left.type !== "PrivateIdentifier" && isSimple(node.left) && isSimple(node.right);
    case "UnaryExpression":
      return node.operator !== "delete" && isSimple(node.argument);
    default:
      return false;
  }
}

/** Whether reading the left one as a number has to wait for the right one to be evaluated. */
export function isOrdered(left: AnyNode, right: AnyNode): boolean {
  return !isCheap(left) && !isSimple(right) && !isCheap(right);
}

/** Whether it is a name, or a member by its name of one. */
export function isNamed(node: AnyNode): boolean {
  if (node.type === "MemberExpression") return !node.computed && !node.optional && isNamed(node.object);
  return node.type === "Identifier" || node.type === "ThisExpression";
}

/** Whether a pattern ends in a rest at its top. */
export function hasRest(pattern: AnyNode): boolean {
  if (pattern.type === "AssignmentPattern") return hasRest(pattern.left);
  const parts: readonly (AnyNode | null)[] =
    pattern.type === "ArrayPattern" ? pattern.elements : pattern.type === "ObjectPattern" ? pattern.properties : [];
  return parts.some((part) => part?.type === "RestElement");
}

/** Whether a pattern takes members by names that are, or may be, positions. */
export function hasPositions(pattern: AnyNode): boolean {
  return (
    pattern.type === "ObjectPattern" &&
    pattern.properties.some((part) => part.type === "Property" && (part.computed || isPosition(part.key)))
  );
}

/** Whether a name that is written out is a position. */
export function isPosition(name: AnyNode): boolean {
  return name.type === "Literal" && /^\d/.test(String(name.value));
}

/** Whether a member may be a character of a text. */
export function readsPosition(node: AnyNode): node is Extract<AnyNode, { type: "MemberExpression" }> {
  return (
    node.type === "MemberExpression" && node.computed && (node.property.type !== "Literal" || isPosition(node.property))
  );
}
