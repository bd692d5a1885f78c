// Renders one piece of a text. Memoized: it is parsed again only if its own props change.

import { cjkFriendlyExtension } from "micromark-extension-cjk-friendly";
import { memo, type ReactNode } from "react";
import Markdown, { type Options } from "react-markdown";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remend from "remend";
import { PARTS } from "./parts.tsx";
import type { Piece as Cut } from "./blocks.ts";
import { direct, mayRunFromTheRight } from "./direction.ts";
import { highlightExtra, mathExtra, useExtra } from "./extras.ts";
import { isTooMuch } from "./limits.ts";
import { settle, stubsOf, type Side } from "./notes.ts";
import { Plain } from "./plain.tsx";
import { restrict } from "./tree.ts";

type Plugins = NonNullable<Options["remarkPlugins"]>;

/** Longer code is not highlighted, in UTF-16 units. */
const MAX_COLOURED = 20_000;
const LANGUAGE = /^[ \t>\-*+\d.)]*(?:`{3,}|~{3,})[ \t]*[\w+#.-]/m;
const PARSERS: Plugins = [[remarkGfm, { singleTilde: false }], remarkMath, cjkFriendly];

/** Emphasis next to Chinese, Japanese and Korean punctuation, which the rules of CommonMark do not recognize. */
function cjkFriendly(this: { data(): { micromarkExtensions?: unknown[] } }) {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), cjkFriendlyExtension()];
}

export const Piece = memo(function Piece({
  source,
  open,
  isGrowing,
  mayHaveMath,
  definitions,
  prefix,
  labels,
  side,
}: {
  readonly source: string;
  readonly open: Cut["open"];
  /** More text will follow. */
  readonly isGrowing: boolean;
  readonly mayHaveMath: boolean;
  /** Definitions of links that other pieces contain, as Markdown. */
  readonly definitions: string;
  /** Prefix of the footnote ids. */
  readonly prefix: string;
  /** The footnotes that the piece contains, in the format of `selectFootnoteLabels`. */
  readonly labels: string;
  readonly side: Side;
}) {
  const isCode = open === "code" || /^ {0,3}(```|~~~)/.test(source);
  const isRefused = !isCode && isTooMuch(source);
  const hasMath = mayHaveMath && !isRefused && !(isGrowing && open === "math") && /\$|\\[([]|math/.test(source);
  const math = useExtra(mathExtra, hasMath);
  const highlight = useExtra(highlightExtra, source.length <= MAX_COLOURED && LANGUAGE.test(source));
  if (isRefused) return <Plain text={source} isNoted />;
  const whole = isGrowing && open === null ? completed(source) : source;
  const before = stubsOf(labels) + definitions;
  return rendered({
    text: before + (open === null ? withDollars(whole) : whole),
    remarkPlugins: [...PARSERS, settle(prefix, labels, side, before.length)],
    rehypePlugins: [math, highlight, mayRunFromTheRight(source) ? direct : null].filter((plugin) => plugin !== null),
    fallback: source,
  });
});

function rendered({
  text,
  remarkPlugins,
  rehypePlugins,
  fallback,
}: {
  readonly text: string;
  readonly remarkPlugins: Plugins;
  readonly rehypePlugins: Plugins;
  readonly fallback: string;
}): ReactNode {
  try {
    return Markdown({
      children: text,
      remarkPlugins,
      rehypePlugins: [...rehypePlugins, restrict],
      components: PARTS,
      urlTransform: (url) => url,
    });
  } catch {
    // Stack overflow of deeply nested text, or a plugin that throws: show the text unformatted.
    return <Plain text={fallback} isNoted />;
  }
}

/** Closes incomplete bold, code and links. */
function completed(source: string): string {
  return remend(source, { linkMode: "text-only", katex: false, comparisonOperators: false, htmlTags: false });
}

/** Converts `\(…\)` and `\[…\]` outside of code to the `$` delimiters that the parser knows. */
function withDollars(source: string): string {
  if (!/\\[([]/.test(source) || /^ {0,3}(```|~~~|    )/.test(source)) return source;
  return source.replaceAll(
    /(`+)[^`][\s\S]*?\1|\\\\|\\\(([^\n]{1,2000}?)\\\)|\\\[([\s\S]{1,4000}?)\\\]/g,
    (all: string, _ticks: unknown, inline: string | undefined, display: string | undefined) => {
      if (inline !== undefined) return `$${inline.trim()}$`;
      return display === undefined ? all : `\n$$\n${display.trim()}\n$$\n`;
    },
  );
}
