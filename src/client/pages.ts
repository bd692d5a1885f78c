// Analyses and the pages that come of them. Everything answered is validated.

import {
  analysisReplySchema,
  workflowReplySchema,
  type AnalysisInput,
  type AnalysisReply,
  type PageInput,
  type WorkflowInput,
  type WorkflowReply,
} from "../protocol/analysis.ts";
import { pageEventSchema, type PageEvent } from "../protocol/page.ts";
import {
  keptPageSchema,
  newPageLinkSchema,
  pageLinkSchema,
  pageListSchema,
  pageSummarySchema,
  type KeptPage,
  type NewPageLink,
  type PageLink,
  type PageList,
  type PageSummary,
} from "../protocol/pages.ts";

export type Pages = {
  /** Says something about data. Where a blueprint is answered, `generatePage` makes its page. */
  analyse(request: AnalysisInput): Promise<AnalysisReply>;
  planPage(request: WorkflowInput): Promise<WorkflowReply>;
  /** The events while it is made; the last one is `COMPLETE`. Leaving the loop stops the making. */
  generatePage(request: PageInput): AsyncGenerator<PageEvent, void>;
  /** The newest first. */
  listPages(page?: { limit?: number; cursor?: string }): Promise<PageList>;
  page(id: string): Promise<KeptPage>;
  /** Makes it again with fresh data, in its place. */
  runPage(id: string): AsyncGenerator<PageEvent, void>;
  renamePage(id: string, title: string): Promise<PageSummary>;
  deletePage(id: string): Promise<void>;
  /** One file that needs nothing else. */
  pageHtml(id: string): Promise<string>;
  /** For spreadsheets. */
  pageCsv(id: string): Promise<string>;
  /** Lets anybody who has the link read the page for as many seconds. Its address is told only here. */
  linkPage(id: string, seconds?: number): Promise<NewPageLink>;
  pageLinks(id: string): Promise<PageLink[]>;
  unlinkPage(id: string, linkId: string): Promise<void>;
};

/** `call` answers what JSON or text there is, `open` the whole response; paths begin behind `/api`. Both throw a `Fault`. */
export type Door = {
  readonly call: (method: string, path: string, body?: unknown) => Promise<unknown>;
  readonly open: (method: string, path: string, body?: unknown) => Promise<Response>;
};

export function pagesBehind({ call, open }: Door): Pages {
  const at = (id: string) => `/v1/pages/${encodeURIComponent(id)}`;
  const linkAt = (id: string, link: string) => `${at(id)}/links/${encodeURIComponent(link)}`;
  return {
    analyse: async (request) => analysisReplySchema.parse(await call("POST", "/conversation", request)),
    planPage: async (request) => workflowReplySchema.parse(await call("POST", "/workflow/generate", request)),
    generatePage: (request) => eventsOf(open("POST", "/page/generate", request)),
    listPages: async ({ limit, cursor } = {}) => {
      const query = new URLSearchParams({
        ...(limit === undefined ? {} : { limit: String(limit) }),
        ...(cursor === undefined ? {} : { cursor }),
      });
      return pageListSchema.parse(await call("GET", `/v1/pages${query.size === 0 ? "" : `?${query.toString()}`}`));
    },
    page: async (id) => keptPageSchema.parse(await call("GET", at(id))),
    runPage: (id) => eventsOf(open("POST", `${at(id)}/run`)),
    renamePage: async (id, title) => pageSummarySchema.parse(await call("PATCH", at(id), { title })),
    deletePage: async (id) => void (await call("DELETE", at(id))),
    pageHtml: async (id) => String(await call("GET", `${at(id)}.html`)),
    pageCsv: async (id) => String(await call("GET", `${at(id)}.csv`)),
    linkPage: async (id, seconds) =>
      newPageLinkSchema.parse(
        await call("POST", `${at(id)}/links`, seconds === undefined ? {} : { expires_in: seconds }),
      ),
    pageLinks: async (id) => {
      const { links } = (await call("GET", `${at(id)}/links`)) as { links: unknown };
      return pageLinkSchema.array().parse(links);
    },
    unlinkPage: async (id, linkId) => void (await call("DELETE", linkAt(id, linkId))),
  };
}

/** The events of a stream as they arrive. Comments keep it awake and are nothing. */
async function* eventsOf(opening: Promise<Response>): AsyncGenerator<PageEvent, void> {
  const { body } = await opening;
  if (body === null) return;
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks)
      if (block.startsWith("data: ")) yield pageEventSchema.parse(JSON.parse(block.slice("data: ".length)));
  }
}
