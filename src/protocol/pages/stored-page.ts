// Schemas of stored pages with their blueprint and data, of the state of an analysis conversation, and of public links.

import * as z from "zod";
import { blueprintSchema } from "./blueprint-schema.ts";
import { pageSpecSchema } from "./page.ts";
import type { InternalResult } from "../wire/rpc-result.ts";
import { titleSchema } from "../../lib/title.ts";

export const pageSummarySchema = z.object({
  page_id: z.string(),
  title: z.string(),
  summary: z.string(),
  /** The conversation in which the page was made, if known. */
  conversation_id: z.string().optional(),
  created_at: z.int(),
  /** Time of the last read of its data, in ms since the epoch. */
  refreshed_at: z.int(),
});
export type PageSummary = z.infer<typeof pageSummarySchema>;

/** The inputs of a page besides its blueprint. They are stored, so that the page can be made again. */
export const pageSetupSchema = z.object({
  context: z.record(z.string(), z.unknown()),
  teacher_id: z.string(),
  language: z.string(),
});
export type PageSetup = z.infer<typeof pageSetupSchema>;

/** The tool results from which the page was made. `is_cut` is true if some were too large to store. */
export const pageSnapshotSchema = z.object({
  results: z.array(z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()), result: z.unknown() })),
  is_cut: z.boolean().default(false),
});
export type PageSnapshot = z.infer<typeof pageSnapshotSchema>;

export const storedPageSchema = pageSummarySchema.extend({
  page: pageSpecSchema,
  blueprint: blueprintSchema,
  snapshot: pageSnapshotSchema,
  ...pageSetupSchema.shape,
});
export type StoredPage = z.infer<typeof storedPageSchema>;

export const pageListSchema = z.object({ pages: z.array(pageSummarySchema), next_cursor: z.string().nullable() });
export type PageList = z.infer<typeof pageListSchema>;

export const updatePageSchema = z.strictObject({ title: titleSchema });

/** A page to be stored. With `page_id` it replaces that page. */
export type PageDraft = Pick<StoredPage, "page" | "blueprint" | "snapshot" | keyof PageSetup> & {
  readonly page_id?: string;
  /** True to store it only if the page still exists, so that a page deleted meanwhile stays deleted. */
  readonly is_rerun?: boolean;
  readonly conversation_id?: string;
};

/** The state of an analysis in one conversation. */
export const analysisStateSchema = z.object({
  /** The blueprint that the next message refers to. */
  blueprint: blueprintSchema.optional(),
  page_id: z.string().optional(),
  /** The other inputs of the page. */
  setup: pageSetupSchema.optional(),
  /** The parts of the page that must be made again, because the blueprint changed since the page was made. */
  refined: z.object({ isWhole: z.boolean(), recompose: z.array(z.string()) }).optional(),
  /** Earlier versions of the blueprint, oldest first. */
  earlier: z.array(blueprintSchema).optional(),
  /** A proposed replacement, until the user accepts it or sends something else. */
  proposed: blueprintSchema.optional(),
  /** An unclear request and the question about it. */
  asked: z.object({ request: z.string(), question: z.string() }).optional(),
});
export type AnalysisState = z.infer<typeof analysisStateSchema>;

/**
 * The RPC interface of a user's library for pages. Methods that take a page id return `not_found` if it does not exist.
 * `key` is the digest of a conversation (`computeConversationDigest`).
 */
export type PagesApi = {
  /**
   * Stores a page, or replaces that with the `page_id` of the draft. `too_large` beyond the size limit; `not_found` if
   * a rerun refers to a deleted page.
   */
  keepPage(draft: PageDraft): Promise<InternalResult<PageSummary>>;
  page(pageId: string): Promise<InternalResult<StoredPage>>;
  /** Lists at most `limit` pages, newest first, that come after the page `after` in this order. */
  pages(limit: number, after: { at: number; id: string } | null): Promise<InternalResult<PageSummary[]>>;
  renamePage(pageId: string, title: string): Promise<InternalResult<PageSummary>>;
  removePage(pageId: string): Promise<InternalResult<{ page_id: string; deleted: true }>>;
  /** Returns the state of an analysis; empty if there is none. */
  standing(key: string): Promise<InternalResult<AnalysisState>>;
  /** Stores the state of an analysis; an empty one is deleted. `too_large` beyond the size limit. */
  keepStanding(key: string, state: AnalysisState): Promise<InternalResult<null>>;
};

/** Bounds and default of the lifetime of a link, in seconds. */
export const LINK_LIFETIME_SECONDS = { min: 60, max: 30 * 86_400, default: 7 * 86_400 };

/** A public link to one page. It works without a token until it expires. Times are in ms since the epoch. */
export const pageLinkSchema = z.object({ link_id: z.string(), created_at: z.int(), expires_at: z.int() });
export type PageLink = z.infer<typeof pageLinkSchema>;

/** A new link. Only the response to its creation contains the URL, because the token is not stored. */
export const newPageLinkSchema = pageLinkSchema.extend({ url: z.string() });
