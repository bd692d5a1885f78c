// Short forms of a page for prompts. Every block is included; long parts are truncated and give the number of omitted
// items.

import { assertNever } from "../../../lib/assert.ts";
import { pageSpecSchema, type PageBlock, type PageSpec } from "../../../protocol/pages/page.ts";
import type { PageSnapshot } from "../../../protocol/pages/stored-page.ts";
import { truncateWithEllipsis } from "../../../lib/truncate.ts";

/** The available data about the page of a conversation. `sent` is the client's own, untrusted description. */
export type PageSources = {
  readonly page: PageSpec | null;
  readonly snapshot: PageSnapshot | null;
  readonly sent: Readonly<Record<string, unknown>> | null;
};

const MAX_LIST_ITEMS = 60;
const MAX_TEXT_CHARS = 2_000;
/** Maximum characters of JSON: of the page, the client's description, all tool results, and one tool result. */
const MAX_PAGE_CHARS = 24_000;
const MAX_SENT_CHARS = 12_000;
const MAX_DATA_CHARS = 16_000;
const MAX_RESULT_CHARS = 6_000;

/**
 * Returns the content of the page for a prompt, or `{cut}` with the beginning of its JSON if it is too long; empty if
 * there is no page. A page sent by the client replaces the stored one, because it is the page that the person sees.
 * Other client data is included as it was sent, truncated.
 */
export function digestPage({ page, sent }: PageSources): Record<string, unknown> {
  const sentPage = sent === null ? null : parseSentPage(sent);
  const shownPage = sentPage ?? page;
  const otherData = sent === null || sentPage !== null ? {} : truncateJson(sent, MAX_SENT_CHARS);
  if (shownPage === null) return otherData;
  return {
    ...otherData,
    ...truncateJson({ summary: shownPage.meta.summary, tabs: digestTabs(shownPage) }, MAX_PAGE_CHARS),
  };
}

/**
 * Returns the list of tool results that the page was built from; empty without a snapshot. A large result becomes
 * `cut`, the beginning of its JSON; results beyond the total limit are counted in a last member `omitted`.
 */
export function digestResults({ snapshot }: PageSources): unknown {
  const results = snapshot?.results ?? [];
  const digests: unknown[] = [];
  let remainingChars = MAX_DATA_CHARS;
  for (const { tool, args, result } of results) {
    const json = JSON.stringify(result) ?? "null";
    const digest =
      json.length <= MAX_RESULT_CHARS ? { tool, args, result } : { tool, args, cut: json.slice(0, MAX_RESULT_CHARS) };
    remainingChars -= JSON.stringify(digest).length;
    if (remainingChars < 0) return [...digests, { omitted: results.length - digests.length }];
    digests.push(digest);
  }
  return digests;
}

/** Parses a page that the client sent directly or under `page`; null if there is none. */
function parseSentPage(sent: Readonly<Record<string, unknown>>): PageSpec | null {
  for (const candidate of [sent, sent["page"]]) {
    const parsed = pageSpecSchema.safeParse(candidate);
    if (parsed.success) return parsed.data;
  }
  return null;
}

function digestTabs({ tabs }: PageSpec) {
  return tabs.map(({ label, blocks }) => ({ label, blocks: blocks.map(digestBlock) }));
}

function digestBlock(block: PageBlock): Record<string, unknown> {
  const { type } = block;
  switch (block.type) {
    case "kpi_grid":
      return { type, data: limitList(block.data) };
    case "chart":
      return {
        type,
        variant: block.variant,
        title: block.title,
        xAxis: limitList(block.xAxis),
        series: block.series.map(({ name, data }) => ({ name, data: limitList(data) })),
      };
    case "table":
      return {
        type,
        title: block.title,
        headers: block.headers,
        rows: limitList(block.rows.map(({ cells }) => cells)),
      };
    case "markdown":
      return { type, content: truncateWithEllipsis(block.content, MAX_TEXT_CHARS) };
    case "suggestion_list":
      return { type, title: block.title, items: limitList(block.items) };
    case "question_generator":
      return { type, title: block.title, questions: limitList(block.questions) };
    default:
      return assertNever(block);
  }
}

/** Limits a list. A last member gives the number of omitted items. */
function limitList(list: readonly unknown[]): unknown[] {
  return list.length <= MAX_LIST_ITEMS
    ? [...list]
    : [...list.slice(0, MAX_LIST_ITEMS), `… ${list.length - MAX_LIST_ITEMS} more`];
}

/** Returns the value, or its truncated JSON as `{cut}` if it is too long. */
function truncateJson(value: Record<string, unknown>, maxChars: number): Record<string, unknown> {
  const json = JSON.stringify(value);
  return json.length <= maxChars ? value : { cut: json.slice(0, maxChars) };
}
