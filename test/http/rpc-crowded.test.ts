// Callers over a binding, where as many listen to a conversation as may.

import { exports } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { unwrapResult, type RpcResult } from "../../src/durable/conversation-api.ts";
import { readFrames } from "../../src/http/read-frames.ts";
import type { OrreryApi } from "../../src/http/rpc-api.ts";

const orrery = (exports as unknown as { Orrery: OrreryApi }).Orrery;
const MAX_LISTENERS = 256;

const got = async <T>(result: Promise<RpcResult<T>>): Promise<T> => unwrapResult(await result);

async function eventsIn(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const events: string[] = [];
  for await (const { event } of readFrames(stream)) events.push(event);
  return events;
}

test("a message that was accepted is not refused for want of a place: its stream begins once there is one", async () => {
  const { conversation_id: id } = await got(orrery.createConversation("crowded"));
  const listeners = await Promise.all(Array.from({ length: MAX_LISTENERS }, () => got(orrery.follow("crowded", id))));
  expect(await orrery.follow("crowded", id)).toMatchObject({ failure: { code: "too_many_requests" } });
  const stream = await got(orrery.ask("crowded", id, { message: "what is 6 * 7?" }));
  const heard = eventsIn(stream);
  await vi.waitFor(async () => expect((await got(orrery.events("crowded", id))).events.at(-1)?.event).toBe("done"));
  await Promise.all(listeners.map((listener) => listener.cancel()));
  const events = await heard;
  expect([events[0], events.at(-1)]).toEqual(["thread_started", "done"]);
});
