// The events of a page as a client receives them.

import { describe, expect, test } from "vitest";
import { createPagesApi } from "../../src/client/pages.ts";
import type { PageEvent } from "../../src/protocol/pages/page.ts";

const utf8 = new TextEncoder();
const MESSAGE: PageEvent = { type: "MESSAGE", content: "数据" };
const COMPLETE: PageEvent = {
  type: "COMPLETE",
  message: "completed",
  progress: 100,
  result: { response: "", chatResponse: "", page: null },
};
const encodeEvent = (event: object) => utf8.encode(`data: ${JSON.stringify(event)}\n\n`);

/**
 * A server that streams the pieces and then closes, breaks or waits. As in some browsers, the body is not iterable.
 */
function serve(pieces: readonly Uint8Array[], end: "closes" | "breaks" | "waits") {
  const reader = { isCancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = pieces[sent++];
      if (next !== undefined) return controller.enqueue(next);
      if (end === "closes") controller.close();
      if (end === "breaks") controller.error(new TypeError("network error"));
      return end === "waits" ? new Promise<void>(() => {}) : undefined;
    },
    cancel() {
      reader.isCancelled = true;
    },
  });
  let sent = 0;
  Object.defineProperty(body, Symbol.asyncIterator, { value: undefined });
  const api = createPagesApi({ url: "http://orrery.invalid", fetch: async () => new Response(body) });
  return { reader, api };
}

async function collectAll(events: AsyncIterable<PageEvent>): Promise<PageEvent[]> {
  const found: PageEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

describe("the events of a page", () => {
  test("are complete with any chunk boundaries and without comments", async () => {
    const bytes = [utf8.encode(": awake\n\n"), encodeEvent(MESSAGE), utf8.encode(": awake\n\n"), encodeEvent(COMPLETE)];
    const joined = Uint8Array.from(bytes.flatMap((part) => [...part]));
    const pieces = Array.from(joined, (byte) => Uint8Array.of(byte));
    expect(await collectAll(serve(pieces, "closes").api.generatePage({}))).toEqual([MESSAGE, COMPLETE]);
  });

  test.each(["breaks", "closes"] as const)(
    "end with a fault when the connection %s before the last event",
    async (how) => {
      const eventsPromise = collectAll(serve([encodeEvent(MESSAGE)], how).api.runPage("page-1"));
      await expect(eventsPromise).rejects.toMatchObject({ code: "unavailable" });
    },
  );

  test("of a rejected request fail when they are read, not before", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const fetchNotFound = async () => new Response("{}", { status: 404 });
      const events = createPagesApi({ url: "http://orrery.invalid", fetch: fetchNotFound }).runPage("page-1");
      await new Promise((resolve) => setTimeout(resolve, 20));
      await expect(events.next()).rejects.toMatchObject({ code: "not_found" });
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });

  test("are cancelled at once by a reader who leaves, also while waiting", async () => {
    const { api, reader } = serve([encodeEvent(MESSAGE)], "waits");
    const events = api.generatePage({});
    expect((await events.next()).value).toEqual(MESSAGE);
    const waiting = events.next();
    await events.return();
    expect(reader.isCancelled).toBe(true);
    expect((await waiting).done).toBe(true);
  });
});
