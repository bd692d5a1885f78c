// Footnotes, and other changes to a piece's syntax tree before it is rendered: visible HTML, line breaks, prices.
// Pieces are parsed separately, so each receives the labels of all footnotes of the text. Footnotes are numbered in the
// order of their definitions.

import remarkParse from "remark-parse";
import { unified } from "unified";

/** Selects the part of a piece that is shown: its text, or the footnotes that it defines. */
export type Side = "text" | "notes";

const parser = unified().use(remarkParse);
type Root = ReturnType<typeof parser.parse>;
type Node = Root["children"][number];
type Parent = Extract<Node, { children: unknown }>;
type Text = Extract<Node, { type: "text" }>;
type Break = Extract<Node, { type: "break" }>;

const MAX_NOTES = 100;
const DEFINITION = /^ {0,3}\[\^([^\]\s]{1,64})\]:/gm;

/** Returns the labels of the footnotes that a text defines, lowercase, in order; at most `MAX_NOTES`. */
export function labelsOf(text: string): string[] {
  if (!text.includes("[^")) return [];
  const labels = new Set<string>();
  for (const [, label = ""] of text.matchAll(DEFINITION)) if (labels.size < MAX_NOTES) labels.add(label.toLowerCase());
  return [...labels];
}

/** Returns the labels that a piece contains, as lines of `number label`; "" if there are none. */
export function labelsFor(source: string, labels: readonly string[]): string {
  if (labels.length === 0 || !source.includes("[^")) return "";
  const lower = source.toLowerCase();
  return labels.map((label, i) => (lower.includes(`[^${label}]`) ? `${i + 1} ${label}\n` : "")).join("");
}

function numbersOf(labels: string): ReadonlyMap<string, number> {
  const lines = labels.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), Number.parseInt(line, 10)]));
}

/** Returns stub definitions to prepend to a piece: a reference is only parsed as one if its label is defined. */
export function stubsOf(labels: string): string {
  return [...numbersOf(labels).keys()].map((label) => `[^${label}]: -\n\n`).join("");
}

/**
 * Returns a remark plugin. Footnote definitions before the given offset are stubs and are removed. The prefix makes ids
 * unique in the page.
 */
export function settle(prefix: string, labels: string, side: Side, from: number) {
  const numbers = numbersOf(labels);
  const numberOf = (identifier: string) => numbers.get(identifier.toLowerCase()) ?? 0;
  const reference = (identifier: string): Node[] => {
    const number = numberOf(identifier);
    const text = { type: "text", value: String(number) } as const;
    const link = { type: "link", url: `#${prefix}-${number}`, children: [text] } as const;
    return [{ type: "emphasis", data: { hName: "sup" }, children: [{ ...link, children: [text] }] }];
  };
  const isStub = (node: Node) => node.type === "footnoteDefinition" && (node.position?.start.offset ?? from) < from;
  const note = (node: Extract<Node, { type: "footnoteDefinition" }>): Node => {
    const number = numberOf(node.identifier);
    const id = { hProperties: { id: `${prefix}-${number}` } };
    const item = { type: "listItem", spread: false, data: id, children: node.children } as const;
    return { type: "list", ordered: true, start: number, spread: false, children: [{ ...item }] };
  };
  const change = (node: Node, isFlow: boolean, source: string): Node[] => {
    if (node.type === "html") return [shownHtml(node.value, isFlow)];
    if (node.type === "text") return linesOf(node.value);
    if (node.type === "footnoteReference") return reference(node.identifier);
    if (node.type === "inlineMath") return honestMath(node, source);
    if ("children" in node) walk(node, source);
    return [node];
  };
  const walk = (parent: Root | Parent, source: string): void => {
    const isFlow = /^(root|blockquote|listItem|footnoteDefinition)$/.test(parent.type);
    const children = (parent.children as Node[]).flatMap((node) => change(node, isFlow, source));
    (parent as { children: Node[] }).children = children;
  };
  return () => (tree: Root, file: { readonly value: unknown }) => {
    tree.children = tree.children.filter((node) => !isStub(node));
    walk(tree, String(file.value));
    const isNote = (node: Node) => node.type === "footnoteDefinition";
    tree.children = tree.children.flatMap((node) => {
      if (isNote(node) !== (side === "notes")) return [];
      return node.type === "footnoteDefinition" ? [note(node)] : [node];
    });
  };
}

/** Shows HTML as text, except `<br>` within a paragraph, which is common in tables. */
function shownHtml(value: string, isFlow: boolean): Node {
  if (!isFlow && /^<br\s*\/?>$/i.test(value)) return { type: "break" };
  return isFlow ? { type: "paragraph", children: linesOf(value) } : { type: "text", value };
}

/** Renders each newline as a line break: agents do not wrap paragraphs, but write verses and addresses. */
function linesOf(value: string): (Text | Break)[] {
  const lines = value.split(/\r\n|\n|\r/);
  return lines.flatMap((line, i) => [
    ...(i === 0 ? [] : [{ type: "break" as const }]),
    ...(line === "" ? [] : [{ type: "text" as const, value: line }]),
  ]);
}

/** Restores prices such as "$5 and $10": a formula has no white space inside its delimiters and no digit after them. */
function honestMath(node: Extract<Node, { type: "inlineMath" }>, source: string): Node[] {
  const end = node.position?.end.offset ?? 0;
  const written = source.slice(node.position?.start.offset ?? 0, end);
  const isPrice =
    /^\$(\s|[^$][\s\S]*\s\$$)/.test(written) || (!written.startsWith("$$") && /\d/.test(source.charAt(end)));
  return isPrice ? linesOf(written) : [node];
}
