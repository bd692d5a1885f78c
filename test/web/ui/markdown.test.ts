// Rendering of Markdown, and its cost for large or malformed texts.

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, test } from "vitest";
import { highlightPlugin, mathPlugin } from "../../../src/web/ui/markdown/lazy-plugins.ts";
import { RenderedMarkdown } from "../../../src/web/ui/markdown/rendered-markdown.tsx";
import { getCpuMs } from "../../support/cpu-time.ts";
import "../load-messages.ts";

const renderMarkdown = (text: string, isStreaming = false) =>
  renderToStaticMarkup(createElement(RenderedMarkdown, { text, isStreaming }));

/** Renders Markdown and removes the class attributes. */
const renderWithoutClasses = (text: string, isStreaming = false) =>
  renderMarkdown(text, isStreaming).replaceAll(/ class="[^"]*"/g, "");

beforeAll(async () => {
  await Promise.all([mathPlugin.load(), highlightPlugin.load()]);
});

describe("Markdown blocks", () => {
  test("shift headings below those of the page", () => {
    expect(renderWithoutClasses("# a\n\n## b\n\n###### c")).toBe("<div><h3>a</h3><h4>b</h4><h6>c</h6></div>");
  });

  test("show code with its language, a copy button, keyboard focus and highlighting", () => {
    const markup = renderMarkdown("```js\nconst a = 1;\n```");
    expect(markup).toContain("<span>js</span>");
    expect(markup).toContain('aria-label="Copy code"');
    expect(markup).toMatch(/<pre[^>]*tabindex="0"/i);
    expect(markup).toContain('<span class="hljs-keyword">const</span>');
  });

  test("show code without a known language unhighlighted", () => {
    expect(renderWithoutClasses("```\n<b> & c\n```")).toContain("<code>&lt;b&gt; &amp; c\n</code>");
    expect(renderWithoutClasses("```klingon\nx\n```")).toContain("<code>x\n</code>");
  });

  test("show a table in its own scroll region and keep its alignment", () => {
    const markup = renderMarkdown("| a | b |\n|--:|:-:|\n| 1 | 2<br>3 |");
    expect(markup).toMatch(/<div[^>]*role="region"[^>]*tabindex="0"[^>]*aria-label="Table"[^>]*><table>/i);
    expect(markup).toMatch(/<td class="[^"]*right[^"]*">1<\/td>/);
    expect(markup).toMatch(/2<br\/>\s*3/);
    expect(markup).not.toContain(" style=");
  });

  test("label the checkboxes of a task list", () => {
    const markup = renderWithoutClasses("- [x] a\n- [ ] b");
    expect(markup.match(/checked=""/g)).toHaveLength(1);
    expect(markup).toContain('aria-label="Done"');
    expect(markup).toContain('aria-label="Not done"');
  });

  test("resolve a link definition in all pieces", () => {
    expect(renderWithoutClasses("See [a] and [b][a].\n\n- [a]\n\n[a]: https://a.example/x")).toMatch(
      /(href="https:\/\/a\.example\/x".*){3}/s,
    );
  });
});

describe("line breaks", () => {
  const POEM = "Roses are red,\nviolets are **blue**,\n\nsugar is sweet,\nand so are you.";

  test.each([false, true])("are kept in a paragraph (isStreaming: %s)", (isStreaming) => {
    expect(renderWithoutClasses(POEM, isStreaming)).toMatch(
      /^<div><p>Roses are red,<br\/>\s*violets are <strong>blue<\/strong>,<\/p><p>sugar is sweet,<br\/>\s*and so are you\.<\/p><\/div>$/,
    );
  });

  test.each([
    ["an item", "- 1 Main Street\n  Springfield\n- b", /<li>1 Main Street<br\/>\s*Springfield<\/li>/],
    ["a quote", "> a\n> b", /<p>a<br\/>\s*b<\/p>/],
    ["an explicit line break", "a  \nb\\\nc", /<p>a<br\/>\s*b<br\/>\s*c<\/p>/],
    ["prices over two lines", "from $5\nto $10", /<p>from \$5<br\/>\s*to \$10<\/p>/],
    ["HTML", "<div>\na\n</div>", /&lt;div&gt;<br\/>\s*a<br\/>\s*&lt;\/div&gt;/],
  ])("are kept in %s", (_, text, expected) => {
    expect(renderWithoutClasses(text)).toMatch(expected);
  });

  test.each(["- a\n- b", "# a\nb", "| a |\n|---|\n| 1 |\n| 2 |", "```\na\nb\n```", "$$\na\n+b\n$$", "`a\nb`", "a\n"])(
    "are not added to %j",
    (text) => {
      expect(renderWithoutClasses(text)).not.toContain("<br");
    },
  );
});

describe("footnotes", () => {
  const text = "One[^a], two[^b].\n\nMore[^a].\n\n[^b]: Second **note**\n[^a]: First\n\n    goes on";

  test("are numbered by first reference, placed at the end and linked", () => {
    const markup = renderWithoutClasses(text);
    expect(markup).toMatch(/One<sup><a href="#note-\w*-2">2<\/a><\/sup>, two<sup><a href="#note-\w*-1">1<\/a>/);
    expect(markup).toMatch(
      /role="doc-endnotes".*id="note-\w*-1".*Second <strong>note<\/strong>.*id="note-\w*-2".*First.*goes on/s,
    );
  });

  test("have unique ids in each text", () => {
    const two = renderToStaticMarkup(
      createElement(
        "div",
        null,
        createElement(RenderedMarkdown, { text, isStreaming: false }),
        createElement(RenderedMarkdown, { text, isStreaming: false }),
      ),
    );
    const ids = [...two.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
  });
});

describe("emphasis in Chinese", () => {
  test.each([
    ["**你好。**世界", "<strong>你好。</strong>世界"],
    ["这是**「重点」**内容", "这是<strong>「重点」</strong>内容"],
    ["*注意:*请看", "<em>注意:</em>请看"],
    ["他说**“好的”**。", "他说<strong>“好的”</strong>。"],
  ])("is parsed in %s", (text, expected) => {
    expect(renderWithoutClasses(text)).toContain(expected);
  });
});

describe("text direction", () => {
  test.each([
    [
      "right to left for a paragraph whose first letter is",
      "مرحبا 123.\n\n12 hello مرحبا",
      '<p dir="rtl">مرحبا 123.</p><p>12 hello مرحبا</p>',
    ],
    ["right to left for a heading", "## שלום", '<h4 dir="rtl">שלום</h4>'],
    ["right to left for a list and its markers", "- **مرحبا**\n- b", '<ul dir="rtl">'],
    ["right to left for a quote", "> שלום", '<blockquote dir="rtl">'],
    [
      "right to left for a table and its columns",
      "| مرحبا | b |\n|---|---|\n| ١ | ٢ |",
      '<div dir="rtl" role="region"',
    ],
    ["left to right for a Latin cell of such a table", "| مرحبا | b |\n|---|---|", '<th dir="ltr">b</th>'],
    [
      "left to right for a code block in such a list",
      "- مرحبا\n\n  ```\n  a.b();\n  ```",
      '<div dir="ltr"><div><span>Code</span>',
    ],
    [
      "left to right for inline code",
      "شغل `npm start` الآن",
      '<p dir="rtl">شغل <code dir="ltr">npm start</code> الآن</p>',
    ],
  ])("is %s", (_, text, expected) => {
    expect(renderWithoutClasses(text)).toContain(expected);
  });
});

describe("formulas", () => {
  test.each(["$x^2$", "\\(x^2\\)", "$$\nx^2\n$$", "\\[\nx^2\n\\]", "a \\[ x^2 \\] b", "```math\nx^2\n```"])(
    "are rendered in %j",
    (text) => {
      expect(renderMarkdown(text)).toContain("<msup><mi>x</mi><mn>2</mn></msup>");
    },
  );

  test.each(["It costs $5 and $10.", "From $5 to 10 $", "$5-$6", "`\\(x\\)`", "$ 5 $", "```\n\\(x\\)\n```"])(
    "are not detected in %j",
    (text) => {
      expect(renderMarkdown(text)).not.toContain("<math");
    },
  );

  test("show their source if they are invalid", () => {
    expect(renderMarkdown("$\\frac{1$ and more")).toContain("and more");
    expect(renderMarkdown("$\\nonsense{x}$")).toContain("\\nonsense");
  });

  test("add no style attributes", () => {
    expect(renderMarkdown("$\\fcolorbox{red}{blue}{x} \\nonsense$")).not.toContain(" style=");
  });
});

describe("images", () => {
  test("are loaded from the same origin or a data URL", () => {
    expect(renderWithoutClasses("![a](/x.png)")).toContain('<img src="/x.png" alt="a"');
    expect(renderWithoutClasses("![a](data:image/png;base64,iVBORw0KGgo=)")).toContain(
      '<img src="data:image/png;base64,iVBORw0KGgo="',
    );
  });

  test("of another origin are links that show the host", () => {
    expect(renderWithoutClasses("![a cat](https://b.example/c.png)")).toContain("Image: a cat (b.example)</a>");
  });
});

describe("streaming Markdown", () => {
  test.each([
    ["some **bo", "<strong>bo</strong>"],
    ["some `co", "<code>co</code>"],
    ["a [li", "a li"],
    ["a [link](https://a.exam", "a link"],
    ["```js\nconst a", "const"],
  ])("completes the open syntax of %j", (text, expected) => {
    expect(renderWithoutClasses(text, true)).toContain(expected);
  });

  test("shows an incomplete formula as source text", () => {
    expect(renderMarkdown("$$\n\\frac{1", true)).not.toContain("<math");
  });
});

describe("expensive Markdown", () => {
  const CASES: Readonly<Record<string, string>> = {
    "a megabyte of text": "Some words and **more**. ".repeat(40_000),
    "nested quotes": ">".repeat(10_000),
    "nested quotes on each line": `${"> ".repeat(40)}a\n`.repeat(600),
    "nested lists on one line": "1. ".repeat(3_000),
    "nested lists": Array.from({ length: 300 }, (_, i) => `${" ".repeat(i * 2)}- a`).join("\n"),
    "open brackets": "[".repeat(50_000),
    "nested brackets": "[".repeat(5_000) + "]".repeat(5_000),
    "unfinished links": "[](".repeat(15_000),
    "unfinished images": "![".repeat(15_000),
    "unclosed emphasis": "*a **a _a ".repeat(4_000),
    "nested emphasis": "*a ".repeat(5_000) + "a* ".repeat(5_000),
    "emphasis inside words": "a**b*c".repeat(8_000),
    "backticks of all lengths": Array.from({ length: 300 }, (_, i) => "`".repeat(i + 1)).join(" "),
    headings: "a\n=\n".repeat(5_000),
    footnotes: Array.from({ length: 2_000 }, (_, i) => `[^${i}]: x[^${i}]`).join("\n"),
    "link definitions": Array.from({ length: 2_000 }, (_, i) => `[${i}]: /x`).join("\n"),
    "a huge table": `|a|b|c|\n|-|-|-|\n${"| cell **x** | 2 | `c` |\n".repeat(2_000)}`,
    "a wide table": `${"|a".repeat(5_000)}|\n${"|-".repeat(5_000)}|\n${"|b".repeat(5_000)}|`,
    "a long code block": `\`\`\`js\n${"const a = 1; // hi\n".repeat(2_500)}\`\`\``,
    "unfinished HTML tags": "<a ".repeat(15_000),
    dollars: "$a$$".repeat(12_000),
    addresses: "http://a.b ".repeat(4_500),
    mixed: "*_[`<~$".repeat(7_000),
  };

  test.each(Object.entries(CASES))("is rendered within 2 s of CPU time: %s", (_, text) => {
    const from = getCpuMs();
    const markup = renderMarkdown(text, true);
    // Far more than needed, because machines differ. Without limits, most cases take minutes or overflow the stack.
    expect(getCpuMs() - from).toBeLessThan(2_000);
    expect(markup.length).toBeGreaterThan(0);
  });

  test("is shown as plain text with a notice", () => {
    expect(renderMarkdown(">".repeat(10_000))).toContain("Shown as plain text");
    expect(renderMarkdown(">".repeat(10_000))).toContain("&gt;&gt;&gt;");
  });
});
