// Instruments optional chains. A member that is read by position needs a guard around its object, but within a chain
// such a call would evaluate what `?.` skips. So `a?.b[0]` becomes `chain(a, (it) => it.b[0])`.

import type { InstrumentTools } from "./guards.ts";
import { readsPosition } from "./node-predicates.ts";
import type { AnyNode } from "./syntax-tree.ts";

type ChainLink = Extract<AnyNode, { type: "MemberExpression" | "CallExpression" }>;

/** The name of the object within a rendered chain. */
const CHAIN_VALUE = "$g_it";

/**
 * Renders a chain. `prefix` is "delete " for the operand of `delete`. Throws a `SyntaxError` for chains that the policy
 * refuses.
 */
export function instrumentChain(tools: InstrumentTools, links: AnyNode, prefix: "" | "delete " = ""): string {
  const { call, render, replacements } = tools;
  const start = findSplit(links, replacements);
  if (start === null) return prefix + render(links);
  if (losesReceiver(links)) throw new SyntaxError("A method that may be missing is called before a position is read");
  const from = call("chain", start, [start]).slice(0, -1);
  replacements.set(start, CHAIN_VALUE);
  const rest = instrumentChain(tools, links, prefix);
  replacements.delete(start);
  return `${from},(${CHAIN_VALUE})=>${rest})`;
}

/**
 * Returns the node before the first optional link, if a later link reads a position; null if the chain needs no guard.
 */
function findSplit(links: AnyNode, replacements: ReadonlyMap<AnyNode, string>): AnyNode | null {
  let start: AnyNode | null = null;
  let reads = false;
  let readsAfter = false;
  for (let node = links; isChainLink(node) && !replacements.has(getPreviousLink(node)); node = getPreviousLink(node)) {
    if (node.optional) {
      start = getPreviousLink(node);
      readsAfter = reads;
    }
    reads ||= readsPosition(node);
  }
  return readsAfter ? start : null;
}

/** True for chains such as `a.b?.(c)[0]`: if split, the method would lose its `this`. */
export function losesReceiver(links: AnyNode): boolean {
  let reads = false;
  for (let node = links; isChainLink(node); node = getPreviousLink(node)) {
    const callee = node.type === "CallExpression" && node.optional ? node.callee : null;
    if (reads && callee?.type === "MemberExpression") return true;
    reads ||= readsPosition(node);
  }
  return false;
}

/** Returns the object or callee of a link. */
function getPreviousLink(node: ChainLink): AnyNode {
  return node.type === "MemberExpression" ? node.object : node.callee;
}

function isChainLink(node: AnyNode): node is ChainLink {
  return node.type === "MemberExpression" || node.type === "CallExpression";
}
