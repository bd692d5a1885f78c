// Client calls for analyses and their pages. Each response and each streamed event is validated.
//
// A stream of page events owns its HTTP response. Leaving the loop, or `return`, cancels the request at once, also
// while a read is pending; the server then stops the work. The last event is `COMPLETE`. A stream that ends before it
// throws `unavailable`. Errors of the request itself are thrown at the first read.

import {
  analysisReplySchema,
  blueprintReplySchema,
  type AnalysisRequestInput,
  type AnalysisReply,
  type PageRequestInput,
  type BlueprintRequestInput,
  type BlueprintReply,
} from "../protocol/pages/analysis-api.ts";
import { Fault } from "../protocol/wire/fault.ts";
import { pageEventSchema, type PageEvent } from "../protocol/pages/page.ts";
import {
  storedPageSchema,
  newPageLinkSchema,
  pageLinkSchema,
  pageListSchema,
  pageSummarySchema,
  type StoredPage,
  type NewPageLink,
  type PageLink,
  type PageList,
  type PageSummary,
} from "../protocol/pages/stored-page.ts";
import { createHttpClient, buildResourcePath, buildQueryString, type ApiOptions } from "./http-client.ts";

/** All methods reject with a `Fault`, or with a `ZodError` for an invalid response; streams throw at the first read. */
export type PagesClient = {
  /** Sends a message about data. If the reply has a blueprint, `generatePage` makes its page. */
  analyse(request: AnalysisRequestInput): Promise<AnalysisReply>;
  /** Creates a blueprint without a conversation. Stores nothing; `generatePage` makes its page. */
  planPage(request: BlueprintRequestInput): Promise<BlueprintReply>;
  /** Streams the events of making a page; the last one is `COMPLETE`. Leaving the loop stops the work. */
  generatePage(request: PageRequestInput): AsyncGenerator<PageEvent, void>;
  /** Lists pages, newest first. */
  listPages(page?: { limit?: number; cursor?: string }): Promise<PageList>;
  page(id: string): Promise<StoredPage>;
  /** Makes the page again with current data and replaces it. Streams like `generatePage`. */
  runPage(id: string): AsyncGenerator<PageEvent, void>;
  renamePage(id: string, title: string): Promise<PageSummary>;
  /** Deletes the page with its links. */
  deletePage(id: string): Promise<void>;
  /** Returns the page as one self-contained HTML file. */
  pageHtml(id: string): Promise<string>;
  /** Returns the tables of the page as CSV for spreadsheets. */
  pageCsv(id: string): Promise<string>;
  /**
   * Creates a public link to the page that expires after `seconds`: 60 s to 30 days, by default 7 days. Only this
   * response contains its URL.
   */
  linkPage(id: string, seconds?: number): Promise<NewPageLink>;
  /** Lists the links of the page that have not expired, oldest first, without their URLs. */
  pageLinks(id: string): Promise<PageLink[]>;
  /** Revokes a link. */
  unlinkPage(id: string, linkId: string): Promise<void>;
};

/** Creates the calls for pages. Sends nothing until a method is called. */
export function createPagesApi(options: ApiOptions): PagesClient {
  const { call, open } = createHttpClient(options);
  const at = (id: string, part?: string) => buildResourcePath("pages", id, part);
  return {
    analyse: async (request) => analysisReplySchema.parse(await call("POST", "/api/conversation", request)),
    planPage: async (request) => blueprintReplySchema.parse(await call("POST", "/api/workflow/generate", request)),
    generatePage: (request) => streamPageEvents(open("POST", "/api/page/generate", request)),
    listPages: async (page = {}) => pageListSchema.parse(await call("GET", `/api/v1/pages${buildQueryString(page)}`)),
    page: async (id) => storedPageSchema.parse(await call("GET", at(id))),
    runPage: (id) => streamPageEvents(open("POST", at(id, "/run"))),
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
function streamPageEvents(opening: Promise<Response>): AsyncGenerator<PageEvent, void> {
  const reading = opening.then(({ body }) => (body as ReadableStream<Uint8Array> | null)?.getReader());
  // A rejected request is thrown at the first read. Until then it must not count as an unhandled rejection.
  reading.catch(() => {});
  const cancellation = new AbortController();
  const events = parsePageEvents(reading, cancellation.signal);
  const originalReturn = events.return.bind(events);
  // A suspended generator would handle `return` only after its pending read, so the read is cancelled here.
  events.return = (value) => {
    cancellation.abort();
    reading.then((reader) => reader?.cancel()).catch(() => {});
    return originalReturn(value);
  };
  return events;
}

type ResponseReader = ReadableStreamDefaultReader<Uint8Array>;

/** Parses server-sent events; ignores comments. Throws `unavailable` if the stream ends before `COMPLETE`. */
async function* parsePageEvents(
  reading: Promise<ResponseReader | undefined>,
  cancelled: AbortSignal,
): AsyncGenerator<PageEvent, void> {
  const reader = await reading;
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = "";
  let isComplete = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done && !isComplete && !cancelled.aborted) throw createDisconnectedFault();
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
    throw cause instanceof TypeError ? createDisconnectedFault(cause) : cause;
  } finally {
    // Cancelling the response makes the server stop the work.
    await reader.cancel().catch(() => {});
  }
}

function createDisconnectedFault(cause?: unknown): Fault {
  return new Fault("unavailable", "The connection broke off.", { cause });
}
