// HTML templates that escape by default. `Html` is a separate type, so text cannot be inserted as markup by mistake.
//
// The module caches the fixed parts of each template for the life of the isolate. They are string literals of the
// source, so the cache is bounded.

/** Markup that was escaped. */
export type Html = { readonly html: string };

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/**
 * Characters that are removed: control characters, and bidirectional controls, which could hide the real order of a
 * text.
 */
const UNPRINTABLE = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

type HtmlPart = Html | string | number | null | readonly HtmlPart[];

/** The fixed parts of templates without the indentation of the source. */
const compactStrings = new WeakMap<TemplateStringsArray, readonly string[]>();

/** A template tag: escapes inserted text and numbers, inserts `Html` unchanged, joins lists, and omits null. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let fixed = compactStrings.get(strings);
  if (fixed === undefined)
    compactStrings.set(strings, (fixed = strings.map((text) => text.replaceAll(/\n\s+/g, "\n"))));
  return { html: fixed.reduce((all, text, i) => all + renderPart(parts[i - 1] ?? null) + text) };
}

/** Escapes text for element content and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(UNPRINTABLE, "")
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function renderPart(part: HtmlPart): string {
  if (part === null) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return "html" in part ? part.html : part.map(renderPart).join("");
}
