// Agents in workerd, over real service bindings: the example Worker and a spy.

import { createTestHarness } from "wrangler";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";
import { textOf } from "./fixtures/local.ts";

const server = createTestHarness({
  workers: [
    { configPath: "test/agents/fixtures/caller/wrangler.toml" },
    { configPath: "examples/clock-worker/wrangler.toml" },
    { configPath: "examples/guestbook-worker/wrangler.toml" },
  ],
});
let base: URL;

beforeAll(async () => {
  base = (await server.listen()).url;
}, 30_000);
afterAll(async () => {
  await server.close();
});

type Asked = { readonly result: { readonly task: { readonly id: string } } };
type Heard = { readonly events: AgentEvent[]; readonly ms: number };

async function ask(body: Record<string, unknown>): Promise<Heard> {
  const response = await fetch(base, { method: "POST", body: JSON.stringify(body) });
  return (await response.json()) as Heard;
}

async function stopped(): Promise<number> {
  return (await (await fetch(new URL("/stopped", base))).json()) as number;
}

test("the example Worker answers over a service binding", async () => {
  const { events } = await ask({ agent: "clock", query: "What time is it in Tokyo and in Europe/Paris?" });
  expect(events.map(({ type }) => type).filter((type) => type !== "text")).toEqual([
    "accepted",
    "reasoning",
    "completed",
  ]);
  const [tokyo = "", paris = ""] = textOf(events).trim().split("\n");
  expect(tokyo).toMatch(/^Asia\/Tokyo: \w+day, \d+ \w+ \d{4} at \d\d:\d\d:\d\d$/);
  expect(paris).toMatch(/^Europe\/Paris: /);
});

describe("the example that asks before it acts", () => {
  const read = async () => textOf((await ask({ agent: "guestbook", query: "Read the guestbook" })).events);

  async function asked() {
    const sign = {
      agent: "guestbook",
      query: "Sign the guestbook with 'Greetings from Oslo'",
      task: crypto.randomUUID(),
    };
    const { events } = await ask(sign);
    const accepted = events.find((event) => event.type === "accepted");
    const question = events.at(-1);
    if (question?.type !== "input_required") throw new Error(JSON.stringify(events));
    const { state = "" } = question;
    const reply = { remote_task_id: accepted?.remote_task_id, state };
    return { question, goOn: (answer: object) => ask({ ...sign, reply: { ...reply, answer } }) };
  }

  test("is refused, approved and edited over a service binding", async () => {
    const first = await asked();
    expect(first.question.approval).toMatchObject({
      tool: "sign_guestbook",
      arguments: { text: "Greetings from Oslo" },
      parameters: { required: ["text"] },
    });
    const refused = await first.goOn({ message: "no", decision: "refuse" });
    expect(textOf(refused.events)).toBe("sign guestbook was not carried out: you refused it.");
    expect(await read()).toBe("The guestbook is empty.");

    const approved = await (await asked()).goOn({ message: "approve", decision: "approve" });
    expect(textOf(approved.events)).toBe("The guestbook now says: Greetings from Oslo");
    expect(await read()).toBe("Greetings from Oslo");

    const third = await asked();
    const wrong = await third.goOn({ message: "", decision: "approve", arguments: { text: " " } });
    expect(wrong.events.at(-1)).toMatchObject({ type: "input_required" });
    expect(await read()).toBe("Greetings from Oslo");
    const edited = await third.goOn({ message: "", arguments: { text: "Hello" } });
    expect(textOf(edited.events)).toBe("The guestbook now says: Hello");
    expect(await read()).toBe("Greetings from Oslo\nHello");
  });

  test("T4: an approved call whose attempt was interrupted and is repeated can tell", async () => {
    const { goOn } = await asked();
    const before = await read();
    for (const _ of [1, 2]) await goOn({ message: "", arguments: { text: "Once" } });
    expect(await read()).toBe(`${before}\nOnce`);
  });
});

test("a question that is called off wakes nobody whose request is over", async () => {
  const rpc = async (method: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return (await server.getWorker("orrery-guestbook").fetch("https://book.dev", { method: "POST", body })).json();
  };
  const parts = [{ text: "Sign the guestbook with 'Never mind'" }];
  const asked = (await rpc("SendMessage", { message: { messageId: "m", role: "ROLE_USER", parts } })) as Asked;
  const ended = (await rpc("CancelTask", { id: asked.result.task.id })) as object;
  expect([asked, ended]).toMatchObject([
    { result: { task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } } } },
    { result: { status: { state: "TASK_STATE_CANCELED" } } },
  ]);
  expect(JSON.stringify(server.getLogs())).not.toContain("different request context");
});

test("it is a public A2A agent too", async () => {
  const clock = server.getWorker("orrery-clock");
  const card = await (await clock.fetch("https://clock.dev/.well-known/agent-card.json")).json();
  expect(card).toMatchObject({
    name: "clock",
    supportedInterfaces: [{ url: "https://clock.dev/", protocolVersion: "1.0" }, { protocolVersion: "0.3" }],
  });
});

describe("in workerd", () => {
  test("a stream of many words arrives whole", async () => {
    const { events } = await ask({ agent: "spy", query: "5000" });
    expect(textOf(events)).toBe(Array.from({ length: 5000 }, (_, i) => `word${i} `).join(""));
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test.each(["leave", "abort"])("T5: to %s stops the agent on the other side", async (how) => {
    const before = await stopped();
    const { events, ms } = await ask({ agent: "spy", query: "wait", how });
    expect(events.map(({ type }) => type)).toEqual(
      how === "leave" ? ["accepted", "text"] : ["accepted", "text", "failed"],
    );
    expect(ms).toBeLessThan(1000);
    await vi.waitFor(async () => expect(await stopped()).toBe(before + 1), { timeout: 3000 });
  });

  test("A1: a silent agent ends within its deadline, and is stopped", async () => {
    const before = await stopped();
    const { events, ms } = await ask({ agent: "spy", query: "wait", seconds: "0.3" });
    expect(events.at(-1)).toMatchObject({ type: "failed", code: "agent_timeout" });
    expect(ms).toBeLessThan(1500);
    await vi.waitFor(async () => expect(await stopped()).toBe(before + 1), { timeout: 3000 });
  });

  test("T5: CancelTask from another request stops the generator", async () => {
    const before = await stopped();
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
    await vi.waitFor(async () => expect(await stopped()).toBe(before + 1), { timeout: 3000 });
  });
});
