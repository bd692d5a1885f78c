// Limits of Markdown rendering: content above a limit is shown as plain text and truncated.

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, test } from "vitest";
import { mathPlugin } from "../../../src/web/ui/markdown/lazy-plugins.ts";
import {
  truncatePlainText,
  hasTooManyFormulas,
  MAX_PIECES,
  MAX_PLAIN_CHARS,
} from "../../../src/web/ui/markdown/markdown-limits.ts";
import { RenderedMarkdown } from "../../../src/web/ui/markdown/rendered-markdown.tsx";
import "../load-messages.ts";

const renderMarkdown = (text: string) =>
  renderToStaticMarkup(createElement(RenderedMarkdown, { text, isStreaming: false }));
const measureText = (markup: string) => markup.replaceAll(/<[^>]*>/g, "").length;

beforeAll(() => mathPlugin.load());

describe("truncated plain text", () => {
  test.each(["", "short", "x".repeat(MAX_PLAIN_CHARS), "a\n".repeat(900)])(
    "is the whole text if it is short",
    (text) => {
      expect(truncatePlainText(text)).toBe(text);
    },
  );

  test("is limited in characters and never splits a surrogate pair", () => {
    const text = `${"x".repeat(MAX_PLAIN_CHARS - 1)}😀 and more`;
    expect(truncatePlainText(text).length).toBeLessThanOrEqual(MAX_PLAIN_CHARS);
    expect(truncatePlainText(text).isWellFormed()).toBe(true);
  });

  test("is limited in lines, even if they are empty", () => {
    const beginning = truncatePlainText("\n".repeat(15_000));
    expect(beginning.length).toBeLessThan(2_000);
  });
});

describe("text above the limits", () => {
  test("is truncated, with a button that shows the rest", () => {
    const markup = renderMarkdown("word ".repeat(200_000));
    expect(measureText(markup)).toBeLessThan(MAX_PLAIN_CHARS + 500);
    expect(markup).toContain("Show 980,000 more characters");
  });

  test("renders at most MAX_PIECES blocks and shows the rest as plain text", () => {
    const markup = renderMarkdown(Array.from({ length: MAX_PIECES * 2 }, (_, i) => `*p${i}*`).join("\n\n"));
    expect(markup.match(/<em>/g)).toHaveLength(MAX_PIECES);
    expect(markup).toContain(`*p${MAX_PIECES}*`);
  });
});

describe("formulas", () => {
  test("are shown as source text if there are too many", () => {
    const text = "$x^2$ ".repeat(600);
    expect(hasTooManyFormulas(text)).toBe(true);
    expect(renderMarkdown(text)).not.toContain("<math");
    expect(hasTooManyFormulas("$x^2$ ".repeat(400))).toBe(false);
    expect(renderMarkdown("Just $x^2$")).toContain("<math");
  });

  test.each(["$\\rule{9em}{9em}$", "$\\raisebox{9em}{x}$", "$a \\smash{b}$", "$\\rule[-5em]{1em}{9em}$"])(
    "cannot overlap other lines: %s",
    (text) => {
      const math = /<math[\s\S]*<\/math>/.exec(renderMarkdown(text))?.[0] ?? "";
      expect(math).toContain("<m");
      expect(math).not.toMatch(/ (height|depth|voffset)=/);
    },
  );
});
