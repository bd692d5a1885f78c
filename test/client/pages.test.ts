// The events of a page as a client hears them.

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
const line = (event: object) => utf8.encode(`data: ${JSON.stringify(event)}\n\n`);

/** A server that streams the pieces and then does as it is told. Like those of browsers, the body is no iterable. */
function served(pieces: readonly Uint8Array[], end: "closes" | "breaks" | "waits") {
  const heard = { isGivenUp: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = pieces[sent++];
      if (next !== undefined) return controller.enqueue(next);
      if (end === "closes") controller.close();
      if (end === "breaks") controller.error(new TypeError("network error"));
      return end === "waits" ? new Promise<void>(() => {}) : undefined;
    },
    cancel() {
      heard.isGivenUp = true;
    },
  });
  let sent = 0;
  Object.defineProperty(body, Symbol.asyncIterator, { value: undefined });
  const api = createPagesApi({ url: "http://orrery.invalid", fetch: async () => new Response(body) });
  return { heard, api };
}

async function all(events: AsyncIterable<PageEvent>): Promise<PageEvent[]> {
  const found: PageEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

describe("the events of a page", () => {
  test("arrive whole however they are cut, without the comments between them", async () => {
    const bytes = [utf8.encode(": awake\n\n"), line(MESSAGE), utf8.encode(": awake\n\n"), line(COMPLETE)];
    const joined = Uint8Array.from(bytes.flatMap((part) => [...part]));
    const pieces = Array.from(joined, (byte) => Uint8Array.of(byte));
    expect(await all(served(pieces, "closes").api.generatePage({}))).toEqual([MESSAGE, COMPLETE]);
  });

  test.each(["breaks", "closes"] as const)(
    "end with a fault when the connection %s before the last of them",
    async (how) => {
      const broken = all(served([line(MESSAGE)], how).api.runPage("page-1"));
      await expect(broken).rejects.toMatchObject({ code: "unavailable" });
    },
  );

  test("of a page that is refused fail when they are read, and not before", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const refused = async () => new Response("{}", { status: 404 });
      const events = createPagesApi({ url: "http://orrery.invalid", fetch: refused }).runPage("page-1");
      await new Promise((resolve) => setTimeout(resolve, 20));
      await expect(events.next()).rejects.toMatchObject({ code: "not_found" });
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });

  test("are given up at once by who leaves, also while nothing comes", async () => {
    const { api, heard } = served([line(MESSAGE)], "waits");
    const events = api.generatePage({});
    expect((await events.next()).value).toEqual(MESSAGE);
    const waiting = events.next();
    await events.return();
    expect(heard.isGivenUp).toBe(true);
    expect((await waiting).done).toBe(true);
  });
});
