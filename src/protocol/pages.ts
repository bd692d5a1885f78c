// Pages that are kept, each for one user: what was asked, what came of it, and the data it came from.

import * as z from "zod";
import { blueprintSchema } from "./blueprint.ts";
import { pageSpecSchema } from "./page.ts";
import type { Result } from "./result.ts";
import { titleSchema } from "./title.ts";

export const pageSummarySchema = z.object({
  page_id: z.string(),
  title: z.string(),
  summary: z.string(),
  /** The conversation that it came about in, if any is known. */
  conversation_id: z.string().optional(),
  created_at: z.int(),
  /** When its data was read last. */
  refreshed_at: z.int(),
});
export type PageSummary = z.infer<typeof pageSummarySchema>;

/** What a page was made with besides its blueprint: the same again makes it anew. */
export const pageSetupSchema = z.object({
  context: z.record(z.string(), z.unknown()),
  teacher_id: z.string(),
  language: z.string(),
});
export type PageSetup = z.infer<typeof pageSetupSchema>;

/** Results of tools as the page was made from them; `is_cut` when they were too large to keep. */
export const snapshotSchema = z.object({
  results: z.array(z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()), result: z.unknown() })),
  is_cut: z.boolean().default(false),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

export const keptPageSchema = pageSummarySchema.extend({
  page: pageSpecSchema,
  blueprint: blueprintSchema,
  snapshot: snapshotSchema,
  ...pageSetupSchema.shape,
});
export type KeptPage = z.infer<typeof keptPageSchema>;

export const pageListSchema = z.object({ pages: z.array(pageSummarySchema), next_cursor: z.string().nullable() });
export type PageList = z.infer<typeof pageListSchema>;

export const updatePageSchema = z.strictObject({ title: titleSchema });

/** A page to be kept; with `page_id`, in the place of the one that is there. */
export type PageDraft = Pick<KeptPage, "page" | "blueprint" | "snapshot" | keyof PageSetup> & {
  readonly page_id?: string;
  /** It is kept only if that one is still there: what was deleted meanwhile stays deleted. */
  readonly is_rerun?: boolean;
  readonly conversation_id?: string;
};

/** How the talk about data stands in one conversation. */
export const standingSchema = z.object({
  /** What the next message is about. */
  blueprint: blueprintSchema.optional(),
  page_id: z.string().optional(),
  /** What the page is made with, besides. */
  setup: pageSetupSchema.optional(),
  /** What has changed about the blueprint since the page was made: how much of it has to be made anew. */
  refined: z.object({ isWhole: z.boolean(), recompose: z.array(z.string()) }).optional(),
  /** What the blueprint was before it was changed, the oldest first. */
  earlier: z.array(blueprintSchema).optional(),
  /** Another analysis in its place, until the person wants it or says something else. */
  proposed: blueprintSchema.optional(),
  /** A request that was not clear, and what was asked back. */
  asked: z.object({ request: z.string(), question: z.string() }).optional(),
});
export type Standing = z.infer<typeof standingSchema>;

/** What the library of a user does for pages. `key` stands for a conversation: its digest (`digestOf`). */
export type PagesApi = {
  keepPage(draft: PageDraft): Promise<Result<PageSummary>>;
  page(pageId: string): Promise<Result<KeptPage>>;
  /** Newest first, those that were made before `after`. */
  pages(limit: number, after: { at: number; id: string } | null): Promise<Result<PageSummary[]>>;
  renamePage(pageId: string, title: string): Promise<Result<PageSummary>>;
  removePage(pageId: string): Promise<Result<{ page_id: string; deleted: true }>>;
  standing(key: string): Promise<Result<Standing>>;
  keepStanding(key: string, standing: Standing): Promise<Result<null>>;
};

export const LINK_SECONDS = { least: 60, most: 30 * 86_400, usual: 7 * 86_400 };

/** A link that lets anybody who has it read one page, until it expires. */
export const pageLinkSchema = z.object({ link_id: z.string(), created_at: z.int(), expires_at: z.int() });
export type PageLink = z.infer<typeof pageLinkSchema>;

/** What only the answer to its making says: the token is not kept. */
export const newPageLinkSchema = pageLinkSchema.extend({ url: z.string() });
export type NewPageLink = z.infer<typeof newPageLinkSchema>;
