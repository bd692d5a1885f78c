// Static properties of expressions, as far as they follow from the syntax alone. In doubt, each predicate gives the
// answer that adds a guard.

import type { AnyNode } from "./syntax-tree.ts";

/** True for values that are known and short, so a comparison with them costs nothing. */
export function isConstant(node: AnyNode): boolean {
  if (node.type === "Literal") return !node.regex && String(node.value).length <= 64;
  if (node.type === "UnaryExpression") return node.operator === "typeof" || node.operator === "void";
  return node.type === "Identifier" && node.name === "undefined";
}

/** True if the value is a number, a boolean or null in any case. */
export function isNumberOrBoolean(node: AnyNode): boolean {
  if (node.type === "Literal")
    return typeof node.value === "number" || typeof node.value === "boolean" || node.value === null;
  if (node.type === "UnaryExpression") return node.operator === "!";
  return node.type === "BinaryExpression" && /^(?:[<>]=?|[!=]==?|in|instanceof)$/.test(node.operator);
}

/** True if the operator cannot grow its result because one operand is cheap: mixed with a BigInt it throws. */
export function cannotGrow(operator: string, left: AnyNode, right: AnyNode): boolean {
  return operator !== "+" && (isNumberOrBoolean(left) || isNumberOrBoolean(right));
}

/** True if the expression may be evaluated twice instead of once. */
export function isRepeatable(node: AnyNode): boolean {
  switch (node.type) {
    case "Identifier":
    case "ThisExpression":
      return true;
    case "Literal":
      return !node.regex;
    case "MemberExpression":
      return isRepeatable(node.object) && (!node.computed || isRepeatable(node.property)) && !node.optional;
    case "BinaryExpression":
      return node.left.type !== "PrivateIdentifier" && isRepeatable(node.left) && isRepeatable(node.right);
    case "UnaryExpression":
      return node.operator !== "delete" && isRepeatable(node.argument);
    default:
      return false;
  }
}

/** True if the left operand must be converted after the right operand was evaluated. */
export function needsOrderedOperands(left: AnyNode, right: AnyNode): boolean {
  return !isNumberOrBoolean(left) && !isRepeatable(right) && !isNumberOrBoolean(right);
}

/** True for a name, or for members of a name. */
export function isNamePath(node: AnyNode): boolean {
  if (node.type === "MemberExpression") return !node.computed && !node.optional && isNamePath(node.object);
  return node.type === "Identifier" || node.type === "ThisExpression";
}

/** True if the pattern has a rest element at its top level. */
export function hasRest(pattern: AnyNode): boolean {
  if (pattern.type === "AssignmentPattern") return hasRest(pattern.left);
  const parts: readonly (AnyNode | null)[] =
    pattern.type === "ArrayPattern" ? pattern.elements : pattern.type === "ObjectPattern" ? pattern.properties : [];
  return parts.some((part) => part?.type === "RestElement");
}

/** True if the pattern reads members by names that are or may be positions. */
export function hasPositions(pattern: AnyNode): boolean {
  return (
    pattern.type === "ObjectPattern" &&
    pattern.properties.some((part) => part.type === "Property" && (part.computed || isPosition(part.key)))
  );
}

/** True if a literal key is a position. */
export function isPosition(name: AnyNode): boolean {
  return name.type === "Literal" && /^\d/.test(String(name.value));
}

/** True if the expression may read a character of a text. */
export function readsPosition(node: AnyNode): node is Extract<AnyNode, { type: "MemberExpression" }> {
  return (
    node.type === "MemberExpression" && node.computed && (node.property.type !== "Literal" || isPosition(node.property))
  );
}
