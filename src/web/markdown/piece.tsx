// One piece of a text. It is parsed again only when it has changed itself.

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

/** Longer code stays without colours. */
const MAX_COLOURED = 20_000;
const LANGUAGE = /^[ \t>\-*+\d.)]*(?:`{3,}|~{3,})[ \t]*[\w+#.-]/m;
const PARSERS: Plugins = [[remarkGfm, { singleTilde: false }], remarkMath, cjkFriendly];

/** Emphasis beside the punctuation of Chinese, Japanese and Korean, which the standard's rules do not take for one. */
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
  /** More of it is still to come. */
  readonly isGrowing: boolean;
  readonly mayHaveMath: boolean;
  /** Link targets that are defined in other pieces, as Markdown. */
  readonly definitions: string;
  /** Of the ids of the text's notes. */
  readonly prefix: string;
  /** The notes that the piece names, as `labelsFor` tells them. */
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
    // Nested beyond what a stack holds, or a fault of a plugin: the words are worth more than their form.
    return <Plain text={fallback} isNoted />;
  }
}

/** Half-written bold, code and links as they will be once they are written. */
function completed(source: string): string {
  return remend(source, { linkMode: "text-only", katex: false, comparisonOperators: false, htmlTags: false });
}

/** Formulas between `\(` and `\)` or `\[` and `\]`, outside of code, in the form that the parser knows. */
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
