// Instruments optional chains. A member that is read by position needs a guard around its object, but within a chain
// such a call would evaluate what `?.` skips. So `a?.b[0]` becomes `chain(a, (it) => it.b[0])`.

import type { Tools } from "./guards.ts";
import { readsPosition } from "./nodes.ts";
import type { AnyNode } from "./tree.ts";

type Link = Extract<AnyNode, { type: "MemberExpression" | "CallExpression" }>;

/** The name of the object within a rendered chain. */
const IT = "$g_it";

/**
 * Renders a chain. `prefix` is "delete " for the operand of `delete`. Throws a `SyntaxError` for chains that the policy
 * refuses.
 */
export function chainNode(tools: Tools, links: AnyNode, before: "" | "delete " = ""): string {
  const { call, render, taken } = tools;
  const start = cutOf(links, taken);
  if (start === null) return before + render(links);
  if (losesThis(links)) throw new SyntaxError("A method that may be missing is called before a position is read");
  const from = call("chain", start, [start]).slice(0, -1);
  taken.set(start, IT);
  const rest = chainNode(tools, links, before);
  taken.delete(start);
  return `${from},(${IT})=>${rest})`;
}

/**
 * Returns the node before the first optional link, if a later link reads a position; null if the chain needs no guard.
 */
function cutOf(links: AnyNode, taken: ReadonlyMap<AnyNode, string>): AnyNode | null {
  let start: AnyNode | null = null;
  let reads = false;
  let readsAfter = false;
  for (let node = links; isLink(node) && !taken.has(before(node)); node = before(node)) {
    if (node.optional) {
      start = before(node);
      readsAfter = reads;
    }
    reads ||= readsPosition(node);
  }
  return readsAfter ? start : null;
}

/** True for chains such as `a.b?.(c)[0]`: if split, the method would lose its `this`. */
export function losesThis(links: AnyNode): boolean {
  let reads = false;
  for (let node = links; isLink(node); node = before(node)) {
    const callee = node.type === "CallExpression" && node.optional ? node.callee : null;
    if (reads && callee?.type === "MemberExpression") return true;
    reads ||= readsPosition(node);
  }
  return false;
}

/** Returns the object or callee of a link. */
function before(node: Link): AnyNode {
  return node.type === "MemberExpression" ? node.object : node.callee;
}

function isLink(node: AnyNode): node is Link {
  return node.type === "MemberExpression" || node.type === "CallExpression";
}
