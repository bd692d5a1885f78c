// What Markdown looks like, and what it costs.

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, test } from "vitest";
import { highlightPlugin, mathPlugin } from "../../src/web/markdown/lazy-plugins.ts";
import { RenderedMarkdown } from "../../src/web/markdown/rendered-markdown.tsx";
import { cpuMs } from "../support/cpu-time.ts";

const show = (text: string, isStreaming = false) =>
  renderToStaticMarkup(createElement(RenderedMarkdown, { text, isStreaming }));

/** The markup without what only styles it. */
const bare = (text: string, isStreaming = false) => show(text, isStreaming).replaceAll(/ class="[^"]*"/g, "");

beforeAll(async () => {
  await Promise.all([mathPlugin.load(), highlightPlugin.load()]);
});

describe("blocks", () => {
  test("headings stay below those of the page", () => {
    expect(bare("# a\n\n## b\n\n###### c")).toBe("<div><h3>a</h3><h4>b</h4><h6>c</h6></div>");
  });

  test("code names its language, can be copied and reached, and has colours", () => {
    const markup = show("```js\nconst a = 1;\n```");
    expect(markup).toContain("<span>js</span>");
    expect(markup).toContain('aria-label="Copy the code"');
    expect(markup).toMatch(/<pre[^>]*tabindex="0"/i);
    expect(markup).toContain('<span class="hljs-keyword">const</span>');
  });

  test("code without a language, and of an unknown one, stays as it is", () => {
    expect(bare("```\n<b> & c\n```")).toContain("<code>&lt;b&gt; &amp; c\n</code>");
    expect(bare("```klingon\nx\n```")).toContain("<code>x\n</code>");
  });

  test("a table scrolls in a place of its own, and keeps its alignment", () => {
    const markup = show("| a | b |\n|--:|:-:|\n| 1 | 2<br>3 |");
    expect(markup).toMatch(/<div[^>]*role="region"[^>]*tabindex="0"[^>]*aria-label="Table"[^>]*><table>/i);
    expect(markup).toMatch(/<td class="[^"]*right[^"]*">1<\/td>/);
    expect(markup).toMatch(/2<br\/>\s*3/);
    expect(markup).not.toContain(" style=");
  });

  test("a list of tasks tells what is done", () => {
    const markup = bare("- [x] a\n- [ ] b");
    expect(markup.match(/checked=""/g)).toHaveLength(1);
    expect(markup).toContain('aria-label="Done"');
    expect(markup).toContain('aria-label="Open"');
  });

  test("a target of links is known in all pieces", () => {
    expect(bare("See [a] and [b][a].\n\n- [a]\n\n[a]: https://a.example/x")).toMatch(
      /(href="https:\/\/a\.example\/x".*){3}/s,
    );
  });
});

describe("lines", () => {
  const POEM = "Roses are red,\nviolets are **blue**,\n\nsugar is sweet,\nand so are you.";

  test.each([false, true])("of a verse stay lines, also while it is written: %s", (isStreaming) => {
    expect(bare(POEM, isStreaming)).toMatch(
      /^<div><p>Roses are red,<br\/>\s*violets are <strong>blue<\/strong>,<\/p><p>sugar is sweet,<br\/>\s*and so are you\.<\/p><\/div>$/,
    );
  });

  test.each([
    ["an item", "- 1 Main Street\n  Springfield\n- b", /<li>1 Main Street<br\/>\s*Springfield<\/li>/],
    ["a quote", "> a\n> b", /<p>a<br\/>\s*b<\/p>/],
    ["a line that was ended by hand", "a  \nb\\\nc", /<p>a<br\/>\s*b<br\/>\s*c<\/p>/],
    ["prices over two lines", "from $5\nto $10", /<p>from \$5<br\/>\s*to \$10<\/p>/],
    ["HTML", "<div>\na\n</div>", /&lt;div&gt;<br\/>\s*a<br\/>\s*&lt;\/div&gt;/],
  ])("of %s stay lines", (_, text, expected) => {
    expect(bare(text)).toMatch(expected);
  });

  test.each(["- a\n- b", "# a\nb", "| a |\n|---|\n| 1 |\n| 2 |", "```\na\nb\n```", "$$\na\n+b\n$$", "`a\nb`", "a\n"])(
    "%j gets none",
    (text) => {
      expect(bare(text)).not.toContain("<br");
    },
  );
});

describe("footnotes", () => {
  const text = "One[^a], two[^b].\n\nMore[^a].\n\n[^b]: Second **note**\n[^a]: First\n\n    goes on";

  test("are numbered, stand at the end, and lead there", () => {
    const markup = bare(text);
    expect(markup).toMatch(/One<sup><a href="#note-\w*-2">2<\/a><\/sup>, two<sup><a href="#note-\w*-1">1<\/a>/);
    expect(markup).toMatch(
      /role="doc-endnotes".*id="note-\w*-1".*Second <strong>note<\/strong>.*id="note-\w*-2".*First.*goes on/s,
    );
  });

  test("have ids of their own in every text", () => {
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

describe("Chinese", () => {
  test.each([
    ["**你好。**世界", "<strong>你好。</strong>世界"],
    ["这是**「重点」**内容", "这是<strong>「重点」</strong>内容"],
    ["*注意:*请看", "<em>注意:</em>请看"],
    ["他说**“好的”**。", "他说<strong>“好的”</strong>。"],
  ])("%s", (text, expected) => {
    expect(bare(text)).toContain(expected);
  });
});

describe("what runs from right to left", () => {
  test.each([
    [
      "a paragraph, by its first letter",
      "مرحبا 123.\n\n12 hello مرحبا",
      '<p dir="rtl">مرحبا 123.</p><p>12 hello مرحبا</p>',
    ],
    ["a heading", "## שלום", '<h4 dir="rtl">שלום</h4>'],
    ["a list with its marks", "- **مرحبا**\n- b", '<ul dir="rtl">'],
    ["a quote", "> שלום", '<blockquote dir="rtl">'],
    ["a table with its columns", "| مرحبا | b |\n|---|---|\n| ١ | ٢ |", '<div dir="rtl" role="region"'],
    ["not a cell of such a table that does not", "| مرحبا | b |\n|---|---|", '<th dir="ltr">b</th>'],
    ["not a block of code in a list", "- مرحبا\n\n  ```\n  a.b();\n  ```", '<div dir="ltr"><div><span>Code</span>'],
    ["not code in it", "شغل `npm start` الآن", '<p dir="rtl">شغل <code dir="ltr">npm start</code> الآن</p>'],
  ])("%s", (_, text, expected) => {
    expect(bare(text)).toContain(expected);
  });
});

describe("formulas", () => {
  test.each(["$x^2$", "\\(x^2\\)", "$$\nx^2\n$$", "\\[\nx^2\n\\]", "a \\[ x^2 \\] b", "```math\nx^2\n```"])(
    "%j",
    (text) => {
      expect(show(text)).toContain("<msup><mi>x</mi><mn>2</mn></msup>");
    },
  );

  test.each(["It costs $5 and $10.", "From $5 to 10 $", "$5-$6", "`\\(x\\)`", "$ 5 $", "```\n\\(x\\)\n```"])(
    "%j has none",
    (text) => {
      expect(show(text)).not.toContain("<math");
    },
  );

  test("that are wrong stay readable", () => {
    expect(show("$\\frac{1$ and more")).toContain("and more");
    expect(show("$\\nonsense{x}$")).toContain("\\nonsense");
  });

  test("bring no styles", () => {
    expect(show("$\\fcolorbox{red}{blue}{x} \\nonsense$")).not.toContain(" style=");
  });
});

describe("pictures", () => {
  test("come from here or stand in the text", () => {
    expect(bare("![a](/x.png)")).toContain('<img src="/x.png" alt="a"');
    expect(bare("![a](data:image/png;base64,iVBORw0KGgo=)")).toContain('<img src="data:image/png;base64,iVBORw0KGgo="');
  });

  test("from elsewhere are links that say where they lead", () => {
    expect(bare("![a cat](https://b.example/c.png)")).toContain("Image: a cat (b.example)</a>");
  });
});

describe("while it is written", () => {
  test.each([
    ["some **bo", "<strong>bo</strong>"],
    ["some `co", "<code>co</code>"],
    ["a [li", "a li"],
    ["a [link](https://a.exam", "a link"],
    ["```js\nconst a", "const"],
  ])("%j reads as it will", (text, expected) => {
    expect(bare(text, true)).toContain(expected);
  });

  test("a formula that is not whole stands as it was written", () => {
    expect(show("$$\n\\frac{1", true)).not.toContain("<math");
  });
});

describe("what is too much", () => {
  const CASES: Readonly<Record<string, string>> = {
    "a megabyte of words": "Some words and **more**. ".repeat(40_000),
    "quotes in quotes": ">".repeat(10_000),
    "quotes in quotes on each line": `${"> ".repeat(40)}a\n`.repeat(600),
    "lists in lists on a line": "1. ".repeat(3_000),
    "lists in lists": Array.from({ length: 300 }, (_, i) => `${" ".repeat(i * 2)}- a`).join("\n"),
    brackets: "[".repeat(50_000),
    "brackets and back": "[".repeat(5_000) + "]".repeat(5_000),
    "openings of links": "[](".repeat(15_000),
    "openings of pictures": "![".repeat(15_000),
    "emphasis that never ends": "*a **a _a ".repeat(4_000),
    "emphasis in emphasis": "*a ".repeat(5_000) + "a* ".repeat(5_000),
    "emphasis in words": "a**b*c".repeat(8_000),
    "ticks of all lengths": Array.from({ length: 300 }, (_, i) => "`".repeat(i + 1)).join(" "),
    headings: "a\n=\n".repeat(5_000),
    footnotes: Array.from({ length: 2_000 }, (_, i) => `[^${i}]: x[^${i}]`).join("\n"),
    targets: Array.from({ length: 2_000 }, (_, i) => `[${i}]: /x`).join("\n"),
    "a huge table": `|a|b|c|\n|-|-|-|\n${"| cell **x** | 2 | `c` |\n".repeat(2_000)}`,
    "a wide table": `${"|a".repeat(5_000)}|\n${"|-".repeat(5_000)}|\n${"|b".repeat(5_000)}|`,
    "a wall of code": `\`\`\`js\n${"const a = 1; // hi\n".repeat(2_500)}\`\`\``,
    "openings of HTML": "<a ".repeat(15_000),
    dollars: "$a$$".repeat(12_000),
    addresses: "http://a.b ".repeat(4_500),
    mixed: "*_[`<~$".repeat(7_000),
  };

  test.each(Object.entries(CASES))("%s does not hold the page up", (_, text) => {
    const from = cpuMs();
    const markup = show(text, true);
    // Many times what it takes, as machines differ; without limits most take minutes, or all of the stack.
    expect(cpuMs() - from).toBeLessThan(2_000);
    expect(markup.length).toBeGreaterThan(0);
  });

  test("is shown as it was written, and says so", () => {
    expect(show(">".repeat(10_000))).toContain("Shown as it was written");
    expect(show(">".repeat(10_000))).toContain("&gt;&gt;&gt;");
  });
});
