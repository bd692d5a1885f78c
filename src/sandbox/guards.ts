// The guards by name, and the interface between the parts of the instrumentation. A guard is a function of the isolate
// that instrumented code calls.

import type { Guards } from "./isolate/main.ts";
import type { AnyNode } from "./syntax-tree.ts";

/** The guards that instrumented code may call. The names are part of the module text. */
export const GUARD_NAMES = [
  "budget",
  "more",
  "operand",
  "pattern",
  "add",
  "mul",
  "pow",
  "shl",
  "shr",
  "eq",
  "looseEq",
  "chosen",
  "key",
  "literalKey",
  "place",
  "set",
  "alter",
  "alterIf",
  "bump",
  "spread",
  "members",
  "read",
  "at",
  "chain",
  "nameOnly",
  "takenApart",
  "cat",
  "text",
  "binary",
  "caught",
  "lastly",
] as const satisfies readonly (keyof Guards)[];

/** Returns the name of a guard in instrumented code. */
export function getGuardName(name: keyof Guards): string {
  return `$g_${name}`;
}

/** Returns the instrumented text of a node. */
export type RenderNode = (node: AnyNode) => string;

/** Returns an expression that pays for one execution of a node, without the functions and loops in it. */
export type RenderPayment = (node: AnyNode) => string;

/** The operations and the state of one rewrite. */
export type InstrumentTools = {
  readonly render: RenderNode;
  /** Returns the text of a node with the given replacements; its other children are instrumented. */
  readonly splice: (node: AnyNode, replaced?: ReadonlyMap<AnyNode, string>) => string;
  /** Returns a call of a guard. Node arguments keep their distance in lines. */
  readonly call: (name: keyof Guards, node: AnyNode, parts: readonly (AnyNode | string)[]) => string;
  /** Renders a statement as a block. */
  readonly body: (node: AnyNode) => string;
  readonly pay: RenderPayment;
  /** Returns the line breaks between two offsets. */
  readonly keepLines: (from: number, to: number) => string;
  /** Renders a node so that it can be an argument of a call. */
  readonly argument: (node: AnyNode) => string;
  /** The text of nodes that were already rendered. */
  readonly replacements: Map<AnyNode, string>;
  /** The patterns whose value a guard has checked. */
  readonly checkedPatterns: Set<AnyNode>;
};
