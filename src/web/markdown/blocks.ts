// Splits Markdown into pieces that are parsed, rendered and memoized separately. The concatenation of the pieces is the
// text.
// A split is only made where a top-level block certainly starts, independent of the surrounding text: at an unindented
// line after an empty line, outside of code, formulas, HTML and lists. If this is uncertain, there is no split, so a
// piece may hold several blocks, but never a part of one.

export type Piece = {
  readonly source: string;
  /** The unclosed block at the end of the piece, which more text would continue. */
  readonly open: "code" | "math" | null;
};

type Fence = { readonly mark: string; readonly least: number };

type Inside =
  | { readonly kind: "text" }
  | { readonly kind: "fence"; readonly fence: Fence }
  | { readonly kind: "html"; readonly end: RegExp }
  /** Lines indented by `offset` columns continue the last item; uncertain unless `isSure`. */
  | { readonly kind: "list"; readonly offset: number; readonly isSure: boolean };

const TEXT: Inside = { kind: "text" };
const MARKER = /^( *)([-*+]|\d{1,9}[.)])( +|$)(.*)$/;
const RULE = /^ {0,3}([-*_])( *\1){2,} *$/;
const CLOSES_LIST = /^ {0,3}(#{1,6}( |$)|>)/;
const TAG = /^ {0,3}<[/a-zA-Z]/;
const LONG_HTML: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<(script|pre|style|textarea)(\s|>|$)/i, /<\/(script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![a-z]/i, />/],
];

/** Splits a text. The rest of a text whose structure is uncertain becomes one piece. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  const state = { inside: TEXT, afterEmpty: true, inTag: false };
  let start = 0;
  for (let at = 0; at < text.length;) {
    const end = endOfLine(text, at);
    const line = untabbed(text.slice(at, end).replace(/\r?\n$|\r$/, ""));
    if (at > start && state.afterEmpty && begins(line, state.inside)) {
      pieces.push({ source: text.slice(start, at), open: null });
      start = at;
      state.inside = TEXT;
    }
    if (!read(line, state)) return [...pieces, { source: text.slice(start), open: null }];
    at = end;
  }
  if (start < text.length) pieces.push({ source: text.slice(start), open: openAt(state.inside) });
  return pieces;
}

function openAt(inside: Inside): Piece["open"] {
  if (inside.kind !== "fence") return null;
  return inside.fence.mark === "$" ? "math" : "code";
}

/** Returns the index after the line that starts at `from`. Lines end with LF, CR or CRLF, as in CommonMark. */
function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) return at + 1;
    if (code === 13) return text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
  }
  return text.length;
}

/** Replaces tabs by spaces up to the next multiple of four columns. */
function untabbed(line: string): string {
  if (!line.includes("\t")) return line;
  let column = 0;
  return line.replaceAll(/[^\t]|\t/gu, (character) => {
    const width = character === "\t" ? 4 - (column % 4) : character.length;
    column += width;
    return character === "\t" ? " ".repeat(width) : character;
  });
}

/** True if a line after an empty line certainly starts a top-level block. */
function begins(line: string, inside: Inside): boolean {
  if (inside.kind === "fence" || inside.kind === "html" || isEmpty(line) || indentOf(line) > 1) return false;
  return inside.kind === "text" || !MARKER.test(line) || RULE.test(line);
}

/** Updates the state by one line; false if its structure cannot be determined. */
function read(line: string, state: { inside: Inside; afterEmpty: boolean; inTag: boolean }): boolean {
  const { inside, afterEmpty } = state;
  if (inside.kind === "fence") {
    if (isClosed(line, inside.fence)) state.inside = TEXT;
    state.afterEmpty = isEmpty(line);
    return true;
  }
  if (inside.kind === "html") {
    if (inside.end.test(line)) state.inside = TEXT;
    state.afterEmpty = isEmpty(line);
    return true;
  }
  state.afterEmpty = isEmpty(line);
  if (state.afterEmpty) {
    state.inTag = false;
    return true;
  }
  const indent = indentOf(line);
  if (inside.kind === "list" && indent >= inside.offset) return inside.isSure || !isFenceLike(line);
  if (TAG.test(line)) state.inTag = true;
  const fence = fenceOf(line);
  if (state.inTag && isFenceLike(line)) return false;
  if (fence !== null) state.inside = { kind: "fence", fence };
  else state.inside = insideOf(line, inside, afterEmpty);
  // A line inside of an HTML tag may look like an item.
  if (state.inTag && state.inside.kind === "list") state.inside = { ...state.inside, isSure: false };
  return true;
}

function insideOf(line: string, before: Inside, afterEmpty: boolean): Inside {
  const html = LONG_HTML.find(([begin]) => begin.test(line));
  if (html !== undefined && !html[1].test(line)) return { kind: "html", end: html[1] };
  const isOther = html !== undefined || RULE.test(line) || CLOSES_LIST.test(line);
  if (isOther) return before.kind === "list" ? { ...before, isSure: false } : TEXT;
  const marker = MARKER.exec(line);
  if (marker !== null && indentOf(line) < 4) {
    const [, indent = "", sign = "", gap = "", rest = ""] = marker;
    const mayInterrupt = rest !== "" && (sign.length === 1 || /^1[.)]$/.test(sign));
    // An item that starts with an empty line ends at the next empty line.
    const isSure = rest !== "" && (afterEmpty || mayInterrupt || (before.kind === "list" && before.isSure));
    const width = rest === "" || gap.length > 4 ? 1 : gap.length;
    return { kind: "list", offset: indent.length + sign.length + width, isSure };
  }
  return before.kind === "list" ? { ...before, offset: 2, isSure: false } : before;
}

function fenceOf(line: string): Fence | null {
  const found = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*|(\${2,})[^$]*)$/.exec(line);
  const marks = found?.[1] ?? found?.[2] ?? found?.[3];
  return marks === undefined ? null : { mark: marks.charAt(0), least: marks.length };
}

function isFenceLike(line: string): boolean {
  return /^[\s>]*(```|~~~|\$\$)/.test(line) || LONG_HTML.some(([begin]) => begin.test(line.trimStart()));
}

function isClosed(line: string, { mark, least }: Fence): boolean {
  const text = line.trim();
  return indentOf(line) < 4 && text.length >= least && [...text].every((character) => character === mark);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isEmpty(line: string): boolean {
  return line.trim() === "";
}
