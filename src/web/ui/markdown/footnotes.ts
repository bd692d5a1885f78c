// Changes the syntax tree of a piece of Markdown before it is rendered: footnotes, HTML shown as text, line breaks,
// prices.
//
// The pieces of a text are parsed separately, and a footnote may be defined in another piece than its reference. So the
// labels of all footnotes are collected from the whole text first. They are numbered in the order of their definitions.
// Each piece is parsed with stub definitions of the footnotes that it names. Its text is rendered in place; if it
// defines footnotes, it is rendered a second time for them, at the end of the whole text.

import remarkParse from "remark-parse";
import { unified } from "unified";

/** The part of a piece that is rendered: its text without footnotes, or only the footnotes that it defines. */
export type PiecePart = "text" | "notes";

const parser = unified().use(remarkParse);
type FootnoteRoot = ReturnType<typeof parser.parse>;
type FootnoteNode = FootnoteRoot["children"][number];
type FootnoteParent = Extract<FootnoteNode, { children: unknown }>;
type FootnoteText = Extract<FootnoteNode, { type: "text" }>;
type FootnoteBreak = Extract<FootnoteNode, { type: "break" }>;

const MAX_FOOTNOTES = 100;
const FOOTNOTE_DEFINITION = /^ {0,3}\[\^([^\]\s]{1,64})\]:/gm;

/** Returns the distinct labels of the footnotes that a text defines, lowercase, in order; at most `MAX_FOOTNOTES`. */
export function findFootnoteLabels(text: string): string[] {
  if (!text.includes("[^")) return [];
  const labels = new Set<string>();
  for (const [, label = ""] of text.matchAll(FOOTNOTE_DEFINITION))
    if (labels.size < MAX_FOOTNOTES) labels.add(label.toLowerCase());
  return [...labels];
}

/**
 * Encodes the footnotes that a piece references or defines as lines of `number label`; "" if there are none. `labels`
 * are all labels of the text; the number is the position in them, from 1. The result is a string so that a memoized
 * piece can compare it.
 */
export function encodeFootnoteLabels(source: string, labels: readonly string[]): string {
  if (labels.length === 0 || !source.includes("[^")) return "";
  const lower = source.toLowerCase();
  return labels.map((label, i) => (lower.includes(`[^${label}]`) ? `${i + 1} ${label}\n` : "")).join("");
}

/** Returns the footnote numbers by label. */
function parseLabelNumbers(encodedLabels: string): ReadonlyMap<string, number> {
  const lines = encodedLabels.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => [line.slice(line.indexOf(" ") + 1), Number.parseInt(line, 10)]));
}

/**
 * Returns stub definitions to prepend to a piece, because a reference is parsed only if its label is defined.
 * `encodedLabels` is the result of `encodeFootnoteLabels`.
 */
export function buildFootnoteStubs(encodedLabels: string): string {
  return [...parseLabelNumbers(encodedLabels).keys()].map((label) => `[^${label}]: -\n\n`).join("");
}

/**
 * Creates the remark plugin of a piece. It keeps only the given part, turns footnotes into numbered links and list
 * items, shows HTML as text, keeps line breaks, and restores prices that were parsed as formulas. `prefix` makes the
 * ids unique in the page; `encodedLabels` is the result of `encodeFootnoteLabels`. The piece begins at the offset
 * `contentStart` of the parsed text; footnotes defined before it are stubs and are removed.
 */
export function createFootnotePlugin(prefix: string, encodedLabels: string, part: PiecePart, contentStart: number) {
  const numbers = parseLabelNumbers(encodedLabels);
  const getNumber = (identifier: string) => numbers.get(identifier.toLowerCase()) ?? 0;
  const createReference = (identifier: string): FootnoteNode[] => {
    const number = getNumber(identifier);
    const text = { type: "text", value: String(number) } as const;
    const link = { type: "link", url: `#${prefix}-${number}`, children: [text] } as const;
    return [{ type: "emphasis", data: { hName: "sup" }, children: [{ ...link, children: [text] }] }];
  };
  const isStub = (node: FootnoteNode) =>
    node.type === "footnoteDefinition" && (node.position?.start.offset ?? contentStart) < contentStart;
  const createFootnote = (node: Extract<FootnoteNode, { type: "footnoteDefinition" }>): FootnoteNode => {
    const number = getNumber(node.identifier);
    const id = { hProperties: { id: `${prefix}-${number}` } };
    const item = { type: "listItem", spread: false, data: id, children: node.children } as const;
    return { type: "list", ordered: true, start: number, spread: false, children: [{ ...item }] };
  };
  const transformNode = (node: FootnoteNode, isFlow: boolean, source: string): FootnoteNode[] => {
    if (node.type === "html") return [toVisibleHtml(node.value, isFlow)];
    if (node.type === "text") return splitLines(node.value);
    if (node.type === "footnoteReference") return createReference(node.identifier);
    if (node.type === "inlineMath") return restorePrices(node, source);
    if ("children" in node) transformChildren(node, source);
    return [node];
  };
  const transformChildren = (parent: FootnoteRoot | FootnoteParent, source: string): void => {
    const isFlow = /^(root|blockquote|listItem|footnoteDefinition)$/.test(parent.type);
    const children = (parent.children as FootnoteNode[]).flatMap((node) => transformNode(node, isFlow, source));
    (parent as { children: FootnoteNode[] }).children = children;
  };
  return () => (tree: FootnoteRoot, file: { readonly value: unknown }) => {
    tree.children = tree.children.filter((node) => !isStub(node));
    transformChildren(tree, String(file.value));
    const isNote = (node: FootnoteNode) => node.type === "footnoteDefinition";
    tree.children = tree.children.flatMap((node) => {
      if (isNote(node) !== (part === "notes")) return [];
      return node.type === "footnoteDefinition" ? [createFootnote(node)] : [node];
    });
  };
}

/** Shows HTML as text, except `<br>` within a paragraph, which is common in tables. */
function toVisibleHtml(value: string, isFlow: boolean): FootnoteNode {
  if (!isFlow && /^<br\s*\/?>$/i.test(value)) return { type: "break" };
  return isFlow ? { type: "paragraph", children: splitLines(value) } : { type: "text", value };
}

/** Renders each newline as a line break: agents do not wrap paragraphs, but write verses and addresses. */
function splitLines(value: string): (FootnoteText | FootnoteBreak)[] {
  const lines = value.split(/\r\n|\n|\r/);
  return lines.flatMap((line, i) => [
    ...(i === 0 ? [] : [{ type: "break" as const }]),
    ...(line === "" ? [] : [{ type: "text" as const, value: line }]),
  ]);
}

/** Restores prices such as "$5 and $10": a formula has no white space inside its delimiters and no digit after them. */
function restorePrices(node: Extract<FootnoteNode, { type: "inlineMath" }>, source: string): FootnoteNode[] {
  const end = node.position?.end.offset ?? 0;
  const formulaSource = source.slice(node.position?.start.offset ?? 0, end);
  const isPrice =
    /^\$(\s|[^$][\s\S]*\s\$$)/.test(formulaSource) ||
    (!formulaSource.startsWith("$$") && /\d/.test(source.charAt(end)));
  return isPrice ? splitLines(formulaSource) : [node];
}
