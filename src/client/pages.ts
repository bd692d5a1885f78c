// Client calls for analyses and their pages.
//
// A stream of page events owns its HTTP response. Leaving the loop, or `return`, cancels the request at once, also
// while a read is pending; the server then stops the work. The last event is `COMPLETE`. A stream that ends before it
// throws `unavailable`. Errors of the request itself are thrown at the first read.

import type { EndpointCalls } from "../protocol/api/endpoint.ts";
import { pageEndpoints, pageStreamEndpoints } from "../protocol/api/page-endpoints.ts";
import type { PageRequestInput } from "../protocol/pages/analysis-api.ts";
import { pageEventSchema, type PageEvent } from "../protocol/pages/page.ts";
import { SseParser } from "../lib/sse-parser.ts";
import { Fault } from "../protocol/wire/fault.ts";
import { buildPath, createEndpointCalls } from "./endpoint-calls.ts";
import { createHttpClient, type ApiOptions } from "./http-client.ts";

export type PagesClient = EndpointCalls<typeof pageEndpoints> & {
  /** Streams the events of making a page; the last one is `COMPLETE`. Leaving the loop stops the work. */
  generatePage(request: PageRequestInput): AsyncGenerator<PageEvent, void>;
  /** Makes the page again with current data and replaces it. Streams like `generatePage`. */
  runPage(id: string): AsyncGenerator<PageEvent, void>;
};

/** Creates the calls for pages, as `createEndpointCalls` does. Streams throw their errors at the first read. */
export function createPagesApi(options: ApiOptions): PagesClient {
  const { open } = createHttpClient(options);
  const { generatePage, runPage } = pageStreamEndpoints;
  return {
    ...createEndpointCalls(pageEndpoints, options),
    generatePage: (request) => streamPageEvents(open(generatePage.method, generatePage.path, request)),
    runPage: (id) => streamPageEvents(open(runPage.method, buildPath(runPage.path, [id]))),
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

/** Parses the events of a response. Throws `unavailable` if the stream ends before `COMPLETE`. */
async function* parsePageEvents(
  reading: Promise<ResponseReader | undefined>,
  cancelled: AbortSignal,
): AsyncGenerator<PageEvent, void> {
  const reader = await reading;
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  const parser = new SseParser();
  let isComplete = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done && !isComplete && !cancelled.aborted) throw createDisconnectedFault();
      if (done) return;
      for (const { data } of parser.feed(decoder.decode(value, { stream: true }))) {
        const event = pageEventSchema.parse(JSON.parse(data));
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
