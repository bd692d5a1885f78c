import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MarkdownSanitizer, sanitizeMarkdown } from "../../../src/agents/analyst/compose/sanitize-markdown.ts";
import { pickByLength } from "../../support/run-length.ts";

test.each([
  ["<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"],
  ["<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)>"],
  ["<!-- x --><?php", "&lt;!-- x -->&lt;?php"],
  ["3 < 5, <60 and x <= y", "3 < 5, <60 and x <= y"],
  ["[go](javascript:alert(1))", "[go] (javascript:alert(1))"],
  ["[go](data:text/html,x) [go]( vbscript:x)", "[go] (data:text/html,x) [go] ( vbscript:x)"],
  ["[go](/settings) [go](//evil.example)", "[go] (/settings) [go] (//evil.example)"],
  ["[ok](https://example.com) [ok](HTTP://a.b)", "[ok](https://example.com) [ok](HTTP://a.b)"],
  ["![pixel](https://evil.example/p.gif)", "[pixel](https://evil.example/p.gif)"],
  ["[x]\n\n[x]: javascript:alert(1)", "[x]\n\n[x] : javascript:alert(1)"],
  ["[x]: https://example.com", "[x]: https://example.com"],
  ["**bold** `code` | a | b |", "**bold** `code` | a | b |"],
])("sanitizeMarkdown turns %j into %j", (text, safe) => {
  expect(sanitizeMarkdown(text)).toBe(safe);
  expect(sanitizeMarkdown(safe)).toBe(safe);
});

test("MarkdownSanitizer returns the same text in pieces as sanitizeMarkdown at once", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "<",
      "!",
      "[",
      "]",
      "(",
      ":",
      "](",
      "]:",
      "h",
      "ttp://",
      "https://",
      "javascript:",
      "script",
      "/",
      " ",
      ")",
    ),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const stream = new MarkdownSanitizer();
      const streamed = pieces.map((part) => stream.feed(part)).join("") + stream.flush();
      expect(streamed).toBe(sanitizeMarkdown(pieces.join("")));
    }),
    { numRuns: pickByLength(500, 50_000) },
  );
});
