import { TaskState } from "@a2a-js/sdk";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { isLegacyAgentCard } from "@a2a-js/sdk/compat/v0_3/client";
import { describe, expect, test, vi } from "vitest";
import type { AgentRunEvent } from "../../src/agents/kit/agent.ts";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import { agentOf, like, local, scripted } from "./fixtures/local.ts";
import { base, fetchOf, post, request, stateOf, streamed } from "./fixtures/wire.ts";

describe("card", () => {
  test("is served for both versions, with an ETag", async () => {
    const agent = local(scripted());
    const first = await agent.fetch(`${base}sub/.well-known/agent-card.json`);
    const card = (await first.json()) as Record<string, unknown>;
    expect(card).toMatchObject({ name: "echo", url: "https://agent.test/sub/", protocolVersion: "0.3.0" });
    expect(isLegacyAgentCard(card)).toBe(false);
    const etag = first.headers.get("etag") ?? "";
    const second = await agent.fetch(`${base}sub/.well-known/agent-card.json`, { headers: { "if-none-match": etag } });
    expect([second.status, await second.text()]).toEqual([304, ""]);
    expect((await agent.fetch(`${base}other`)).status).toBe(404);
    expect((await agent.fetch(base, { method: "PUT" })).status).toBe(405);
  });

  test("an SDK client finds its way by the card alone", async () => {
    const agent = local(scripted({ type: "text", text: "hello" }));
    const fetchImpl = fetchOf(agent);
    const cardResolver = new DefaultAgentCardResolver({ fetchImpl });
    const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })], cardResolver });
    const client = await factory.createFromUrl(base);
    const result = await client.sendMessage(request("hi"));
    expect(result).toMatchObject({ contextId: "c-1", status: { state: TaskState.TASK_STATE_COMPLETED } });
    expect("artifacts" in result && result.artifacts[0]?.parts[0]?.content).toEqual({ $case: "text", value: "hello" });
  });
});

describe("stream", () => {
  test("is valid A2A: a task, its artifact, status updates that carry our events, one final status", async () => {
    const events: AgentRunEvent[] = [
      { type: "reasoning", text: "hm" },
      { type: "tool_started", call_id: "c", tool: "t" },
      { type: "text", text: "one " },
      { type: "notification", text: "half way" },
      { type: "text", text: "two" },
    ];
    const seen = await streamed(local(scripted(...events)));
    expect(seen.map((event) => event.payload?.$case)).toEqual([
      "task",
      "statusUpdate",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
    ]);
    const ours = seen.flatMap(({ payload }) =>
      payload?.$case === "statusUpdate" ? [payload.value.metadata?.[EVENTS_EXTENSION] as unknown] : [],
    );
    expect(ours).toEqual([events[0], events[1], events[3], undefined]);
    const appends = seen.flatMap(({ payload }) => (payload?.$case === "artifactUpdate" ? [payload.value.append] : []));
    expect(appends).toEqual([false, true]);
    expect(stateOf(seen.at(-1))).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test("joins text that the agent says faster than it is read", async () => {
    const agent = local(
      agentOf(async function* () {
        for (let i = 0; i < 1000; i += 1) yield { type: "text", text: `${i} ` };
      }),
    );
    const seen = await streamed(agent);
    const texts = seen.flatMap(({ payload }) => {
      const content = payload?.$case === "artifactUpdate" ? payload.value.artifact?.parts[0]?.content : undefined;
      return content?.$case === "text" ? [content.value] : [];
    });
    expect(texts.join("")).toBe(Array.from({ length: 1000 }, (_, i) => `${i} `).join(""));
    expect(texts.length).toBeLessThan(500);
  });

  test("what the agent says at once travels as one piece", async () => {
    const agent = local(
      scripted(
        { type: "reasoning", text: "hm" },
        { type: "text", text: "a" },
        { type: "tool_started", call_id: "1", tool: "t" },
        { type: "text", text: "b" },
      ),
    );
    const reader = (await post(agent)).body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    const pieces: string[] = [];
    for (;;) {
      // Whoever speaks has had time for all of it.
      await new Promise((resolve) => setTimeout(resolve, 10));
      const { value } = await reader.read();
      if (value === undefined) break;
      pieces.push(new TextDecoder().decode(value));
    }
    expect(pieces.map((piece) => piece.split("data: ").length - 1)).toEqual([1, 5]);
  });

  test("an agent that talks without end is held back until it is read", async () => {
    let said = 0;
    const agent = local(
      agentOf(async function* () {
        for (;;) {
          said += 1;
          yield { type: "text", text: "x".repeat(1024) };
        }
      }),
    );
    const response = await post(agent);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(said).toBeLessThan(400);
    await response.body?.cancel();
  });

  test("what comes after the last word is not told", async () => {
    const agent = local(scripted({ type: "failed", reason: "no", code: "x" }, { type: "text", text: "late" }));
    const seen = await streamed(agent);
    expect(seen.map((event) => event.payload?.$case)).toEqual(["task", "statusUpdate"]);
    expect(stateOf(seen.at(-1))).toBe(TaskState.TASK_STATE_FAILED);
  });

  test("throwing is a neutral failure; the cause stays in the log", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const agent = local(
      agentOf(async function* () {
        yield { type: "text", text: "a" };
        throw new Error("secret");
      }),
    );
    const seen = JSON.stringify(await streamed(agent));
    expect(seen).toContain("The agent stopped unexpectedly.");
    expect(seen).not.toContain("secret");
    expect(JSON.stringify(logged.mock.calls[0]?.map(String))).toContain("secret");
    logged.mockRestore();
  });

  test("a question ends the stream as input-required", async () => {
    const seen = await streamed(local(scripted({ type: "input_required", prompt: "Which city?", options: ["Oslo"] })));
    expect(stateOf(seen.at(-1))).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  });
});

test("a client that asks for the extension is told that it has it", async () => {
  const headers = { "a2a-extensions": `urn:other, ${EVENTS_EXTENSION}` };
  const asked = await post(local(scripted()), headers);
  expect(asked.headers.get("a2a-extensions")).toBe(EVENTS_EXTENSION);
  await asked.body?.cancel();
  const plain = await post(local(scripted()));
  expect(plain.headers.get("a2a-extensions")).toBeNull();
  await plain.body?.cancel();
});

describe("request", () => {
  test("F45 F88: the agent sees query, context and the whole message; what a stranger garbles is left out", async () => {
    let heard: unknown;
    const agent = local(
      agentOf(async function* (asked, context) {
        heard = { asked, parts: context.message.parts.length };
        yield { type: "completed" };
      }),
    );
    await streamed(agent);
    expect(heard).toEqual({
      asked: {
        message_id: "m-1",
        task_id: like(/^task-/),
        conversation_id: "c-1",
        query: "go",
        metadata: { language: "zh-CN" },
      },
      parts: 1,
    });
  });
});
