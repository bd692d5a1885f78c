// Markdown may be split only where the parser itself begins a top-level block.

import * as fc from "fast-check";
import remarkGfm from "remark-gfm";
import remarkMath from "remark-math";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { describe, expect, test } from "vitest";
import { splitMarkdown } from "../../../src/web/ui/markdown/split-markdown.ts";
import { pickByLength } from "../../support/run-length.ts";

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

/** Returns the offsets of the lines on which top-level nodes begin. Only white space precedes such a node. */
function listBlockStarts(text: string): Set<number> {
  const offsets = parser.parse(text).children.map(({ position }) => position?.start.offset ?? 0);
  return new Set(offsets.map((at) => text.slice(0, at).replace(/[ \t]+$/, "").length));
}

function listBlockTypes(text: string): string[] {
  return parser.parse(text).children.map((node) => node.type);
}

describe("Markdown pieces", () => {
  test("concatenate to the text and begin where the parser begins a block, for random lines", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 14 }), (lines) => {
        const text = lines.join("\n");
        // After indented code the parser reads such a list as text. Split pieces do not have this defect.
        fc.pre(!/^(?: {4}|\t).*\n\s*^(?:2\.|10\)|-$)/m.test(text));
        const pieces = splitMarkdown(text).map(({ source }) => source);
        expect(pieces.join("")).toBe(text);
        const blockStarts = listBlockStarts(text);
        let at = 0;
        for (const piece of pieces.slice(0, -1)) expect(blockStarts).toContain((at += piece.length));
        expect(pieces.flatMap(listBlockTypes)).toEqual(listBlockTypes(text));
      }),
      { numRuns: pickByLength(300, 20_000) },
    );
  }, 60_000);

  test("do not treat a fence after HTML as part of text that looks like a list", () => {
    const text = "</div>\n-     far\n\n   ```\n\n> quote";
    expect(splitMarkdown(text).flatMap(({ source }) => listBlockTypes(source))).toEqual(listBlockTypes(text));
  });

  test("are the blocks of an ordinary text", () => {
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

  test("report the block that is open at the end", () => {
    expect(splitMarkdown("text\n\n```js\nx\n\ny").at(-1)?.open).toBe("code");
    expect(splitMarkdown("$$\nx").at(-1)?.open).toBe("math");
    expect(splitMarkdown("```\nx\n```").at(-1)?.open).toBe(null);
  });
});
