// What is too much to be laid out stands as it was written, and as much of it as can be read.

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, test } from "vitest";
import { mathPlugin } from "../../src/web/markdown/lazy-plugins.ts";
import {
  truncatePlainText,
  hasTooManyFormulas,
  MAX_PIECES,
  MAX_PLAIN_CHARS,
} from "../../src/web/markdown/markdown-limits.ts";
import { RenderedMarkdown } from "../../src/web/markdown/rendered-markdown.tsx";

const show = (text: string) => renderToStaticMarkup(createElement(RenderedMarkdown, { text, isStreaming: false }));
const lengthOf = (markup: string) => markup.replaceAll(/<[^>]*>/g, "").length;

beforeAll(() => mathPlugin.load());

describe("the beginning of a plain text", () => {
  test.each(["", "short", "x".repeat(MAX_PLAIN_CHARS), "a\n".repeat(900)])("is all of it where it is short", (text) => {
    expect(truncatePlainText(text)).toBe(text);
  });

  test("has few characters, none of them half", () => {
    const text = `${"x".repeat(MAX_PLAIN_CHARS - 1)}😀 and more`;
    expect(truncatePlainText(text).length).toBeLessThanOrEqual(MAX_PLAIN_CHARS);
    expect(truncatePlainText(text).isWellFormed()).toBe(true);
  });

  test("has few lines, however short they are", () => {
    const beginning = truncatePlainText("\n".repeat(15_000));
    expect(beginning.length).toBeLessThan(2_000);
  });
});

describe("of a text that is too long", () => {
  test("only the beginning is in the page, with the way to the rest", () => {
    const markup = show("word ".repeat(200_000));
    expect(lengthOf(markup)).toBeLessThan(MAX_PLAIN_CHARS + 500);
    expect(markup).toContain("Show the rest: 980,000 characters");
  });

  test("as many paragraphs are laid out as a page can hold, and the rest stands below them", () => {
    const markup = show(Array.from({ length: MAX_PIECES * 2 }, (_, i) => `*p${i}*`).join("\n\n"));
    expect(markup.match(/<em>/g)).toHaveLength(MAX_PIECES);
    expect(markup).toContain(`*p${MAX_PIECES}*`);
  });
});

describe("formulas", () => {
  test("of which there are too many stand as they were written", () => {
    const text = "$x^2$ ".repeat(600);
    expect(hasTooManyFormulas(text)).toBe(true);
    expect(show(text)).not.toContain("<math");
    expect(hasTooManyFormulas("$x^2$ ".repeat(400))).toBe(false);
    expect(show("Just $x^2$")).toContain("<math");
  });

  test.each(["$\\rule{9em}{9em}$", "$\\raisebox{9em}{x}$", "$a \\smash{b}$", "$\\rule[-5em]{1em}{9em}$"])(
    "do not reach over other lines: %s",
    (text) => {
      const math = /<math[\s\S]*<\/math>/.exec(show(text))?.[0] ?? "";
      expect(math).toContain("<m");
      expect(math).not.toMatch(/ (height|depth|voffset)=/);
    },
  );
});
