// Where a text of Markdown may be cut: only where the parser itself begins something on the top level.

import * as fc from "fast-check";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { describe, expect, test } from "vitest";
import { splitMarkdown } from "../../src/web/markdown/split-markdown.ts";

const parser = unified().use(remarkParse).use(remarkGfm).use(remarkMath).freeze();

const LINES = [
  "",
  "",
  "",
  "text",
  "  text",
  "    four",
  "\ttab",
  "- item",
  "-\titem",
  "-     far",
  "-",
  "  - nested",
  "   - three",
  "1. one",
  "2. two",
  "10) ten",
  "   ```",
  "  ```",
  "```",
  "```js",
  "````",
  "- ```",
  "1. ~~~",
  "> ```",
  "~~~",
  "   ~~~",
  "$$",
  "  $$",
  "$$ x $$",
  "> quote",
  ">",
  "# heading",
  "   # heading",
  "===",
  "---",
  "* * *",
  "***",
  "<div>",
  "</div>",
  "<!-- a",
  "-->",
  "<!-->",
  "<!-- a -->",
  "  <!-- b",
  "<script>",
  "</script>",
  "- <pre>",
  "<?php",
  "?>",
  "<![CDATA[",
  "]]>",
  "<!X",
  "<b>bold</b>",
  "| a | b |",
  "|---|---|",
  "[a]: /x",
  "'title",
  "it'",
  "[^1]: note",
  "[^1]: ```",
  "- # heading",
  "- [ ] open",
  "`code",
];

/** The offsets at which nodes of the top level begin, each with nothing but spaces before it on its line. */
function beginningsOf(text: string): Set<number> {
  const offsets = parser.parse(text).children.map(({ position }) => position?.start.offset ?? 0);
  return new Set(offsets.map((at) => text.slice(0, at).replace(/[ \t]+$/, "").length));
}

function outlineOf(text: string): string[] {
  return parser.parse(text).children.map((node) => node.type);
}

describe("pieces", () => {
  test("joined are the text, and begin where the parser begins a block", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 14 }), (lines) => {
        const text = lines.join("\n");
        // After indented code the parser reads such a list as words, a mistake that a cut avoids.
        fc.pre(!/^(?: {4}|\t).*\n\s*^(?:2\.|10\)|-$)/m.test(text));
        const pieces = splitMarkdown(text).map(({ source }) => source);
        expect(pieces.join("")).toBe(text);
        const beginnings = beginningsOf(text);
        let at = 0;
        for (const piece of pieces.slice(0, -1)) expect(beginnings).toContain((at += piece.length));
        expect(pieces.flatMap(outlineOf)).toEqual(outlineOf(text));
      }),
      { numRuns: Number(process.env["RUNS"] ?? 800) },
    );
  }, 60_000);

  test("a fence below a tag is not taken for a part of what only looks like a list", () => {
    const text = "</div>\n-     far\n\n   ```\n\n> quote";
    expect(splitMarkdown(text).flatMap(({ source }) => outlineOf(source))).toEqual(outlineOf(text));
  });

  test("ordinary texts fall into their blocks", () => {
    const text =
      "# Title\n\nA paragraph\nof two lines.\n\n- a\n\n- b\n\n```js\nx\n\ny\n```\n\n| a |\n|---|\n| b |\n\n$$\nx\n\ny\n$$\n\nEnd";
    expect(splitMarkdown(text).map(({ source }) => source.trim().split("\n")[0])).toEqual([
      "# Title",
      "A paragraph",
      "- a",
      "```js",
      "| a |",
      "$$",
      "End",
    ]);
  });

  test("what is open at the end is told", () => {
    expect(splitMarkdown("text\n\n```js\nx\n\ny").at(-1)?.open).toBe("code");
    expect(splitMarkdown("$$\nx").at(-1)?.open).toBe("math");
    expect(splitMarkdown("```\nx\n```").at(-1)?.open).toBe(null);
  });
});
