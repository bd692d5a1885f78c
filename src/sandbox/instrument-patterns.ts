// Instruments destructuring: the destructured value passes a guard if the pattern copies it or may read it by position.

import { getGuardName, type InstrumentTools } from "./guards.ts";
import { hasPositions, hasRest, isPosition, isRepeatable } from "./node-predicates.ts";
import type { AnyNode } from "./syntax-tree.ts";

/** A node of one syntax type. */
type PatternSyntax<T extends AnyNode["type"]> = Extract<AnyNode, { type: T }>;

/**
 * Returns the replacement of the destructured `value`: its rendered text within a guard; an empty map if it needs none.
 * Marks patterns whose value is checked for positions.
 */
export function instrumentPatternValue(
  { call, checkedPatterns }: InstrumentTools,
  pattern: AnyNode,
  value: AnyNode,
): ReadonlyMap<AnyNode, string> {
  if (hasRest(pattern)) return new Map([[value, call("takenApart", value, [value])]]);
  if (!hasPositions(pattern)) return new Map();
  checkedPatterns.add(pattern);
  return new Map([[value, call("read", value, [value])]]);
}

/** Renders a pattern. Computed targets pass the guard `place`, and unchecked computed names the guard `nameOnly`. */
export function instrumentPattern(
  tools: InstrumentTools,
  node: PatternSyntax<"ArrayPattern" | "ObjectPattern">,
): string {
  const { render, splice, checkedPatterns } = tools;
  const parts: readonly (AnyNode | null)[] = node.type === "ArrayPattern" ? node.elements : node.properties;
  const isUnchecked = hasPositions(node) && !hasRest(node) && !checkedPatterns.has(node);
  const replaced = new Map<AnyNode, string>();
  for (const part of parts) {
    const value = part?.type === "Property" ? part.value : part;
    if (isUnchecked && part?.type === "Property") rejectPositions(tools, part);
    const target = value?.type === "AssignmentPattern" ? value.left : value;
    if (part === null || value === undefined || target?.type !== "MemberExpression" || !target.computed) continue;
    if (!isRepeatable(target.object) || !isRepeatable(target.property)) continue;
    const text = splice(
      target,
      new Map([[target.property, `${getGuardName("place")}(${render(target.object)},${render(target.property)})`]]),
    );
    const whole =
      value === null || value === target || value === undefined
        ? text
        : splice(value, new Map([[target as AnyNode, text]]));
    replaced.set(part, part === value ? whole : splice(part, new Map([[value as AnyNode, whole]])));
  }
  return splice(node, replaced);
}

/**
 * Makes a computed name reject positions at run time. Throws a `SyntaxError` for a literal position: no guard has
 * checked the value.
 */
function rejectPositions({ argument, pay, replacements }: InstrumentTools, part: PatternSyntax<"Property">): void {
  if (replacements.has(part.key)) return;
  if (part.computed)
    replacements.set(part.key, `${getGuardName("nameOnly")}((${pay(part.key)},${argument(part.key)}))`);
  else if (isPosition(part.key)) throw new SyntaxError("A position in a pattern whose value nobody has looked at");
}
