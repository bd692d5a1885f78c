// Exports a page as one HTML file without scripts and without external resources.
//
// The content security policy is computed once per isolate and shared by all exports: it depends on the style sheet
// only.

import { encodeBase64 } from "../../lib/base64.ts";
import { formatDataSource } from "../../pages/page-source-names.ts";
import type { StoredPage } from "../../protocol/pages/stored-page.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { renderBlock } from "./block-html.ts";
import { html, type Html } from "../html-template.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { getPageLabels, type PageLabels } from "./page-labels.ts";

/** The members of a stored page that an export needs. `refreshed_at` is in ms since the epoch. */
export type PageExport = Pick<StoredPage, "title" | "page" | "language" | "refreshed_at">;

let contentPolicy: Promise<string> | undefined;

/** Returns the content security policy of an exported page: its own style sheet is allowed, everything else is not. */
export function getContentPolicy(): Promise<string> {
  return (contentPolicy ??= computeSha256(PAGE_STYLE).then(
    (hash) => `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
  ));
}

/** Returns the complete HTML file, with labels in the language of the title and summary. */
export async function renderDocument(pageExport: PageExport): Promise<string> {
  const { page, title } = pageExport;
  const language = detectLanguage(`${title} ${page.meta.summary}`, pageExport.language);
  const labels = getPageLabels(language);
  const unverified = Map.groupBy(page.meta.unverifiedNumbers ?? [], ({ blockId }) => blockId);
  const tabs = page.tabs.map(({ label, blocks }) => {
    const shown = blocks.map((block) =>
      renderBlock(
        block,
        labels,
        (unverified.get(block.id) ?? []).map(({ number }) => number),
      ),
    );
    return html`${page.tabs.length > 1 ? html`<h2>${label}</h2>` : null}${shown}`;
  });
  const head = html`<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${await getContentPolicy()}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" /><meta name="referrer" content="no-referrer" />
    <meta name="robots" content="noindex" /><title>${title}</title>`;
  const body = html`${renderHeader(pageExport, labels, language)}
    <main>${tabs}</main>`;
  return `<!doctype html>\n<html lang="${language}"><head>${head.html}<style>${PAGE_STYLE}</style></head><body>${body.html}</body></html>\n`;
}

function renderHeader({ title, page, refreshed_at }: PageExport, labels: PageLabels, language: Language): Html {
  const { summary, dataSource } = page.meta;
  const at = new Date(refreshed_at);
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  const made = html`${labels.made}: <time datetime="${at.toISOString()}">${format.format(at)} UTC</time>`;
  const source = dataSource === "" ? null : html` · ${labels.source}: ${formatDataSource(dataSource, language)}`;
  const about = summary === "" ? null : html`<p>${summary}</p>`;
  return html`<header>
    <h1>${title}</h1>
    ${about}
    <p class="facts">${made}${source}</p>
  </header>`;
}

/** Returns the SHA-256 digest in base64, as in content security policies. */
async function computeSha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return encodeBase64(digest);
}
