// Pages on paper: nothing that they say gets out of its place, and every drawing is one.

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sanitizeMarkdown } from "../../../src/agents/analyst/sanitize-markdown.ts";
import { renderChart } from "../../../src/http/page-export/chart-svg.ts";
import { formatPageCsv } from "../../../src/http/page-export/page-csv.ts";
import { renderDocument } from "../../../src/http/page-export/page-document.ts";
import { html } from "../../../src/http/page-export/html-template.ts";
import { renderMarkdown } from "../../../src/http/page-export/markdown-html.ts";
import { renderTable } from "../../../src/http/page-export/table-html.ts";
import { matchesHighlightRule } from "../../../src/protocol/pages/page-table.ts";
import type { PageBlock, PageSpec } from "../../../src/protocol/pages/page.ts";
import { formatNumber, computeAxisScale } from "../../../src/protocol/pages/axis-scale.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { HOSTILE, PAGE, PAPER } from "./sample-page.ts";

type Chart = Extract<PageBlock, { type: "chart" }>;

const TAGS = new Set(
  "html head meta title style body header h1 h2 h3 h4 h5 p time main section div dl dt dd b span table thead tbody tr th td svg g rect line text circle polyline polygon path details summary ul ol li pre code blockquote strong em hr".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  "lang charset http-equiv content name class datetime scope viewbox role aria-label aria-hidden x y x1 x2 y1 y2 cx cy r rx dy d points width height text-anchor fill stroke".split(
    " ",
  ),
);
const tagsIn = (text: string) => [...text.matchAll(/<\/?([a-z][^\s/>]*)/gi)].map(([, tag = ""]) => tag.toLowerCase());

/** The names of all attributes. No value has a `>` or a `"` in it. */
const attributesIn = (text: string) =>
  new Set(
    [...text.replace(/<style>[\s\S]*?<\/style>/, "").matchAll(/<[^>]*>/g)].flatMap(([tag]) =>
      [...tag.replaceAll(/"[^"]*"/g, '""').matchAll(/([^\s=]+)=/g)].map(([, name = ""]) => name.toLowerCase()),
    ),
  );

/** Every text of a value replaced, but for what the schema has a list of. */
function poisoned<T>(value: T, poison: string): T {
  if (typeof value === "string") return poison as T;
  if (Array.isArray(value)) return value.map((one: unknown) => poisoned(one, poison)) as T;
  if (typeof value !== "object" || value === null) return value;
  const fixed = new Set(["type", "variant", "layout", "status", "priority", "difficulty", "condition", "style"]);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      fixed.has(key) ? (one as unknown) : poisoned(one as unknown, poison),
    ]),
  ) as T;
}

describe("the document", () => {
  test("needs nothing from anywhere and runs nothing", async () => {
    const text = await renderDocument(PAPER);
    expect(tagsIn(text).filter((tag) => !TAGS.has(tag))).toEqual([]);
    expect([...attributesIn(text)].filter((name) => !ATTRIBUTES.has(name))).toEqual([]);
    expect(text).not.toMatch(/@import|url\(/i);
    expect(text.match(/<meta http-equiv="Content-Security-Policy" content="([^"]*)"/)?.[1]).toMatch(
      /^default-src &#39;none&#39;/,
    );
  });

  test("allows its own style sheet by its hash, and no other", async () => {
    const text = await renderDocument(PAPER);
    const [, style = ""] = /<style>([\s\S]*)<\/style>/.exec(text) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(text).toContain(`style-src &#39;sha256-${hash}&#39;`);
    expect(text).not.toContain("unsafe");
  });

  test.each([
    HOSTILE,
    "</style></title><script>1</script>",
    "javascript:alert(1)",
    "[x](javascript:alert(1))",
    "`<b>`",
    "\u202e\u0000<x>",
  ])("keeps %j where it belongs, wherever it stands", async (poison) => {
    const { page, title, language } = poisoned({ page: PAGE, title: "x", language: "x" }, poison);
    const text = await renderDocument({ ...PAPER, page, title, language: /^[a-z]+$/.test(language) ? language : "en" });
    expect(tagsIn(text).filter((tag) => !TAGS.has(tag))).toEqual([]);
    expect([...attributesIn(text)].filter((name) => !ATTRIBUTES.has(name))).toEqual([]);
    expect(text).not.toMatch(/(?![\t\n\r])\p{Cc}|\u202e/u);
    expect(tagsIn(text).filter((tag) => tag === "style")).toHaveLength(2);
  });

  test("speaks the person's language around the page's own words", async () => {
    const page: PageSpec = { ...PAGE, meta: { ...PAGE.meta, summary: "两个班的成绩对比。" } };
    const text = await renderDocument({ ...PAPER, page, title: "成绩", language: "zh" });
    expect(text).toContain('<html lang="zh">');
    expect(text).toContain("数据来源");
    expect(await renderDocument(PAPER)).toContain("No tool has produced these numbers: 99.9");
  });
});

/** Without what stands between tags only to be read in the source. */
const tight = (text: string) => text.replaceAll(/\n(?=<|$)|(?<=>)\n/g, "").replaceAll(" />", "/>");

const HTML_ONLY_TEXT = html`<i>${"<b>"}</i>${null}${["a", html`<u>`]}${3}`;

test("a template escapes what is not HTML already", () => {
  expect(HTML_ONLY_TEXT.html).toBe("<i>&lt;b&gt;</i>a<u>3");
});

test("a gap stands where the numbers of its column stand", () => {
  const rows = [
    { cells: ["a", 1], status: "normal" as const },
    { cells: [null, null], status: "normal" as const },
  ];
  const block = { id: "t", type: "table" as const, title: "", headers: ["", "n"], rows, highlightRules: [] };
  const text = tight(renderTable(block, (cell) => String(cell ?? "–")).html);
  expect(text).toContain('<td class="">–</td>');
  expect(text).toContain('<td class="number">–</td>');
});

describe("charts", () => {
  const bars = (data: (number | null)[], more: Partial<Chart> = {}): Chart => ({
    id: "c",
    type: "chart",
    variant: "bar",
    title: "T",
    xAxis: data.map((_, i) => `x${i}`),
    series: [{ name: "s", data }],
    ...more,
  });
  const drawn = (block: Chart) => tight(renderChart(block, { numbers: "Numbers" }).html).replaceAll("\n", " ");
  const VARIANTS = ["bar", "line", "radar", "pie", "gauge", "distribution"] as const;

  test("bars are as high as their values", () => {
    const rects = [
      ...drawn(bars([100, 50, -50])).matchAll(/<rect x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"/g),
    ];
    const [whole, half, below] = rects.map(([, y, height]) => ({ y: Number(y), height: Number(height) }));
    expect(half?.height).toBeCloseTo((whole?.height ?? 0) / 2, 0);
    expect(below?.height).toBeCloseTo(half?.height ?? 0, 0);
    // What is below zero begins where the others end.
    expect(below?.y).toBeCloseTo((whole?.y ?? 0) + (whole?.height ?? 0), 0);
  });

  test("a gap interrupts a line, and a value between two gaps is a dot", () => {
    const text = drawn(bars([1, 2, null, 3, null, 4, 5], { variant: "line" }));
    expect(text.match(/<polyline/g)).toHaveLength(2);
    expect(text.match(/<circle/g)).toHaveLength(5);
  });

  test("a gap in a radar is no value at its centre", () => {
    const text = drawn(bars([5, null, 4, 3], { variant: "radar" }));
    const points = /<polygon points="([^"]*)" class="c0"/.exec(text)?.[1]?.split(" ") ?? [];
    expect(points).toHaveLength(3);
    expect(points).not.toContain("320,160");
  });

  test("slices say their shares", () => {
    const text = drawn(bars([75, 25, 0, -5, null], { variant: "pie" }));
    expect([...text.matchAll(/>(\d+)%</g)].map(([, share]) => share)).toEqual(["75", "25"]);
    expect(drawn(bars([5], { variant: "pie" }))).toContain("100%");
  });

  test("a colour is a colour", () => {
    const series = [{ name: "s", data: [1], color: '#fff" onload="alert(1)' }];
    expect(drawn(bars([1], { series }))).not.toContain("onload");
    expect(drawn(bars([1], { series: [{ name: "s", data: [1], color: "#0a0B0c" }] }))).toContain('fill="#0a0B0c"');
  });

  const ODD: readonly (readonly [string, Partial<Chart>])[] = [
    ["nothing", { xAxis: [], series: [] }],
    ["only gaps", { series: [{ name: "s", data: [null, null] }] }],
    ["one value", { xAxis: ["a"], series: [{ name: "s", data: [7] }] }],
    ["zeros", { series: [{ name: "s", data: [0, 0, 0] }] }],
    ["below zero", { series: [{ name: "s", data: [-1, -2, -3] }] }],
    ["beyond all bounds", { series: [{ name: "s", data: [1e308, -1e308, 5e-324] }] }],
    ["tiny", { series: [{ name: "s", data: [1e-9, 2e-9] }] }],
    ["more values than labels", { xAxis: ["a"], series: [{ name: "s", data: [1, 2, 3, 4] }] }],
    ["more labels than values", { xAxis: ["a", "b", "c", "d"], series: [{ name: "s", data: [1] }] }],
    [
      "a thousand",
      {
        xAxis: Array.from({ length: 1_000 }, (_, i) => `label ${i}`),
        series: [{ name: "s", data: Array.from({ length: 1_000 }, (_, i) => i) }],
      },
    ],
  ];
  test.each(VARIANTS.flatMap((variant) => ODD.map(([name, more]) => [variant, name, more] as const)))(
    "%s of %s is a drawing or says that there is nothing",
    (variant, _, more) => {
      const text = drawn(bars([1, 2, 3], { variant, ...more }));
      expect(text).not.toMatch(/NaN|Infinity|undefined/);
      expect(text).toMatch(/^<svg viewBox|—/);
    },
  );

  test("axes have round numbers around all values", () => {
    expect(computeAxisScale([3, 97])).toEqual({ min: 0, max: 100, ticks: [0, 20, 40, 60, 80, 100] });
    expect(computeAxisScale([-4.5, 3]).ticks).toEqual([-6, -4, -2, 0, 2, 4]);
    expect(computeAxisScale([0, 1, 1]).ticks).toEqual([0, 1]);
    expect([74.2, 85.333333, 1 / 3, 0.0012345, 1e21, 5].map(formatNumber)).toEqual([
      "74.2",
      "85.33",
      "0.33",
      "0.0012",
      "1e+21",
      "5",
    ]);
  });
});

describe("Markdown", () => {
  test.each([
    ["# A\n\nb **c** *d* `e`", "<h3>A</h3><p>b <strong>c</strong> <em>d</em> <code>e</code></p>"],
    ["- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"],
    ["1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"],
    ["1. a\n\n2. b", '<ol><li>a</li></ol><ol start="2"><li>b</li></ol>'],
    [sanitizeMarkdown("a <b>c</b> < d"), "<p>a &lt;b&gt;c&lt;/b&gt; &lt; d</p>"],
    ["> a\n> b", "<blockquote><p>a\nb</p></blockquote>"],
    ["```js\n<b>\n```", "<pre><code>&lt;b&gt;</code></pre>"],
    ["a\n---", "<p>a\n---</p>"],
    ["---", "<hr/>"],
    ["[a](https://x.example) ![p](y.png)", "<p>a (https://x.example) p (y.png)</p>"],
    ["2 * 3 * 4 = 24, snake_case_name", "<p>2 * 3 * 4 = 24, snake_case_name</p>"],
    ["**open", "<p>**open</p>"],
    ["```\nopen", "<pre><code>open</code></pre>"],
    ["", ""],
  ])("%j", (source, expected) => expect(tight(renderMarkdown(source).html)).toBe(expected));

  test.each(["**a ", "[", "*a", "`", "- ", "> ", "#", "|-", " ", "\t- a\n", "> > > ", "![](", "[a](b ", "__a"])(
    "a hundred thousand characters of %j take no time",
    (piece) => {
      const started = cpuMs();
      renderMarkdown(piece.repeat(100_000 / piece.length));
      expect(cpuMs() - started).toBeLessThan(1_000);
    },
  );
});

describe("what a table points out", () => {
  test.each([
    ["lt", 60, 58, true],
    ["lt", 60, 60, false],
    ["lte", 60, "60", true],
    ["gt", 80, 85, true],
    ["gte", "80", 80, true],
    ["eq", "A", "A", true],
    ["neq", "A", "B", true],
    ["lt", 60, "absent", false],
    ["lt", 60, null, false],
    ["eq", 0, "", false],
  ] as const)("%s %s against %s", (condition, value, cell, met) => {
    expect(matchesHighlightRule({ condition, value }, cell)).toBe(met);
  });
});

test("CSV has every table under its title, and no formula", () => {
  const text = formatPageCsv(PAGE);
  const lines = text.split("\r\n");
  expect(text.startsWith("\ufeff")).toBe(true);
  expect(text.lastIndexOf("\ufeff")).toBe(0);
  expect(lines).toContain("Students");
  expect(lines).toContain("Wong Ka Ho,58,false");
  expect(lines).toContain("Mean,74.2,4.1 above 1B");
  expect(lines).toContain("A rather long label that does not fit,-4.5");
  expect(lines).toContain(`"'=HYPERLINK(""https://evil.example"")",72,true`);
  expect(lines.filter((line) => /(^|,)"?[=+@]/.test(line))).toEqual([]);
});
