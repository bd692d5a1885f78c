// The plugin for formulas. A separate script, loaded with the first text that has a formula. MathML needs no fonts or
// styles.

import { fromHtmlIsomorphic } from "hast-util-from-html-isomorphic";
import { renderToString } from "katex";
import type { ExtraProps } from "react-markdown";

type MathElement = NonNullable<ExtraProps["node"]>;
type MathNode = MathElement["children"][number];
type MathParent = { children: unknown[] };

const MAX_FORMULA_CHARS = 5_000;
const KATEX_OPTIONS = {
  output: "mathml",
  throwOnError: true,
  strict: "ignore",
  trust: false,
  maxSize: 20,
  maxExpand: 200,
} as const;

/** A rehype plugin that replaces formulas by MathML. Invalid or too long formulas stay as source text. */
export const rehypeMath = () => typesetFormulas;

function typesetFormulas(parent: MathParent): void {
  parent.children = (parent.children as MathNode[]).flatMap((node) => {
    if (node.type !== "element") return [node];
    const [only] = node.children;
    const isDisplay = node.tagName === "pre";
    const source = getFormulaSource(isDisplay ? only : node);
    if (source === null) typesetFormulas(node);
    return (source === null ? null : renderFormula(source, isDisplay)) ?? [node];
  });
}

/** Returns the source of a formula: inline, display, or a code block marked as math; null for other nodes. */
function getFormulaSource(node: MathNode | undefined): string | null {
  if (node?.type !== "element" || node.tagName !== "code") return null;
  const { className } = node.properties;
  if (!Array.isArray(className) || !className.includes("language-math")) return null;
  return node.children.map((child) => (child.type === "text" ? child.value : "")).join("");
}

function renderFormula(source: string, displayMode: boolean): MathNode[] | null {
  if (source.length > MAX_FORMULA_CHARS) return null;
  try {
    const html = renderToString(source, { ...KATEX_OPTIONS, displayMode });
    // The content security policy forbids inline styles. Quotes in text are escaped, so the pattern matches attributes
    // only.
    const root = fromHtmlIsomorphic(html.replaceAll(/ style="[^"]*"/g, ""), { fragment: true });
    return root.children.filter((node) => node.type !== "doctype");
  } catch {
    return null;
  }
}
