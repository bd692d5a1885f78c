// Short forms of a page for prompts. Every block is included; long parts are truncated and give the number of omitted
// items.

import { unreachable } from "../../protocol/assert.ts";
import { pageSpecSchema, type Block, type PageSpec } from "../../protocol/page.ts";
import type { Snapshot } from "../../protocol/pages.ts";
import { shortened } from "../../protocol/shortened.ts";

/** The available data about the page of a conversation. `sent` is the client's own, untrusted description. */
export type About = {
  readonly page: PageSpec | null;
  readonly snapshot: Snapshot | null;
  readonly sent: Readonly<Record<string, unknown>> | null;
};

const MOST_ROWS = 60;
const MOST_TEXT = 2_000;
/** Maximum characters of JSON: of the page, the client's description, all tool results, and one tool result. */
const MOST_PAGE = 24_000;
const MOST_SENT = 12_000;
const MOST_DATA = 16_000;
const MOST_RESULT = 6_000;

/**
 * Returns the content of the page. A page sent by the client replaces the stored one, because it is the page that the
 * person sees. Other client data is included as it was sent, truncated.
 */
export function digestOfPage({ page, sent }: About): Record<string, unknown> {
  const read = sent === null ? null : pageIn(sent);
  const shown = read ?? page;
  const more = sent === null || read !== null ? {} : bounded(sent, MOST_SENT);
  if (shown === null) return more;
  return { ...more, ...bounded({ summary: shown.meta.summary, tabs: tabsOf(shown) }, MOST_PAGE) };
}

/**
 * Returns the tool results that the page was built from. Large results are truncated; results beyond the limit are
 * counted in a last member `omitted`.
 */
export function digestOfData({ snapshot }: About): unknown {
  const results = snapshot?.results ?? [];
  const kept: unknown[] = [];
  let room = MOST_DATA;
  for (const { tool, args, result } of results) {
    const json = JSON.stringify(result) ?? "null";
    const one = json.length <= MOST_RESULT ? { tool, args, result } : { tool, args, cut: json.slice(0, MOST_RESULT) };
    room -= JSON.stringify(one).length;
    if (room < 0) return [...kept, { omitted: results.length - kept.length }];
    kept.push(one);
  }
  return kept;
}

/** Parses a page that the client sent directly or under `page`; null if there is none. */
function pageIn(sent: Readonly<Record<string, unknown>>): PageSpec | null {
  for (const candidate of [sent, sent["page"]]) {
    const read = pageSpecSchema.safeParse(candidate);
    if (read.success) return read.data;
  }
  return null;
}

function tabsOf({ tabs }: PageSpec) {
  return tabs.map(({ label, blocks }) => ({ label, blocks: blocks.map(digestOfBlock) }));
}

function digestOfBlock(block: Block): Record<string, unknown> {
  const { type } = block;
  switch (block.type) {
    case "kpi_grid":
      return { type, data: few(block.data) };
    case "chart":
      return {
        type,
        variant: block.variant,
        title: block.title,
        xAxis: few(block.xAxis),
        series: block.series.map(({ name, data }) => ({ name, data: few(data) })),
      };
    case "table":
      return { type, title: block.title, headers: block.headers, rows: few(block.rows.map(({ cells }) => cells)) };
    case "markdown":
      return { type, content: shortened(block.content, MOST_TEXT) };
    case "suggestion_list":
      return { type, title: block.title, items: few(block.items) };
    case "question_generator":
      return { type, title: block.title, questions: few(block.questions) };
    default:
      return unreachable(block);
  }
}

/** Limits a list. A last member gives the number of omitted items. */
function few(list: readonly unknown[]): unknown[] {
  return list.length <= MOST_ROWS ? [...list] : [...list.slice(0, MOST_ROWS), `… ${list.length - MOST_ROWS} more`];
}

/** Returns the value, or its truncated JSON as `{cut}` if it is too long. */
function bounded(value: Record<string, unknown>, most: number): Record<string, unknown> {
  const json = JSON.stringify(value);
  return json.length <= most ? value : { cut: json.slice(0, most) };
}
