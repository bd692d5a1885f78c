// Hostile texts of Markdown: what comes out consists of known elements with known attributes, and leads nowhere else.

import * as fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, test } from "vitest";
import { highlightPlugin, mathPlugin } from "../../src/web/markdown/lazy-plugins.ts";
import { RenderedMarkdown } from "../../src/web/markdown/rendered-markdown.tsx";

const show = (text: string, isStreaming = false) =>
  renderToStaticMarkup(createElement(RenderedMarkdown, { text, isStreaming }));

beforeAll(async () => {
  await Promise.all([mathPlugin.load(), highlightPlugin.load()]);
  expect([mathPlugin.get(), highlightPlugin.get()]).not.toContain(null);
});

const MATH =
  "math semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover " +
  "mtable mtr mtd mlabeledtr mstyle mpadded mphantom menclose merror mmultiscripts mprescripts mglyph none";
const ELEMENTS = new Set(
  `div p br em strong del a img code pre blockquote ul ol li input table thead tbody tr th td hr sup span h3 h4 h5 h6 button svg path rect ${MATH}`.split(
    " ",
  ),
);
const OF_ALL = "class role tabindex aria-label aria-hidden title";
const OF_MATH =
  "display mathvariant stretchy fence separator form lspace rspace minsize maxsize columnalign columnspacing rowspacing " +
  "columnlines rowlines scriptlevel displaystyle width height depth voffset linethickness accent accentunder notation " +
  "mathcolor mathbackground mathsize encoding movablelimits symmetric largeop side xmlns";
const OF_OTHERS =
  "href target rel src alt loading referrerpolicy start id type checked disabled readonly viewbox fill stroke stroke-width " +
  "stroke-linecap stroke-linejoin d x y rx ry";
const ATTRIBUTES = new Set(`${OF_ALL} ${OF_MATH} ${OF_OTHERS}`.split(" "));

/** Every element of the markup with its attributes. */
function elementsOf(markup: string): [string, [string, string][]][] {
  return [...markup.matchAll(/<([a-z][^\s/>]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
    ([, name = "", rest = ""]) => [
      name.toLowerCase(),
      [...rest.matchAll(/([^\s=>/]+)(?:="([^"]*)")?/g)].map(([, key = "", value = ""]) => [key.toLowerCase(), value]),
    ],
  );
}

/** What is wrong with the markup, in words. */
function offences(markup: string): string[] {
  // Nothing opens an element but what was read as one.
  const opened = (markup.match(/<[^/]/g) ?? []).length;
  const elements = elementsOf(markup);
  const found = opened === elements.length ? [] : [`${opened} openings, ${elements.length} elements`];
  for (const [name, attributes] of elements) {
    if (!ELEMENTS.has(name)) found.push(`<${name}>`);
    for (const [key, value] of attributes) {
      if (!ATTRIBUTES.has(key)) found.push(`<${name} ${key}>`);
      if (key === "href" && !/^(https?:\/\/|mailto:|\/(?!\/)|#note-)/.test(value)) found.push(`href ${value}`);
      if (key === "src" && !/^(\/(?!\/)|data:image\/(png|jpeg|gif|webp|avif);base64,)/.test(value))
        found.push(`src ${value}`);
    }
    const isOutside = attributes.some(([key, value]) => key === "href" && !value.startsWith("#"));
    const rel = attributes.find(([key]) => key === "rel")?.[1];
    if (isOutside && rel !== "noopener noreferrer nofollow") found.push("a link without rel");
  }
  return found;
}

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg/onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<iframe src=javascript:alert(1)>",
  '<a href="javascript:alert(1)">x</a>',
  "<style>*{display:none}</style>",
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<form action="https://evil.example"><input name=p></form>',
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  "<details open ontoggle=alert(1)>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java\tscript:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](&#x6A;&#x61;vascript&colon;alert(1))",
  "[x](javascript&#58;alert(1))",
  "[x](\u0001javascript:alert(1))",
  "[x](<javascript:alert(1)>)",
  "[x](vbscript:msgbox(1))",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](file:///etc/passwd)",
  "[x](blob:https://a/b)",
  "[x](//evil.example)",
  "[x](/\\evil.example)",
  "[x](\\\\evil.example)",
  "[x](/\t/evil.example)",
  "[x](///evil.example)",
  "[x](https:evil.example)",
  "[x](x-app://open)",
  '[x](https://a.example "onmouseover=alert(1)")',
  '[x](https://a.example" onmouseover="alert(1))',
  "[x]: javascript:alert(1)\n\n[x]",
  "<javascript:alert(1)>",
  "<JAVASCRIPT:alert(1)>",
  "![x](javascript:alert(1))",
  "![x](https://evil.example/track.png)",
  "![x](//evil.example/track.png)",
  "![x](data:image/svg+xml;base64,PHN2Zy8+)",
  '![x](data:image/svg+xml,<svg onload="alert(1)">)',
  "![x](data:text/html,<b>)",
  '!["onerror="alert(1)](x)',
  '![x](x" onerror="alert(1))',
  '```js" onload="alert(1)\nx\n```',
  "```<script>alert(1)</script>\nx\n```",
  "```html\n<script>alert(1)</script>\n```",
  "`<script>alert(1)</script>`",
  "$\\href{javascript:alert(1)}{x}$",
  "$\\url{javascript:alert(1)}$",
  "$\\includegraphics{https://evil.example/a.png}$",
  "$\\htmlStyle{position:fixed}{x}$",
  "$\\htmlClass{a}{x}$ $\\htmlId{a}{x}$ $\\htmlData{a=b}{x}$",
  "$\\fcolorbox{red}{blue}{x}$ $\\colorbox{red}{x}$ $\\color{red}x$ $\\textcolor{#f00}{x}$",
  "$\\unknown{<img src=x onerror=alert(1)>}$",
  "$\\text{<script>alert(1)</script>}$",
  "$$\n\\def\\a{\\a\\a}\\a\n$$",
  "$\\rule{9999em}{9999em}$ $\\hspace{-9999em}x$",
  "```math\n\\href{javascript:alert(1)}{x}\n```",
  "[^1]\n\n[^1]: <script>alert(1)</script> [x](javascript:alert(1))",
  '[^a" onclick="x]\n\n[^a" onclick="x]: y',
  "# <img src=x onerror=alert(1)>",
  "| <script>alert(1)</script> |\n|---|\n| [x](javascript:alert(1)) |",
  "- [ ] <script>alert(1)</script>",
  "<!-- --><script>alert(1)</script>",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?php echo 1 ?>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  'www.evil.example" onclick="alert(1)',
  'https://evil.example/"onclick="alert(1)',
  'a@b.example" onclick="alert(1)',
  "javascript:alert(1)",
  "<a\u0000href=javascript:alert(1)>",
];

describe("hostile Markdown", () => {
  test.each(HOSTILE)("%j comes out harmless", (text) => {
    for (const isStreaming of [false, true]) expect(offences(show(text, isStreaming))).toEqual([]);
  });

  test("HTML is shown as it was written", () => {
    expect(show("a <b>c</b>\n\n<script>alert(1)</script>")).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(show("a <b>c</b>")).toContain("a &lt;b&gt;c&lt;/b&gt;");
  });

  test("no text ever brings an element or an attribute that is not known", () => {
    const piece = fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.constantFrom(
        "\n",
        "\n\n",
        " ",
        "**",
        "_",
        "`",
        "```",
        "[",
        "](",
        ")",
        "![",
        "<",
        ">",
        '"',
        "|",
        "- ",
        "$",
        "$$",
        "\\",
        "&",
        "#",
        ":",
        "~~",
        "\t",
        "\u202e",
        "\u200b",
      ),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (parts, isStreaming) => {
        expect(offences(show(parts.join(""), isStreaming))).toEqual([]);
      }),
      { numRuns: Number(process.env["RUNS"] ?? 150) },
    );
  }, 60_000);
});

describe("links", () => {
  test("open elsewhere and tell nobody where from", () => {
    expect(show("[a](https://a.example/b)")).toContain(
      '<a href="https://a.example/b" target="_blank" rel="noopener noreferrer nofollow">a</a>',
    );
  });

  test.each([
    ["[https://bank.example](https://evil.example)", "evil.example"],
    ["[bank.example](https://evil.example/x)", "evil.example"],
    ["[www.bank.example/login](https://evil.example)", "evil.example"],
    ["[x](https://bank.example@evil.example/)", "evil.example"],
    ["[bank](https://xn--bnk-qla.example/)", "xn--bnk-qla.example"],
    ["[admin@bank.example](mailto:admin@evil.example)", "evil.example"],
    ["[ba\u200bnk.example](https://evil.example)", "evil.example"],
  ])("%s names its host", (text, host) => {
    expect(show(text)).toContain(`(${host})`);
  });

  test("whose text is their own address name no host", () => {
    expect(show("[https://a.example/x](https://a.example/x)")).not.toContain("(a.example)");
    expect(show("https://www.a.example/x and [more](https://b.example)")).not.toContain("(");
  });

  test("cannot turn their letters around", () => {
    const markup = show("[moc.knab\u202e\u2066](https://evil.example)");
    expect(markup).not.toMatch(/[\u202e\u2066]/);
    expect(markup).toContain("\\u202e");
  });
});
