// Renders the Markdown that models write: headings, lists, quotes, tables, code and emphasis. HTML is escaped. Links
// and images become text with their target, so an exported page refers to nothing outside.

import { html, type Html } from "../html-template.ts";

/** The maximum nesting of quotes, lists and emphasis; deeper levels are text. */
const MAX_NESTING = 4;

/** Renders Markdown. Never throws: invalid Markdown is rendered as text. */
export function renderMarkdown(source: string): Html {
  // Pages are stored with `<` escaped for readers that do not escape; here it is escaped again.
  const text = source.replaceAll("&lt;", "<").replaceAll(/\r\n?/g, "\n");
  return html`${parseBlocks(text.split("\n"), 0)}`;
}

/** Parses lines into blocks. */
function parseBlocks(lines: readonly string[], depth: number): Html[] {
  const blocks: Html[] = [];
  let at = 0;
  while (at < lines.length) {
    const [block, next] = parseBlock(lines, at, depth);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** Parses the block at line `at`. Returns it with the index of the line after it; null for an empty line. */
function parseBlock(lines: readonly string[], at: number, depth: number): [Html | null, number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [null, at + 1];
  if (/^\s*(```|~~~)/.test(line)) return parseCode(lines, at);
  const [, marks, words = ""] = /^\s{0,3}(#{1,6})\s(.*)$/.exec(line) ?? [];
  if (marks !== undefined) return [renderHeading(marks.length, renderInline(words.trim())), at + 1];
  if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) return [html`<hr />`, at + 1];
  if (isTable(lines, at)) return parseTable(lines, at);
  if (/^\s{0,3}>/.test(line) && depth < MAX_NESTING) return parseQuote(lines, at, depth);
  if (parseListItem(line) !== null) return parseList(lines, at);
  return parseParagraph(lines, at);
}

/** Renders a heading as `h3` to `h5`: `h1` and `h2` are the titles of the page and of its tabs. */
function renderHeading(level: number, words: Html): Html {
  if (level <= 2) return html`<h3>${words}</h3>`;
  return level === 3 ? html`<h4>${words}</h4>` : html`<h5>${words}</h5>`;
}

function parseCode(lines: readonly string[], at: number): [Html, number] {
  const fence = (lines[at] ?? "").trim().slice(0, 3);
  const close = lines.findIndex((line, i) => i > at && line.trim().startsWith(fence));
  const end = close < 0 ? lines.length : close;
  return [html`<pre><code>${lines.slice(at + 1, end).join("\n")}</code></pre>`, end + 1];
}

function parseQuote(lines: readonly string[], at: number, depth: number): [Html, number] {
  const end = findEnd(lines, at, (line) => /^\s{0,3}>/.test(line));
  const inner = lines.slice(at, end).map((line) => line.replace(/^\s{0,3}> ?/, ""));
  return [html`<blockquote>${parseBlocks(inner, depth + 1)}</blockquote>`, end];
}

function parseParagraph(lines: readonly string[], at: number): [Html, number] {
  const end = findEnd(
    lines,
    at + 1,
    (line, i) =>
      line.trim() !== "" &&
      !/^\s{0,3}(#{1,6}\s|>|```|~~~)/.test(line) &&
      parseListItem(line) === null &&
      !isTable(lines, i),
  );
  return [html`<p>${renderInline(lines.slice(at, end).join("\n"))}</p>`, end];
}

/** A list item. `number` is the number of an ordered item, null for a bullet; `indent` is in columns. */
type MarkdownListItem = { readonly indent: number; readonly number: number | null; readonly text: string };

function parseListItem(line: string): MarkdownListItem | null {
  const [, space = "", mark = "", text = ""] = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line) ?? [];
  const number = /\d/.test(mark) ? Number.parseInt(mark, 10) : null;
  return mark === "" ? null : { indent: space.replaceAll("\t", "    ").length, number, text };
}

/** Parses all items of a list, and nests them by their indentation. */
function parseList(lines: readonly string[], at: number): [Html, number] {
  const items: MarkdownListItem[] = [];
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? "";
    const item = parseListItem(line);
    const last = items.at(-1);
    if (item !== null) items.push(item);
    else if (line.trim() !== "" && /^\s/.test(line) && last !== undefined)
      items[items.length - 1] = { ...last, text: `${last.text}\n${line.trim()}` };
    else break;
  }
  return [renderList(items, 0), end];
}

/** Renders items as a list. Further indented items belong to the item before them. */
function renderList(items: readonly MarkdownListItem[], depth: number): Html {
  const [first] = items;
  const indent = first?.indent ?? 0;
  const groups: MarkdownListItem[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group === undefined || item.indent <= indent || depth >= MAX_NESTING) groups.push([item]);
    else group.push(item);
  }
  const entries = groups.map(([head, ...below]) => {
    const nested = below.length === 0 ? null : renderList(below, depth + 1);
    return html`<li>${renderInline(head?.text ?? "")}${nested}</li>`;
  });
  const number = first?.number ?? null;
  if (number === null)
    return html`<ul>
      ${entries}
    </ul>`;
  // A blank line or a text between two items splits the list, so the number of the first item is kept.
  return html`<ol${number === 1 ? null : html` start="${number}"`}>
    ${entries}
  </ol>`;
}

function isTable(lines: readonly string[], at: number): boolean {
  const under = (lines[at + 1] ?? "").replaceAll(/\s/g, "");
  return (lines[at] ?? "").includes("|") && /^\|?:?-+:?(\|:?-+:?)+\|?$/.test(under);
}

function parseTable(lines: readonly string[], at: number): [Html, number] {
  const end = findEnd(lines, at + 2, (line) => line.includes("|"));
  const [head = [], ...rows] = [lines[at] ?? "", ...lines.slice(at + 2, end)].map(splitCells);
  const body = rows.map(
    (cells) =>
      html`<tr>
        ${cells.map((cell) => html`<td>${renderInline(cell)}</td>`)}
      </tr>`,
  );
  const headers = head.map((cell) => html`<th scope="col">${renderInline(cell)}</th>`);
  return [
    html`<div class="scroll">
      <table>
        <thead>
          <tr>
            ${headers}
          </tr>
        </thead>
        <tbody>
          ${body}
        </tbody>
      </table>
    </div>`,
    end,
  ];
}

function splitCells(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split("|").map((cell) => cell.trim());
}

/** Returns the index of the first line at or after `from` that does not match. */
function findEnd(lines: readonly string[], from: number, goesOn: (line: string, at: number) => boolean): number {
  let end = from;
  while (end < lines.length && goesOn(lines[end] ?? "", end)) end++;
  return end;
}

/** Each repetition is bounded, so matching takes linear time. */
const INLINE_MARKUP =
  /`([^`\n]{1,500})`|\*\*(?=\S)([^\n]{0,500}?\S)\*\*|__(?=\S)([^\n]{0,500}?\S)__|(?<![\w*])\*(?=[^\s*])([^*\n]{0,500}?[^\s*])\*(?!\w)|!?\[([^\]\n]{0,500})\]\(([^)\n]{0,1000})\)/g;

/** Renders code, emphasis and links within a line. */
function renderInline(text: string, depth = 0): Html {
  if (depth > MAX_NESTING) return html`${text}`;
  const parts: (Html | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE_MARKUP)) {
    const [whole, literal, strong, strong2, em, label, target] = match;
    parts.push(text.slice(at, match.index));
    if (literal !== undefined) parts.push(html`<code>${literal}</code>`);
    else if (em !== undefined) parts.push(html`<em>${renderInline(em, depth + 1)}</em>`);
    // A title after the target is dropped.
    else if (label !== undefined) parts.push(formatLink(label, target?.trim().split(/\s/, 1)[0] ?? ""));
    else parts.push(html`<strong>${renderInline(strong ?? strong2 ?? "", depth + 1)}</strong>`);
    at = match.index + whole.length;
  }
  return html`${[...parts, text.slice(at)]}`;
}

function formatLink(label: string, target: string): string {
  return label === target || target === "" ? label : `${label} (${target})`;
}
