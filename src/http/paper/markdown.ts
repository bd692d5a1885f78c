// Renders the Markdown that models write: headings, lists, quotes, tables, code and emphasis. HTML is escaped. Links
// and images become text with their target, so an exported page refers to nothing outside.

import { html, type Html } from "./html.ts";

/** The maximum nesting of quotes, lists and emphasis; deeper levels are text. */
const MOST_DEPTH = 4;

/** Renders Markdown. Never throws: invalid Markdown is rendered as text. */
export function markdown(source: string): Html {
  // Pages are stored with `<` escaped for readers that do not escape; here it is escaped again.
  const text = source.replaceAll("&lt;", "<").replaceAll(/\r\n?/g, "\n");
  return html`${blocksIn(text.split("\n"), 0)}`;
}

/** Parses lines into blocks. */
function blocksIn(lines: readonly string[], depth: number): Html[] {
  const blocks: Html[] = [];
  let at = 0;
  while (at < lines.length) {
    const [block, next] = blockAt(lines, at, depth);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** Parses the block at line `at`. Returns it with the index of the line after it; null for an empty line. */
function blockAt(lines: readonly string[], at: number, depth: number): [Html | null, number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [null, at + 1];
  if (/^\s*(```|~~~)/.test(line)) return code(lines, at);
  const [, marks, words = ""] = /^\s{0,3}(#{1,6})\s(.*)$/.exec(line) ?? [];
  if (marks !== undefined) return [heading(marks.length, inline(words.trim())), at + 1];
  if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) return [html`<hr />`, at + 1];
  if (isTable(lines, at)) return table(lines, at);
  if (/^\s{0,3}>/.test(line) && depth < MOST_DEPTH) return quote(lines, at, depth);
  if (itemIn(line) !== null) return list(lines, at);
  return paragraph(lines, at);
}

/** Renders a heading as `h3` to `h5`: `h1` and `h2` are the titles of the page and of its tabs. */
function heading(level: number, words: Html): Html {
  if (level <= 2) return html`<h3>${words}</h3>`;
  return level === 3 ? html`<h4>${words}</h4>` : html`<h5>${words}</h5>`;
}

function code(lines: readonly string[], at: number): [Html, number] {
  const fence = (lines[at] ?? "").trim().slice(0, 3);
  const close = lines.findIndex((line, i) => i > at && line.trim().startsWith(fence));
  const end = close < 0 ? lines.length : close;
  return [html`<pre><code>${lines.slice(at + 1, end).join("\n")}</code></pre>`, end + 1];
}

function quote(lines: readonly string[], at: number, depth: number): [Html, number] {
  const end = endOf(lines, at, (line) => /^\s{0,3}>/.test(line));
  const inner = lines.slice(at, end).map((line) => line.replace(/^\s{0,3}> ?/, ""));
  return [html`<blockquote>${blocksIn(inner, depth + 1)}</blockquote>`, end];
}

function paragraph(lines: readonly string[], at: number): [Html, number] {
  const end = endOf(
    lines,
    at + 1,
    (line, i) =>
      line.trim() !== "" && !/^\s{0,3}(#{1,6}\s|>|```|~~~)/.test(line) && itemIn(line) === null && !isTable(lines, i),
  );
  return [html`<p>${inline(lines.slice(at, end).join("\n"))}</p>`, end];
}

/** A list item. `number` is the number of an ordered item, null for a bullet; `indent` is in columns. */
type Item = { readonly indent: number; readonly number: number | null; readonly words: string };

function itemIn(line: string): Item | null {
  const [, space = "", mark = "", words = ""] = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line) ?? [];
  const number = /\d/.test(mark) ? Number.parseInt(mark, 10) : null;
  return mark === "" ? null : { indent: space.replaceAll("\t", "    ").length, number, words };
}

/** Parses all items of a list, and nests them by their indentation. */
function list(lines: readonly string[], at: number): [Html, number] {
  const items: Item[] = [];
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? "";
    const item = itemIn(line);
    const last = items.at(-1);
    if (item !== null) items.push(item);
    else if (line.trim() !== "" && /^\s/.test(line) && last !== undefined)
      items[items.length - 1] = { ...last, words: `${last.words}\n${line.trim()}` };
    else break;
  }
  return [listOf(items, 0), end];
}

/** Renders items as a list. Further indented items belong to the item before them. */
function listOf(items: readonly Item[], depth: number): Html {
  const [first] = items;
  const indent = first?.indent ?? 0;
  const groups: Item[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group === undefined || item.indent <= indent || depth >= MOST_DEPTH) groups.push([item]);
    else group.push(item);
  }
  const entries = groups.map(([head, ...below]) => {
    const nested = below.length === 0 ? null : listOf(below, depth + 1);
    return html`<li>${inline(head?.words ?? "")}${nested}</li>`;
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

function table(lines: readonly string[], at: number): [Html, number] {
  const end = endOf(lines, at + 2, (line) => line.includes("|"));
  const [head = [], ...rows] = [lines[at] ?? "", ...lines.slice(at + 2, end)].map(cellsIn);
  const body = rows.map(
    (cells) =>
      html`<tr>
        ${cells.map((cell) => html`<td>${inline(cell)}</td>`)}
      </tr>`,
  );
  const headers = head.map((cell) => html`<th scope="col">${inline(cell)}</th>`);
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

function cellsIn(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split("|").map((cell) => cell.trim());
}

/** Returns the index of the first line at or after `from` that does not match. */
function endOf(lines: readonly string[], from: number, goesOn: (line: string, at: number) => boolean): number {
  let end = from;
  while (end < lines.length && goesOn(lines[end] ?? "", end)) end++;
  return end;
}

/** Each repetition is bounded, so matching takes linear time. */
const INLINE =
  /`([^`\n]{1,500})`|\*\*(?=\S)([^\n]{0,500}?\S)\*\*|__(?=\S)([^\n]{0,500}?\S)__|(?<![\w*])\*(?=[^\s*])([^*\n]{0,500}?[^\s*])\*(?!\w)|!?\[([^\]\n]{0,500})\]\(([^)\n]{0,1000})\)/g;

/** Renders code, emphasis and links within a line. */
function inline(text: string, depth = 0): Html {
  if (depth > MOST_DEPTH) return html`${text}`;
  const parts: (Html | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, literal, strong, strong2, em, label, target] = match;
    parts.push(text.slice(at, match.index));
    if (literal !== undefined) parts.push(html`<code>${literal}</code>`);
    else if (em !== undefined) parts.push(html`<em>${inline(em, depth + 1)}</em>`);
    // A title after the target is dropped.
    else if (label !== undefined) parts.push(linkAsText(label, target?.trim().split(/\s/, 1)[0] ?? ""));
    else parts.push(html`<strong>${inline(strong ?? strong2 ?? "", depth + 1)}</strong>`);
    at = match.index + whole.length;
  }
  return html`${[...parts, text.slice(at)]}`;
}

function linkAsText(label: string, target: string): string {
  return label === target || target === "" ? label : `${label} (${target})`;
}
