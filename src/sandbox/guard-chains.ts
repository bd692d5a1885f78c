// Optional chains. Reading a member by its position has to look at the object first, by a call around it; in the
// middle of a chain such a call would end what `?.` leaves out. So `a?.b[0]` becomes `chain(a, (it) => it.b[0])`.

import type { Tools } from "./guards.ts";
import { readsPosition } from "./nodes.ts";
import type { AnyNode } from "./tree.ts";

type Link = Extract<AnyNode, { type: "MemberExpression" | "CallExpression" }>;

const IT = "$g_it";

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

/** Where to take a chain apart: before the first link that may end it, if a member is read by position after it. */
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

/** Whether it is like `a.b?.(c)[0]`: taken apart, the method would lose its object. */
export function losesThis(links: AnyNode): boolean {
  let reads = false;
  for (let node = links; isLink(node); node = before(node)) {
    const callee = node.type === "CallExpression" && node.optional ? node.callee : null;
    if (reads && callee?.type === "MemberExpression") return true;
    reads ||= readsPosition(node);
  }
  return false;
}

function before(node: Link): AnyNode {
  return node.type === "MemberExpression" ? node.object : node.callee;
}

function isLink(node: AnyNode): node is Link {
  return node.type === "MemberExpression" || node.type === "CallExpression";
}
