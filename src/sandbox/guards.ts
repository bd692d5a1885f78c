// The guards by name, and what the parts of the rewriter hand each other.

import type { Guards } from "./isolate/main.ts";
import type { AnyNode } from "./tree.ts";

/** The guards that code may be rewritten to call. */
export const GUARDS = [
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

/** A guard by its name in the code. */
export function g(name: keyof Guards): string {
  return `$g_${name}`;
}

export type Render = (node: AnyNode) => string;

/** Pays for one run through a node, functions and loops inside aside, which pay for themselves. */
export type Pay = (node: AnyNode) => string;

export type Tools = {
  readonly render: Render;
  readonly splice: (node: AnyNode, replaced?: ReadonlyMap<AnyNode, string>) => string;
  /** A call of a guard. Node arguments keep the distance in lines that they had. */
  readonly call: (name: keyof Guards, node: AnyNode, parts: readonly (AnyNode | string)[]) => string;
  readonly body: (node: AnyNode) => string;
  readonly pay: Pay;
  readonly gap: (from: number, to: number) => string;
  readonly argument: (node: AnyNode) => string;
  /** What stands for a node that was rendered elsewhere. */
  readonly taken: Map<AnyNode, string>;
  /** Patterns whose value a guard has looked at. */
  readonly seen: Set<AnyNode>;
};
