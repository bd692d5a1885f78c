// Short forms of a page for prompts. Every block is included; long parts are truncated and give the number of omitted
// items.

import { pageSpecSchema, type PageBlock, type PageSpec } from "../../../protocol/pages/page.ts";
import type { PageSnapshot } from "../../../protocol/pages/stored-page.ts";
import { computePageFacts } from "./page-facts.ts";
import { truncateLists } from "../truncate-json.ts";

/** The available data about the page of a conversation. `sent` is the client's own, untrusted description. */
export type PageSources = {
  readonly page: PageSpec | null;
  readonly snapshot: PageSnapshot | null;
  readonly sent: Readonly<Record<string, unknown>> | null;
};

const MAX_LIST_ITEMS = 60;
/** Maximum characters of JSON: of the page, the client's description, all tool results, and one tool result. */
const MAX_PAGE_CHARS = 24_000;
const MAX_SENT_CHARS = 12_000;
const MAX_DATA_CHARS = 16_000;
const MAX_RESULT_CHARS = 6_000;

/**
 * Returns the content of the page for a prompt, or `{cut}` with the beginning of its JSON if it is too long; empty if
 * there is no page. `facts` are the extreme numbers of the page. A page sent by the client replaces the stored one, because it is the page that the person sees.
 * Other client data is included as it was sent, truncated.
 */
export function digestPage({ page, sent }: PageSources): Record<string, unknown> {
  const sentPage = sent === null ? null : parseSentPage(sent);
  const shownPage = sentPage ?? page;
  const otherData = sent === null || sentPage !== null ? {} : truncateJson(sent, MAX_SENT_CHARS);
  if (shownPage === null) return otherData;
  const facts = computePageFacts(shownPage, listUnverifiedBlocks(shownPage));
  return { ...otherData, ...digestPageSpec(shownPage), ...(facts === null ? {} : { facts }) };
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

/**
 * Returns the data of the page: the tool results with their arguments, the data that the client sent, and the contents
 * of the blocks that show data. Written texts are no data, and neither are blocks with unverified numbers.
 */
export function listPageData({ page, snapshot, sent }: PageSources): unknown[] {
  const sentPage = sent === null ? null : parseSentPage(sent);
  const blocks = [page, sentPage].flatMap((shownPage) => {
    const unverified = shownPage === null ? new Set() : listUnverifiedBlocks(shownPage);
    return (shownPage?.tabs ?? []).flatMap((tab) => tab.blocks.filter(({ id }) => !unverified.has(id)));
  });
  const isData = ({ type }: PageBlock) => type === "kpi_grid" || type === "chart" || type === "table";
  return [snapshot?.results ?? [], sentPage === null ? sent : null, blocks.filter(isData)];
}

/** Returns the ids of the blocks with unverified numbers. */
function listUnverifiedBlocks({ meta }: PageSpec): Set<string> {
  return new Set(meta.unverifiedNumbers?.map(({ blockId }) => blockId));
}

/** Parses a page that the client sent directly or under `page`; null if there is none. */
function parseSentPage(sent: Readonly<Record<string, unknown>>): PageSpec | null {
  for (const candidate of [sent, sent["page"]]) {
    const parsed = pageSpecSchema.safeParse(candidate);
    if (parsed.success) return parsed.data;
  }
  return null;
}

/** Returns the page with at most 60 members of each list, or the beginning of its JSON if that is still too long. */
function digestPageSpec({ meta: { summary }, tabs }: PageSpec): Record<string, unknown> {
  const content = { summary, tabs: tabs.map(({ label, blocks }) => ({ label, blocks: blocks.map(digestBlock) })) };
  return truncateJson(truncateLists(content, MAX_LIST_ITEMS) as Record<string, unknown>, MAX_PAGE_CHARS);
}

/** Returns the block without its id; the rows of a table become lists of cells. */
function digestBlock({ id: _, ...block }: PageBlock): object {
  return block.type === "table" ? { ...block, rows: block.rows.map(({ cells }) => cells) } : block;
}

/** Returns the value, or its truncated JSON as `{cut}` if it is too long. */
function truncateJson(value: Record<string, unknown>, maxChars: number): Record<string, unknown> {
  const json = JSON.stringify(value);
  return json.length <= maxChars ? value : { cut: json.slice(0, maxChars) };
}
