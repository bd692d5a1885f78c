// Exports a page as one HTML file without scripts and without external resources.
//
// The content security policy is computed once per isolate and shared by all exports: it depends on the style sheet
// only.

import { toBase64 } from "../../protocol/base64.ts";
import { sourceText } from "../../protocol/page-source.ts";
import type { KeptPage } from "../../protocol/pages.ts";
import { languageOf, type Language } from "../../protocol/words/language.ts";
import { blockOf } from "./blocks.ts";
import { html, type Html } from "./html.ts";
import { STYLE } from "./style.ts";
import { wordsIn, type Words } from "./words.ts";

/** The members of a stored page that an export needs. `refreshed_at` is in ms since the epoch. */
export type Paper = Pick<KeptPage, "title" | "page" | "language" | "refreshed_at">;

let policy: Promise<string> | undefined;

/** Returns the content security policy of an exported page: its own style sheet is allowed, everything else is not. */
export function policyText(): Promise<string> {
  return (policy ??= hashOf(STYLE).then(
    (hash) => `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
  ));
}

/** Returns the complete HTML file. */
export async function documentOf(paper: Paper): Promise<string> {
  const { page, title } = paper;
  const language = languageOf(`${title} ${page.meta.summary}`, paper.language);
  const words = wordsIn(language);
  const doubts = Map.groupBy(page.meta.unverifiedNumbers ?? [], ({ blockId }) => blockId);
  const tabs = page.tabs.map(({ label, blocks }) => {
    const shown = blocks.map((block) =>
      blockOf(
        block,
        words,
        (doubts.get(block.id) ?? []).map(({ number }) => number),
      ),
    );
    return html`${page.tabs.length > 1 ? html`<h2>${label}</h2>` : null}${shown}`;
  });
  const head = html`<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${await policyText()}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" /><meta name="referrer" content="no-referrer" />
    <meta name="robots" content="noindex" /><title>${title}</title>`;
  const body = html`${headerOf(paper, words, language)}
    <main>${tabs}</main>`;
  return `<!doctype html>\n<html lang="${language}"><head>${head.html}<style>${STYLE}</style></head><body>${body.html}</body></html>\n`;
}

function headerOf({ title, page, refreshed_at }: Paper, words: Words, language: Language): Html {
  const { summary, dataSource } = page.meta;
  const at = new Date(refreshed_at);
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  const made = html`${words.made}: <time datetime="${at.toISOString()}">${format.format(at)} UTC</time>`;
  const source = dataSource === "" ? null : html` · ${words.source}: ${sourceText(dataSource, language)}`;
  const about = summary === "" ? null : html`<p>${summary}</p>`;
  return html`<header>
    <h1>${title}</h1>
    ${about}
    <p class="facts">${made}${source}</p>
  </header>`;
}

/** Returns the SHA-256 digest in base64, as in content security policies. */
async function hashOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return toBase64(digest);
}
