// HTML as a value that cannot be confused with text: what a template is given is escaped unless it is HTML already.

export type Html = { readonly html: string };

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** Controls have no place in a page, and what turns the direction of text would let it lie about its order. */
const UNPRINTABLE = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

type Part = Html | string | number | null | readonly Part[];

/** The fixed parts of templates, without the indentation that they have in the source. */
const compact = new WeakMap<TemplateStringsArray, readonly string[]>();

/** A template: `html`<p>${text}</p>`` escapes `text`; lists are joined, null is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let fixed = compact.get(strings);
  if (fixed === undefined) compact.set(strings, (fixed = strings.map((text) => text.replaceAll(/\n\s+/g, "\n"))));
  return { html: fixed.reduce((all, text, i) => all + rendered(parts[i - 1] ?? null) + text) };
}

export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(UNPRINTABLE, "")
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function rendered(part: Part): string {
  if (part === null) return "";
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return "html" in part ? part.html : part.map(rendered).join("");
}
