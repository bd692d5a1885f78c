// Hostile Markdown: the output contains only allowed elements, attributes and link targets.

import * as fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, test } from "vitest";
import { highlightPlugin, mathPlugin } from "../../../src/web/ui/markdown/lazy-plugins.ts";
import { RenderedMarkdown } from "../../../src/web/ui/markdown/rendered-markdown.tsx";
import "../load-messages.ts";
import { pickByLength } from "../../support/run-length.ts";

const renderMarkdown = (text: string, isStreaming = false) =>
  renderToStaticMarkup(createElement(RenderedMarkdown, { text, isStreaming }));

beforeAll(async () => {
  await Promise.all([mathPlugin.load(), highlightPlugin.load()]);
  expect([mathPlugin.loaded.get(), highlightPlugin.loaded.get()]).not.toContain(null);
});

const MATH =
  "math semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover " +
  "mtable mtr mtd mlabeledtr mstyle mpadded mphantom menclose merror mmultiscripts mprescripts mglyph none";
const ELEMENTS = new Set(
  `div p br em strong del a img code pre blockquote ul ol li input table thead tbody tr th td hr sup span h3 h4 h5 h6 button svg path rect ${MATH}`.split(
    " ",
  ),
);
const GLOBAL_ATTRIBUTES = "class role tabindex aria-label aria-hidden title";
const MATH_ATTRIBUTES =
  "display mathvariant stretchy fence separator form lspace rspace minsize maxsize columnalign columnspacing rowspacing " +
  "columnlines rowlines scriptlevel displaystyle width height depth voffset linethickness accent accentunder notation " +
  "mathcolor mathbackground mathsize encoding movablelimits symmetric largeop side xmlns";
const HTML_ATTRIBUTES =
  "href target rel src alt loading referrerpolicy start id type checked disabled readonly viewbox fill stroke stroke-width " +
  "stroke-linecap stroke-linejoin d x y rx ry";
const ATTRIBUTES = new Set(`${GLOBAL_ATTRIBUTES} ${MATH_ATTRIBUTES} ${HTML_ATTRIBUTES}`.split(" "));

/** Returns each element of the markup with its attributes. */
function listElements(markup: string): [string, [string, string][]][] {
  return [...markup.matchAll(/<([a-z][^\s/>]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
    ([, name = "", rest = ""]) => [
      name.toLowerCase(),
      [...rest.matchAll(/([^\s=>/]+)(?:="([^"]*)")?/g)].map(([, key = "", value = ""]) => [key.toLowerCase(), value]),
    ],
  );
}

/** Returns descriptions of everything in the markup that is not allowed. */
function findViolations(markup: string): string[] {
  // Every `<` must belong to an element that listElements found.
  const opened = (markup.match(/<[^/]/g) ?? []).length;
  const elements = listElements(markup);
  const violations = opened === elements.length ? [] : [`${opened} openings, ${elements.length} elements`];
  for (const [name, attributes] of elements) {
    if (!ELEMENTS.has(name)) violations.push(`<${name}>`);
    for (const [key, value] of attributes) {
      if (!ATTRIBUTES.has(key)) violations.push(`<${name} ${key}>`);
      if (key === "href" && !/^(https?:\/\/|mailto:|\/(?!\/)|#note-)/.test(value)) violations.push(`href ${value}`);
      if (key === "src" && !/^(\/(?!\/)|data:image\/(png|jpeg|gif|webp|avif);base64,)/.test(value))
        violations.push(`src ${value}`);
    }
    const isOutside = attributes.some(([key, value]) => key === "href" && !value.startsWith("#"));
    const rel = attributes.find(([key]) => key === "rel")?.[1];
    if (isOutside && rel !== "noopener noreferrer nofollow") violations.push("a link without rel");
  }
  return violations;
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
  test.each(HOSTILE)("%j renders without forbidden markup", (text) => {
    for (const isStreaming of [false, true]) expect(findViolations(renderMarkdown(text, isStreaming))).toEqual([]);
  });

  test("shows HTML as source text", () => {
    expect(renderMarkdown("a <b>c</b>\n\n<script>alert(1)</script>")).toContain(
      "&lt;script&gt;alert(1)&lt;/script&gt;",
    );
    expect(renderMarkdown("a <b>c</b>")).toContain("a &lt;b&gt;c&lt;/b&gt;");
  });

  test("renders only allowed elements and attributes, for random combinations", () => {
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
        expect(findViolations(renderMarkdown(parts.join(""), isStreaming))).toEqual([]);
      }),
      { numRuns: pickByLength(80, 5_000) },
    );
  }, 60_000);
});

describe("links", () => {
  test("open in a new tab without a referrer", () => {
    expect(renderMarkdown("[a](https://a.example/b)")).toContain(
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
  ])("%s shows the real host", (text, host) => {
    expect(renderMarkdown(text)).toContain(`(${host})`);
  });

  test("do not show the host if the link text is the URL", () => {
    expect(renderMarkdown("[https://a.example/x](https://a.example/x)")).not.toContain("(a.example)");
    expect(renderMarkdown("https://www.a.example/x and [more](https://b.example)")).not.toContain("(");
  });

  test("escape bidirectional control characters", () => {
    const markup = renderMarkdown("[moc.knab\u202e\u2066](https://evil.example)");
    expect(markup).not.toMatch(/[\u202e\u2066]/);
    expect(markup).toContain("\\u202e");
  });
});
