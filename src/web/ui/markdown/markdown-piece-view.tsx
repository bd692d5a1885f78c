// Renders one piece of a text. Memoized: it is parsed again only if its own props change.

import { cjkFriendlyExtension } from "micromark-extension-cjk-friendly";
import { memo, type ReactNode } from "react";
import Markdown, { type Options, type ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remend from "remend";
import { MARKDOWN_COMPONENTS } from "./markdown-components.tsx";
import type { MarkdownPiece } from "./split-markdown.ts";
import { highlightPlugin, mathPlugin, useLazyPlugin } from "./lazy-plugins.ts";
import { exceedsPieceLimits } from "./markdown-limits.ts";
import { createFootnotePlugin, buildFootnoteStubs, type PiecePart } from "./footnotes.ts";
import { PlainText } from "./plain-text.tsx";
import { rehypeRestrict } from "./sanitize-tree.ts";

type RemarkPlugins = NonNullable<Options["remarkPlugins"]>;

/** Longer code is not highlighted, in UTF-16 units. */
const MAX_HIGHLIGHTED_CHARS = 20_000;
const FENCE_WITH_LANGUAGE = /^[ \t>\-*+\d.)]*(?:`{3,}|~{3,})[ \t]*[\w+#.-]/m;
const PARSER_PLUGINS: RemarkPlugins = [[remarkGfm, { singleTilde: false }], remarkMath, remarkCjkFriendly];

/** Emphasis next to Chinese, Japanese and Korean punctuation, which the rules of CommonMark do not recognize. */
function remarkCjkFriendly(this: { data(): { micromarkExtensions?: unknown[] } }) {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), cjkFriendlyExtension()];
}

/**
 * Renders one part of a piece; unformatted with a notice if it exceeds the limits or cannot be rendered. Incomplete
 * Markdown at the end of a growing piece is closed. Formulas and code stay plain until their plugin is loaded.
 */
export const MarkdownPieceView = memo(function MarkdownPieceView({
  source,
  open,
  isGrowing,
  mayHaveMath,
  definitions,
  prefix,
  labels,
  part,
}: {
  readonly source: string;
  readonly open: MarkdownPiece["open"];
  /** More text will follow. */
  readonly isGrowing: boolean;
  /** False if the whole text has too many formulas to typeset any. */
  readonly mayHaveMath: boolean;
  /** Definitions of links that other pieces contain, as Markdown. */
  readonly definitions: string;
  /** Prefix of the footnote ids. */
  readonly prefix: string;
  /** The footnotes that the piece references or defines: the result of `encodeFootnoteLabels`. */
  readonly labels: string;
  readonly part: PiecePart;
}) {
  const isCode = open === "code" || /^ {0,3}(```|~~~)/.test(source);
  const isRefused = !isCode && exceedsPieceLimits(source);
  const hasMath = mayHaveMath && !isRefused && !(isGrowing && open === "math") && /\$|\\[([]|math/.test(source);
  const math = useLazyPlugin(mathPlugin, hasMath);
  const highlight = useLazyPlugin(
    highlightPlugin,
    source.length <= MAX_HIGHLIGHTED_CHARS && FENCE_WITH_LANGUAGE.test(source),
  );
  if (isRefused) return <PlainText text={source} hasNotice />;
  const whole = isGrowing && open === null ? closeIncompleteMarkdown(source) : source;
  const before = buildFootnoteStubs(labels) + definitions;
  return renderMarkdown({
    text: before + (open === null ? convertMathDelimiters(whole) : whole),
    remarkPlugins: [...PARSER_PLUGINS, createFootnotePlugin(prefix, labels, part, before.length)],
    rehypePlugins: [math, highlight, hasRtlLetters(source) ? rehypeDirection : null].filter(
      (plugin) => plugin !== null,
    ),
    fallback: source,
  });
});

function renderMarkdown({
  text,
  remarkPlugins,
  rehypePlugins,
  fallback,
}: {
  readonly text: string;
  readonly remarkPlugins: RemarkPlugins;
  readonly rehypePlugins: RemarkPlugins;
  readonly fallback: string;
}): ReactNode {
  try {
    return Markdown({
      children: text,
      remarkPlugins,
      rehypePlugins: [...rehypePlugins, rehypeRestrict],
      components: MARKDOWN_COMPONENTS,
      urlTransform: (url) => url,
    });
  } catch {
    // Stack overflow of deeply nested text, or a plugin that throws: show the text unformatted.
    return <PlainText text={fallback} hasNotice />;
  }
}

/** Closes incomplete bold, code and links. */
function closeIncompleteMarkdown(source: string): string {
  return remend(source, { linkMode: "text-only", katex: false, comparisonOperators: false, htmlTags: false });
}

/** Converts `\(…\)` and `\[…\]` outside of code to the `$` delimiters that the parser knows. */
function convertMathDelimiters(source: string): string {
  if (!/\\[([]/.test(source) || /^ {0,3}(```|~~~|    )/.test(source)) return source;
  return source.replaceAll(
    /(`+)[^`][\s\S]*?\1|\\\\|\\\(([^\n]{1,2000}?)\\\)|\\\[([\s\S]{1,4000}?)\\\]/g,
    (all: string, _ticks: unknown, inline: string | undefined, display: string | undefined) => {
      if (inline !== undefined) return `$${inline.trim()}$`;
      return display === undefined ? all : `\n$$\n${display.trim()}\n$$\n`;
    },
  );
}

// Sets the text direction of blocks. The application is left-to-right; a block whose first letter is right-to-left gets
// `dir="rtl"`.

type DirectionElement = NonNullable<ExtraProps["node"]>;
type DirectionNode = DirectionElement["children"][number];
type TextDirection = "ltr" | "rtl";

const RTL_LETTER =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const LETTER = /\p{L}/u;
/**
 * Blocks with a direction of their own. List items follow their list, which has room for the markers on one side only.
 */
const BLOCK_ELEMENTS: ReadonlySet<string> = new Set("p h1 h2 h3 h4 h5 h6 ul ol blockquote table th td".split(" "));
/** Code is always left-to-right. */
const CODE_ELEMENTS: ReadonlySet<string> = new Set(["pre", "code"]);

/** Returns true if the text has right-to-left letters. Without them, `rehypeDirection` can be skipped. */
function hasRtlLetters(text: string): boolean {
  return RTL_LETTER.test(text);
}

/** A rehype plugin. Sets `dir` only where the direction differs from that of the parent. */
function rehypeDirection() {
  return (tree: { children: unknown[] }) => applyDirection(tree.children as DirectionNode[], "ltr");
}

function applyDirection(nodes: readonly DirectionNode[], parentDirection: TextDirection): void {
  for (const node of nodes) {
    if (node.type !== "element") continue;
    const direction = detectDirection(node) ?? parentDirection;
    if (direction !== parentDirection) node.properties["dir"] = direction;
    applyDirection(node.children, direction);
  }
}

function detectDirection(node: DirectionElement): TextDirection | null {
  if (CODE_ELEMENTS.has(node.tagName)) return "ltr";
  const letter = BLOCK_ELEMENTS.has(node.tagName) ? findFirstLetter(node.children) : null;
  if (letter === null) return null;
  return RTL_LETTER.test(letter) ? "rtl" : "ltr";
}

function findFirstLetter(nodes: readonly DirectionNode[]): string | null {
  for (const node of nodes) {
    if (node.type === "element" && CODE_ELEMENTS.has(node.tagName)) continue;
    const found =
      node.type === "text" ? LETTER.exec(node.value)?.[0] : node.type === "element" && findFirstLetter(node.children);
    if (typeof found === "string") return found;
  }
  return null;
}
