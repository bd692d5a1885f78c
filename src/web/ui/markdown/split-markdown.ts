// Splits Markdown into pieces that are parsed, rendered and memoized separately. The concatenation of the pieces is the
// text.
// A split is only made where a top-level block certainly starts, independent of the surrounding text: at an unindented
// line after an empty line, outside of code, formulas, HTML and lists. If this is uncertain, there is no split, so a
// piece may hold several blocks, but never a part of one.

export type MarkdownPiece = {
  readonly source: string;
  /** The unclosed block at the end of the piece, which more text would continue. */
  readonly open: "code" | "math" | null;
};

type FenceMarker = { readonly mark: string; readonly minLength: number };

type OpenBlock =
  | { readonly kind: "text" }
  | { readonly kind: "fence"; readonly fence: FenceMarker }
  | { readonly kind: "html"; readonly end: RegExp }
  /** Lines indented by `offset` columns continue the last item; uncertain unless `isSure`. */
  | { readonly kind: "list"; readonly offset: number; readonly isSure: boolean };

const NO_OPEN_BLOCK: OpenBlock = { kind: "text" };
const LIST_MARKER = /^( *)([-*+]|\d{1,9}[.)])( +|$)(.*)$/;
const THEMATIC_BREAK = /^ {0,3}([-*_])( *\1){2,} *$/;
const CLOSES_LIST = /^ {0,3}(#{1,6}( |$)|>)/;
const HTML_TAG = /^ {0,3}<[/a-zA-Z]/;
const MULTILINE_HTML: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<(script|pre|style|textarea)(\s|>|$)/i, /<\/(script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![a-z]/i, />/],
];

/** Splits a text; "" has no pieces. From the first uncertain structure on, the rest of the text is one piece. */
export function splitMarkdown(text: string): MarkdownPiece[] {
  const pieces: MarkdownPiece[] = [];
  const state = { inside: NO_OPEN_BLOCK, afterEmpty: true, inTag: false };
  let start = 0;
  for (let at = 0; at < text.length;) {
    const end = findLineEnd(text, at);
    const line = expandTabs(text.slice(at, end).replace(/\r?\n$|\r$/, ""));
    if (at > start && state.afterEmpty && startsTopLevelBlock(line, state.inside)) {
      pieces.push({ source: text.slice(start, at), open: null });
      start = at;
      state.inside = NO_OPEN_BLOCK;
    }
    if (!consumeLine(line, state)) return [...pieces, { source: text.slice(start), open: null }];
    at = end;
  }
  if (start < text.length) pieces.push({ source: text.slice(start), open: getUnclosedKind(state.inside) });
  return pieces;
}

function getUnclosedKind(inside: OpenBlock): MarkdownPiece["open"] {
  if (inside.kind !== "fence") return null;
  return inside.fence.mark === "$" ? "math" : "code";
}

/** Returns the index after the line that starts at `from`. Lines end with LF, CR or CRLF, as in CommonMark. */
function findLineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) return at + 1;
    if (code === 13) return text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
  }
  return text.length;
}

/** Replaces tabs by spaces up to the next multiple of four columns. */
function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  let column = 0;
  return line.replaceAll(/[^\t]|\t/gu, (character) => {
    const width = character === "\t" ? 4 - (column % 4) : character.length;
    column += width;
    return character === "\t" ? " ".repeat(width) : character;
  });
}

/** True if a line after an empty line certainly starts a top-level block. */
function startsTopLevelBlock(line: string, inside: OpenBlock): boolean {
  if (inside.kind === "fence" || inside.kind === "html" || isBlankLine(line) || measureIndent(line) > 1) return false;
  return inside.kind === "text" || !LIST_MARKER.test(line) || THEMATIC_BREAK.test(line);
}

/** Updates the state by one line; false if its structure cannot be determined. */
function consumeLine(line: string, state: { inside: OpenBlock; afterEmpty: boolean; inTag: boolean }): boolean {
  const { inside, afterEmpty } = state;
  if (inside.kind === "fence") {
    if (closesFence(line, inside.fence)) state.inside = NO_OPEN_BLOCK;
    state.afterEmpty = isBlankLine(line);
    return true;
  }
  if (inside.kind === "html") {
    if (inside.end.test(line)) state.inside = NO_OPEN_BLOCK;
    state.afterEmpty = isBlankLine(line);
    return true;
  }
  state.afterEmpty = isBlankLine(line);
  if (state.afterEmpty) {
    state.inTag = false;
    return true;
  }
  const indent = measureIndent(line);
  if (inside.kind === "list" && indent >= inside.offset) return inside.isSure || !mayStartFence(line);
  if (HTML_TAG.test(line)) state.inTag = true;
  const fence = parseFence(line);
  if (state.inTag && mayStartFence(line)) return false;
  if (fence !== null) state.inside = { kind: "fence", fence };
  else state.inside = getNextBlock(line, inside, afterEmpty);
  // A line inside of an HTML tag may look like an item.
  if (state.inTag && state.inside.kind === "list") state.inside = { ...state.inside, isSure: false };
  return true;
}

function getNextBlock(line: string, before: OpenBlock, afterEmpty: boolean): OpenBlock {
  const html = MULTILINE_HTML.find(([begin]) => begin.test(line));
  if (html !== undefined && !html[1].test(line)) return { kind: "html", end: html[1] };
  const endsList = html !== undefined || THEMATIC_BREAK.test(line) || CLOSES_LIST.test(line);
  if (endsList) return before.kind === "list" ? { ...before, isSure: false } : NO_OPEN_BLOCK;
  const marker = LIST_MARKER.exec(line);
  if (marker !== null && measureIndent(line) < 4) {
    const [, indent = "", sign = "", gap = "", rest = ""] = marker;
    const mayInterrupt = rest !== "" && (sign.length === 1 || /^1[.)]$/.test(sign));
    // An item that starts with an empty line ends at the next empty line.
    const isSure = rest !== "" && (afterEmpty || mayInterrupt || (before.kind === "list" && before.isSure));
    const width = rest === "" || gap.length > 4 ? 1 : gap.length;
    return { kind: "list", offset: indent.length + sign.length + width, isSure };
  }
  return before.kind === "list" ? { ...before, offset: 2, isSure: false } : before;
}

function parseFence(line: string): FenceMarker | null {
  const found = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*|(\${2,})[^$]*)$/.exec(line);
  const marks = found?.[1] ?? found?.[2] ?? found?.[3];
  return marks === undefined ? null : { mark: marks.charAt(0), minLength: marks.length };
}

function mayStartFence(line: string): boolean {
  return /^[\s>]*(```|~~~|\$\$)/.test(line) || MULTILINE_HTML.some(([begin]) => begin.test(line.trimStart()));
}

function closesFence(line: string, { mark, minLength }: FenceMarker): boolean {
  const text = line.trim();
  return measureIndent(line) < 4 && text.length >= minLength && [...text].every((character) => character === mark);
}

function measureIndent(line: string): number {
  return line.length - line.trimStart().length;
}

function isBlankLine(line: string): boolean {
  return line.trim() === "";
}
