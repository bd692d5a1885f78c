// RPC callers when a conversation has its maximum number of listeners.

import { exports } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { unwrapResult, type RpcResult } from "../../../src/durable/conversation-api.ts";
import { readFrames } from "../../support/read-frames.ts";
import type { OrreryApi } from "../../../src/http/api/rpc.ts";

const orrery = (exports as unknown as { Orrery: OrreryApi }).Orrery;
const MAX_LISTENERS = 256;

const unwrap = async <T>(result: Promise<RpcResult<T>>): Promise<T> => unwrapResult(await result);

async function listEvents(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const events: string[] = [];
  for await (const { event } of readFrames(stream)) events.push(event);
  return events;
}

test("an accepted message is not rejected for lack of a listener slot: its stream starts when one is free", async () => {
  const { conversation_id: id } = await unwrap(orrery.createConversation("crowded"));
  const listeners = await Promise.all(
    Array.from({ length: MAX_LISTENERS }, () => unwrap(orrery.follow("crowded", id))),
  );
  expect(await orrery.follow("crowded", id)).toMatchObject({ failure: { code: "too_many_requests" } });
  const stream = await unwrap(orrery.ask("crowded", id, { message: "what is 6 * 7?" }));
  const received = listEvents(stream);
  await vi.waitFor(async () => expect((await unwrap(orrery.events("crowded", id))).events.at(-1)?.event).toBe("done"));
  await Promise.all(listeners.map((listener) => listener.cancel()));
  const events = await received;
  expect([events[0], events.at(-1)]).toEqual(["thread_started", "done"]);
});
