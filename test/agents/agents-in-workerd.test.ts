// Agents in workerd, over real service bindings: the guestbook example and a test agent.

import { createTestHarness } from "wrangler";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";
import { joinTextEvents } from "./fixtures/local-agent.ts";

const server = createTestHarness({
  workers: [
    { configPath: "test/agents/fixtures/caller/wrangler.toml" },
    // The guide shows the binding of the caller to the clock.
    { configPath: "examples/clock-worker/wrangler.toml" },
    { configPath: "test/agents/fixtures/guestbook/wrangler.toml" },
    { configPath: "src/embedded/wrangler.toml" },
  ],
});
let base: URL;

beforeAll(async () => {
  base = (await server.listen()).url;
}, 30_000);
afterAll(async () => {
  await server.close();
});

type SendResult = { readonly result: { readonly task: { readonly id: string } } };
type CallerResult = { readonly events: AgentEvent[]; readonly ms: number };

async function askCaller(body: Record<string, unknown>): Promise<CallerResult> {
  const response = await fetch(base, { method: "POST", body: JSON.stringify(body) });
  return (await response.json()) as CallerResult;
}

async function countStopped(): Promise<number> {
  return (await (await fetch(new URL("/stopped", base))).json()) as number;
}

describe("the guestbook example", () => {
  const readGuestbook = async () =>
    joinTextEvents((await askCaller({ agent: "guestbook", query: "Read the guestbook" })).events);

  async function askToSign() {
    const sign = {
      agent: "guestbook",
      query: "Sign the guestbook with 'Greetings from Oslo'",
      task: crypto.randomUUID(),
    };
    const { events } = await askCaller(sign);
    const accepted = events.find((event) => event.type === "accepted");
    const question = events.at(-1);
    if (question?.type !== "input_required") throw new Error(JSON.stringify(events));
    const { state = "" } = question;
    const reply = { remote_task_id: accepted?.remote_task_id, state };
    return { question, continueWith: (answer: object) => askCaller({ ...sign, reply: { ...reply, answer } }) };
  }

  test("[T4] runs an approved call once although its attempt is repeated", async () => {
    const { continueWith: goOn } = await askToSign();
    for (const _ of [1, 2]) await goOn({ message: "", arguments: { text: "Once" } });
    expect(await readGuestbook()).toBe("Once");
  });
});

test("a cancelled question does not resume a request that has ended", async () => {
  const rpc = async (method: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return (await server.getWorker("orrery-guestbook").fetch("https://book.dev", { method: "POST", body })).json();
  };
  const parts = [{ text: "Sign the guestbook with 'Never mind'" }];
  const sent = (await rpc("SendMessage", { message: { messageId: "m", role: "ROLE_USER", parts } })) as SendResult;
  const cancelled = (await rpc("CancelTask", { id: sent.result.task.id })) as object;
  expect([sent, cancelled]).toMatchObject([
    { result: { task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } } } },
    { result: { status: { state: "TASK_STATE_CANCELED" } } },
  ]);
  expect(JSON.stringify(server.getLogs())).not.toContain("different request context");
});

describe("an agent in workerd", () => {
  test("delivers a stream of many words completely", async () => {
    const { events } = await askCaller({ agent: "spy", query: "5000" });
    expect(joinTextEvents(events)).toBe(Array.from({ length: 5000 }, (_, i) => `word${i} `).join(""));
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test.each(["leave", "abort"])("[T5] is stopped by the reader: %s", async (how) => {
    const before = await countStopped();
    const { events, ms } = await askCaller({ agent: "spy", query: "wait", how });
    expect(events.map(({ type }) => type)).toEqual(
      how === "leave" ? ["accepted", "text"] : ["accepted", "text", "failed"],
    );
    expect(ms).toBeLessThan(1000);
    await vi.waitFor(async () => expect(await countStopped()).toBe(before + 1), { timeout: 3000 });
  });

  test("[A1] is stopped at its deadline when it is silent", async () => {
    const before = await countStopped();
    const { events, ms } = await askCaller({ agent: "spy", query: "wait", seconds: "0.3" });
    expect(events.at(-1)).toMatchObject({ type: "failed", code: "agent_timeout" });
    expect(ms).toBeLessThan(1500);
    await vi.waitFor(async () => expect(await countStopped()).toBe(before + 1), { timeout: 3000 });
  });

  test("[T5] is stopped by CancelTask from another request", async () => {
    const before = await countStopped();
    const rpc = (method: string, params: unknown) =>
      fetch(new URL("/spy", base), { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) });
    const stream = await rpc("SendStreamingMessage", {
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "wait" }] },
    });
    const body: ReadableStream<Uint8Array> | null = stream.body;
    const pieces = (body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream()).getReader();
    const { value: first = "" } = await pieces.read();
    const { result } = JSON.parse(first.slice(6, first.indexOf("\n"))) as { result: { task: { id: string } } };
    const answer = await rpc("CancelTask", { id: result.task.id });
    expect(await answer.json()).toMatchObject({ result: { status: { state: "TASK_STATE_CANCELED" } } });
    let rest = "";
    for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) rest += piece.value;
    expect(rest).toContain("TASK_STATE_CANCELED");
    await vi.waitFor(async () => expect(await countStopped()).toBe(before + 1), { timeout: 3000 });
  });
});
