// Exported pages: no content breaks out of its element, and each chart is valid.

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sanitizeMarkdown } from "../../../src/agents/analyst/compose/sanitize-markdown.ts";
import { renderChart } from "../../../src/http/page-export/chart-svg.ts";
import { formatPageCsv } from "../../../src/http/page-export/page-csv.ts";
import { renderDocument } from "../../../src/http/page-export/page-document.ts";
import { html } from "../../../src/http/html-template.ts";
import { renderMarkdown } from "../../../src/http/page-export/markdown-html.ts";
import { renderTable } from "../../../src/http/page-export/table-html.ts";
import { matchesHighlightRule } from "../../../src/pages/page-table.ts";
import type { PageBlock, PageSpec } from "../../../src/protocol/pages/page.ts";
import { formatNumber, computeAxisScale } from "../../../src/pages/axis-scale.ts";
import { getCpuMs } from "../../support/cpu-time.ts";
import { HOSTILE, SAMPLE_PAGE, SAMPLE_DOCUMENT } from "./sample-page.ts";

type ChartBlock = Extract<PageBlock, { type: "chart" }>;

const ALLOWED_TAGS = new Set(
  "html head meta title style body header h1 h2 h3 h4 h5 p time main section div dl dt dd b span table thead tbody tr th td svg g rect line text circle polyline polygon path details summary ul ol li pre code blockquote strong em hr".split(
    " ",
  ),
);
const ALLOWED_ATTRIBUTES = new Set(
  "lang charset http-equiv content name class datetime scope viewbox role aria-label aria-hidden x y x1 x2 y1 y2 cx cy r rx dy d points width height text-anchor fill stroke".split(
    " ",
  ),
);
const listTags = (text: string) => [...text.matchAll(/<\/?([a-z][^\s/>]*)/gi)].map(([, tag = ""]) => tag.toLowerCase());

/** Lists the names of all attributes. No value contains `>` or `"`. */
const listAttributes = (text: string) =>
  new Set(
    [...text.replace(/<style>[\s\S]*?<\/style>/, "").matchAll(/<[^>]*>/g)].flatMap(([tag]) =>
      [...tag.replaceAll(/"[^"]*"/g, '""').matchAll(/([^\s=]+)=/g)].map(([, name = ""]) => name.toLowerCase()),
    ),
  );

/** Replaces each text of a value, except enumerated values. */
function poison<T>(value: T, replacement: string): T {
  if (typeof value === "string") return replacement as T;
  if (Array.isArray(value)) return value.map((item: unknown) => poison(item, replacement)) as T;
  if (typeof value !== "object" || value === null) return value;
  const fixed = new Set(["type", "variant", "layout", "status", "priority", "difficulty", "condition", "style"]);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      fixed.has(key) ? (item as unknown) : poison(item as unknown, replacement),
    ]),
  ) as T;
}

describe("the exported document", () => {
  test("loads nothing and runs nothing", async () => {
    const text = await renderDocument(SAMPLE_DOCUMENT);
    expect(listTags(text).filter((tag) => !ALLOWED_TAGS.has(tag))).toEqual([]);
    expect([...listAttributes(text)].filter((name) => !ALLOWED_ATTRIBUTES.has(name))).toEqual([]);
    expect(text).not.toMatch(/@import|url\(/i);
    expect(text.match(/<meta http-equiv="Content-Security-Policy" content="([^"]*)"/)?.[1]).toMatch(
      /^default-src &#39;none&#39;/,
    );
  });

  test("allows only its own style sheet, by hash", async () => {
    const text = await renderDocument(SAMPLE_DOCUMENT);
    const [, style = ""] = /<style>([\s\S]*)<\/style>/.exec(text) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(text).toContain(`style-src &#39;sha256-${hash}&#39;`);
    expect(text).not.toContain("unsafe");
  });

  test.each([HOSTILE, "</style></title><script>1</script>", "`<b>`", "\u202e\u0000<x>"])(
    "keeps %j inside its element, wherever it occurs",
    async (replacement) => {
      const { page, title, language } = poison({ page: SAMPLE_PAGE, title: "x", language: "x" }, replacement);
      const text = await renderDocument({
        ...SAMPLE_DOCUMENT,
        page,
        title,
        language: /^[a-z]+$/.test(language) ? language : "en",
      });
      expect(listTags(text).filter((tag) => !ALLOWED_TAGS.has(tag))).toEqual([]);
      expect([...listAttributes(text)].filter((name) => !ALLOWED_ATTRIBUTES.has(name))).toEqual([]);
      expect(text).not.toMatch(/(?![\t\n\r])\p{Cc}|\u202e/u);
      expect(listTags(text).filter((tag) => tag === "style")).toHaveLength(2);
    },
  );

  test("uses the language of the user for its labels", async () => {
    const page: PageSpec = { ...SAMPLE_PAGE, meta: { ...SAMPLE_PAGE.meta, summary: "两个班的成绩对比。" } };
    const text = await renderDocument({ ...SAMPLE_DOCUMENT, page, title: "成绩", language: "zh" });
    expect(text).toContain('<html lang="zh">');
    expect(text).toContain("数据来源");
    expect(await renderDocument(SAMPLE_DOCUMENT)).toContain("Not confirmed by any tool result: 99.9");
  });
});

/** Removes the line breaks between tags. */
const removeLineBreaks = (text: string) => text.replaceAll(/\n(?=<|$)|(?<=>)\n/g, "").replaceAll(" />", "/>");

const MIXED_HTML = html`<i>${"<b>"}</i>${null}${["a", html`<u>`]}${3}`;

test("a template escapes everything that is not HTML already", () => {
  expect(MIXED_HTML.html).toBe("<i>&lt;b&gt;</i>a<u>3");
});

test("an empty cell is aligned like the numbers of its column", () => {
  const rows = [
    { cells: ["a", 1], status: "normal" as const },
    { cells: [null, null], status: "normal" as const },
  ];
  const block = { id: "t", type: "table" as const, title: "", headers: ["", "n"], rows, highlightRules: [] };
  const text = removeLineBreaks(renderTable(block, (cell) => String(cell ?? "–")).html);
  expect(text).toContain('<td class="">–</td>');
  expect(text).toContain('<td class="number">–</td>');
});

describe("the charts of an exported page", () => {
  const createBars = (data: (number | null)[], more: Partial<ChartBlock> = {}): ChartBlock => ({
    id: "c",
    type: "chart",
    variant: "bar",
    title: "T",
    xAxis: data.map((_, i) => `x${i}`),
    series: [{ name: "s", data }],
    ...more,
  });
  const drawChart = (block: ChartBlock) =>
    removeLineBreaks(renderChart(block, { numbers: "Numbers" }).html).replaceAll("\n", " ");
  const VARIANTS = ["bar", "line", "radar", "pie", "gauge", "distribution"] as const;

  test("have bars as high as their values", () => {
    const rects = [
      ...drawChart(createBars([100, 50, -50])).matchAll(
        /<rect x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"/g,
      ),
    ];
    const [full, half, negative] = rects.map(([, y, height]) => ({ y: Number(y), height: Number(height) }));
    expect(half?.height).toBeCloseTo((full?.height ?? 0) / 2, 0);
    expect(negative?.height).toBeCloseTo(half?.height ?? 0, 0);
    // Negative bars start at the zero line, where the positive ones end.
    expect(negative?.y).toBeCloseTo((full?.y ?? 0) + (full?.height ?? 0), 0);
  });

  test("interrupt a line at a gap, and draw a value between two gaps as a dot", () => {
    const text = drawChart(createBars([1, 2, null, 3, null, 4, 5], { variant: "line" }));
    expect(text.match(/<polyline/g)).toHaveLength(2);
    expect(text.match(/<circle/g)).toHaveLength(5);
  });

  test("omit a gap from a radar instead of drawing it at the centre", () => {
    const text = drawChart(createBars([5, null, 4, 3], { variant: "radar" }));
    const points = /<polygon points="([^"]*)" class="c0"/.exec(text)?.[1]?.split(" ") ?? [];
    expect(points).toHaveLength(3);
    expect(points).not.toContain("320,160");
  });

  test("label slices with their shares", () => {
    const text = drawChart(createBars([75, 25, 0, -5, null], { variant: "pie" }));
    expect([...text.matchAll(/>(\d+)%</g)].map(([, share]) => share)).toEqual(["75", "25"]);
    expect(drawChart(createBars([5], { variant: "pie" }))).toContain("100%");
  });

  test("accept only colours", () => {
    const series = [{ name: "s", data: [1], color: '#fff" onload="alert(1)' }];
    expect(drawChart(createBars([1], { series }))).not.toContain("onload");
    expect(drawChart(createBars([1], { series: [{ name: "s", data: [1], color: "#0a0B0c" }] }))).toContain(
      'fill="#0a0B0c"',
    );
  });

  const UNUSUAL_DATA: readonly (readonly [string, Partial<ChartBlock>])[] = [
    ["no data", { xAxis: [], series: [] }],
    ["only gaps", { series: [{ name: "s", data: [null, null] }] }],
    ["zeros", { series: [{ name: "s", data: [0, 0, 0] }] }],
    ["extreme values", { series: [{ name: "s", data: [1e308, -1e308, 5e-324] }] }],
    ["more values than labels", { xAxis: ["a"], series: [{ name: "s", data: [1, 2, 3, 4] }] }],
    ["more labels than values", { xAxis: ["a", "b", "c", "d"], series: [{ name: "s", data: [1] }] }],
    [
      "a thousand values",
      {
        xAxis: Array.from({ length: 1_000 }, (_, i) => `label ${i}`),
        series: [{ name: "s", data: Array.from({ length: 1_000 }, (_, i) => i) }],
      },
    ],
  ];
  test.each(UNUSUAL_DATA)("draw %s in each form, or mark it as empty", (_, more) => {
    for (const variant of VARIANTS) {
      const text = drawChart(createBars([1, 2, 3], { variant, ...more }));
      expect(text).not.toMatch(/NaN|Infinity|undefined/);
      expect(text).toMatch(/^<svg viewBox|—/);
    }
  });

  test("have axes with round numbers around all values", () => {
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

describe("the Markdown of an exported page", () => {
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
  ])("renders %j", (source, expected) => expect(removeLineBreaks(renderMarkdown(source).html)).toBe(expected));

  test.each(["**a ", "[", "*a", "`", "- ", "> ", "#", "|-", "\t- a\n", "![](", "[a](b ", "__a"])(
    "renders 100,000 characters of %j in less than 1 s",
    (piece) => {
      const started = getCpuMs();
      renderMarkdown(piece.repeat(100_000 / piece.length));
      expect(getCpuMs() - started).toBeLessThan(1_000);
    },
  );
});

describe("a highlight rule of a table", () => {
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
  ] as const)("compares with %s %s against %s", (condition, value, cell, met) => {
    expect(matchesHighlightRule({ condition, value }, cell)).toBe(met);
  });
});

test("a CSV export contains each table under its title, without formulas", () => {
  const text = formatPageCsv(SAMPLE_PAGE);
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
