// Formulas: loaded with the first text that has one. MathML is the browser's own, and needs no fonts.

import { fromHtmlIsomorphic } from "hast-util-from-html-isomorphic";
import { renderToString } from "katex";
import type { ExtraProps } from "react-markdown";

type Element = NonNullable<ExtraProps["node"]>;
type Node = Element["children"][number];
type Parent = { children: unknown[] };

const MAX_CHARS = 5_000;
const OPTIONS = {
  output: "mathml",
  throwOnError: true,
  strict: "ignore",
  trust: false,
  maxSize: 20,
  maxExpand: 200,
} as const;

/** A plugin for `rehype`. What is no formula stays as it was written. */
export const math = () => typeset;

function typeset(parent: Parent): void {
  parent.children = (parent.children as Node[]).flatMap((node) => {
    if (node.type !== "element") return [node];
    const [only] = node.children;
    const isDisplay = node.tagName === "pre";
    const source = sourceOf(isDisplay ? only : node);
    if (source === null) typeset(node);
    return (source === null ? null : formula(source, isDisplay)) ?? [node];
  });
}

/** The source of a formula, inline, on its own, or in a block of code that is named so; null when it is none. */
function sourceOf(node: Node | undefined): string | null {
  if (node?.type !== "element" || node.tagName !== "code") return null;
  const { className } = node.properties;
  if (!Array.isArray(className) || !className.includes("language-math")) return null;
  return node.children.map((child) => (child.type === "text" ? child.value : "")).join("");
}

function formula(source: string, displayMode: boolean): Node[] | null {
  if (source.length > MAX_CHARS) return null;
  try {
    const html = renderToString(source, { ...OPTIONS, displayMode });
    // Read with styles in it, the page's policy would complain of each; in texts, quotes are escaped.
    const root = fromHtmlIsomorphic(html.replaceAll(/ style="[^"]*"/g, ""), { fragment: true });
    return root.children.filter((node) => node.type !== "doctype");
  } catch {
    return null;
  }
}
