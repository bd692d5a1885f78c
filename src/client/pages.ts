// Client calls for analyses and their pages. Each response and each streamed event is validated.
//
// A stream of page events owns its HTTP response. Leaving the loop, or `return`, cancels the request at once, also
// while a read is pending; the server then stops the work. The last event is `COMPLETE`. A stream that ends before it
// throws `unavailable`. Errors of the request itself are thrown at the first read.

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

/** All methods reject with a `Fault`, or with a `ZodError` for an invalid response; streams throw at the first read. */
export type Pages = {
  /** Sends a message about data. If the reply has a blueprint, `generatePage` makes its page. */
  analyse(request: AnalysisInput): Promise<AnalysisReply>;
  planPage(request: WorkflowInput): Promise<WorkflowReply>;
  /** Streams the events of making a page; the last one is `COMPLETE`. Leaving the loop stops the work. */
  generatePage(request: PageInput): AsyncGenerator<PageEvent, void>;
  /** Lists pages, newest first. */
  listPages(page?: { limit?: number; cursor?: string }): Promise<PageList>;
  page(id: string): Promise<KeptPage>;
  /** Makes the page again with current data and replaces it. Streams like `generatePage`. */
  runPage(id: string): AsyncGenerator<PageEvent, void>;
  renamePage(id: string, title: string): Promise<PageSummary>;
  deletePage(id: string): Promise<void>;
  /** Returns the page as one self-contained HTML file. */
  pageHtml(id: string): Promise<string>;
  /** Returns the tables of the page as CSV for spreadsheets. */
  pageCsv(id: string): Promise<string>;
  /** Creates a public link to the page that expires after `seconds`. Only this response contains its URL. */
  linkPage(id: string, seconds?: number): Promise<NewPageLink>;
  pageLinks(id: string): Promise<PageLink[]>;
  unlinkPage(id: string, linkId: string): Promise<void>;
};

/** Creates the calls for pages. Sends nothing until a method is called. */
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

/** Returns the events of a response as they arrive. `return` cancels the response even while a read is pending. */
function eventsOf(opening: Promise<Response>): AsyncGenerator<PageEvent, void> {
  const reading = opening.then(({ body }) => (body as ReadableStream<Uint8Array> | null)?.getReader());
  // A rejected request is thrown at the first read. Until then it must not count as an unhandled rejection.
  reading.catch(() => {});
  const left = new AbortController();
  const events = eventsIn(reading, left.signal);
  const leave = events.return.bind(events);
  // A suspended generator would handle `return` only after its pending read, so the read is cancelled here.
  events.return = (value) => {
    left.abort();
    reading.then((reader) => reader?.cancel()).catch(() => {});
    return leave(value);
  };
  return events;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Parses server-sent events; ignores comments. Throws `unavailable` if the stream ends before `COMPLETE`. */
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
    // Cancelling the response makes the server stop the work.
    await reader.cancel().catch(() => {});
  }
}

function cutOff(cause?: unknown): Fault {
  return new Fault("unavailable", "The connection broke off.", { cause });
}
