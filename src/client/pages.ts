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
import { Fault } from "../protocol/fault.ts";
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
import { doorOf, pathOf, queryOf, type ApiOptions } from "./door.ts";

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

export function createPagesApi(options: ApiOptions): Pages {
  const { call, open } = doorOf(options);
  const at = (id: string, part?: string) => pathOf("pages", id, part);
  return {
    analyse: async (request) => analysisReplySchema.parse(await call("POST", "/api/conversation", request)),
    planPage: async (request) => workflowReplySchema.parse(await call("POST", "/api/workflow/generate", request)),
    generatePage: (request) => eventsOf(open("POST", "/api/page/generate", request)),
    listPages: async (page = {}) => pageListSchema.parse(await call("GET", `/api/v1/pages${queryOf(page)}`)),
    page: async (id) => keptPageSchema.parse(await call("GET", at(id))),
    runPage: (id) => eventsOf(open("POST", at(id, "/run"))),
    renamePage: async (id, title) => pageSummarySchema.parse(await call("PATCH", at(id), { title })),
    deletePage: async (id) => void (await call("DELETE", at(id))),
    pageHtml: async (id) => String(await call("GET", at(id, ".html"))),
    pageCsv: async (id) => String(await call("GET", at(id, ".csv"))),
    linkPage: async (id, seconds) =>
      newPageLinkSchema.parse(
        await call("POST", at(id, "/links"), seconds === undefined ? {} : { expires_in: seconds }),
      ),
    pageLinks: async (id) => {
      const { links } = (await call("GET", at(id, "/links"))) as { links: unknown };
      return pageLinkSchema.array().parse(links);
    },
    unlinkPage: async (id, linkId) => void (await call("DELETE", at(id, `/links/${encodeURIComponent(linkId)}`))),
  };
}

/** The events of a stream as they arrive. Leaving gives the stream up at once, also while nothing comes. */
function eventsOf(opening: Promise<Response>): AsyncGenerator<PageEvent, void> {
  const reading = opening.then(({ body }) => (body as ReadableStream<Uint8Array> | null)?.getReader());
  // Who reads hears of a refusal, and only then: until somebody does, it is nobody's oversight.
  reading.catch(() => {});
  const left = new AbortController();
  const events = eventsIn(reading, left.signal);
  const leave = events.return.bind(events);
  // A generator that waits for something would hear of it only after that.
  events.return = (value) => {
    left.abort();
    reading.then((reader) => reader?.cancel()).catch(() => {});
    return leave(value);
  };
  return events;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Comments keep the stream awake and are nothing. One that ends before `COMPLETE` was cut off by something in between. */
async function* eventsIn(reading: Promise<Reader | undefined>, left: AbortSignal): AsyncGenerator<PageEvent, void> {
  const reader = await reading;
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = "";
  let isComplete = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done && !isComplete && !left.aborted) throw cutOff();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        if (!block.startsWith("data: ")) continue;
        const event = pageEventSchema.parse(JSON.parse(block.slice("data: ".length)));
        isComplete = event.type === "COMPLETE";
        yield event;
      }
    }
  } catch (cause) {
    throw cause instanceof TypeError ? cutOff(cause) : cause;
  } finally {
    // Whoever leaves the loop early does not want the rest, and the server stops making it.
    await reader.cancel().catch(() => {});
  }
}

function cutOff(cause?: unknown): Fault {
  return new Fault("unavailable", "The connection broke off.", { cause });
}
