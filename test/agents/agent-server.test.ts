import { TaskState } from "@a2a-js/sdk";
import { isLegacyAgentCard } from "@a2a-js/sdk/compat/v0_3/client";
import { describe, expect, test, vi } from "vitest";
import type { AgentRunEvent } from "../../src/agents/kit/agent.ts";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import { createAgent, stringLike, createLocalAgent, createScriptedAgent } from "./fixtures/local-agent.ts";
import { AGENT_URL, postStreamRequest, getTaskState, collectStream } from "./fixtures/a2a-client.ts";

describe("the agent card", () => {
  test("is served for both versions, with an ETag", async () => {
    const agent = createLocalAgent(createScriptedAgent());
    const first = await agent.fetch(`${AGENT_URL}sub/.well-known/agent-card.json`);
    const card = (await first.json()) as Record<string, unknown>;
    expect(card).toMatchObject({ name: "echo", url: "https://agent.test/sub/", protocolVersion: "0.3.0" });
    expect(isLegacyAgentCard(card)).toBe(false);
    const etag = first.headers.get("etag") ?? "";
    const second = await agent.fetch(`${AGENT_URL}sub/.well-known/agent-card.json`, {
      headers: { "if-none-match": etag },
    });
    expect([second.status, await second.text()]).toEqual([304, ""]);
    expect((await agent.fetch(`${AGENT_URL}other`)).status).toBe(404);
    expect((await agent.fetch(AGENT_URL, { method: "PUT" })).status).toBe(405);
  });
});

describe("the A2A stream of an agent", () => {
  test("is valid: a task, its artifact, status updates with the events of the extension, one final status", async () => {
    const events: AgentRunEvent[] = [
      { type: "reasoning", text: "hm" },
      { type: "tool_started", call_id: "c", tool: "t" },
      { type: "text", text: "one " },
      { type: "notification", text: "half way" },
      { type: "text", text: "two" },
    ];
    const seen = await collectStream(createLocalAgent(createScriptedAgent(...events)));
    expect(seen.map((event) => event.payload?.$case)).toEqual([
      "task",
      "statusUpdate",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
    ]);
    const extensionEvents = seen.flatMap(({ payload }) =>
      payload?.$case === "statusUpdate" ? [payload.value.metadata?.[EVENTS_EXTENSION] as unknown] : [],
    );
    expect(extensionEvents).toEqual([events[0], events[1], events[3], undefined]);
    const appends = seen.flatMap(({ payload }) => (payload?.$case === "artifactUpdate" ? [payload.value.append] : []));
    expect(appends).toEqual([false, true]);
    expect(getTaskState(seen.at(-1))).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  test("sends the events of one moment in one chunk", async () => {
    const agent = createLocalAgent(
      createScriptedAgent(
        { type: "reasoning", text: "hm" },
        { type: "text", text: "a" },
        { type: "tool_started", call_id: "1", tool: "t" },
        { type: "text", text: "b" },
      ),
    );
    const reader = (await postStreamRequest(agent)).body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    const pieces: string[] = [];
    for (;;) {
      // Wait until the agent has had time to write everything.
      await new Promise((resolve) => setTimeout(resolve, 10));
      const { value } = await reader.read();
      if (value === undefined) break;
      pieces.push(new TextDecoder().decode(value));
    }
    expect(pieces.map((piece) => piece.split("data: ").length - 1)).toEqual([1, 5]);
  });

  test("applies backpressure to an agent that writes without end", async () => {
    let written = 0;
    const agent = createLocalAgent(
      createAgent(async function* () {
        for (;;) {
          written += 1;
          yield { type: "text", text: "x".repeat(1024) };
        }
      }),
    );
    const response = await postStreamRequest(agent);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(written).toBeLessThan(400);
    await response.body?.cancel();
  });

  test("ends with the final event and drops later ones", async () => {
    const agent = createLocalAgent(
      createScriptedAgent({ type: "failed", reason: "no", code: "x" }, { type: "text", text: "late" }),
    );
    const seen = await collectStream(agent);
    expect(seen.map((event) => event.payload?.$case)).toEqual(["task", "statusUpdate"]);
    expect(getTaskState(seen.at(-1))).toBe(TaskState.TASK_STATE_FAILED);
  });

  test("reports an exception as a neutral failure and logs its cause", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const agent = createLocalAgent(
      createAgent(async function* () {
        yield { type: "text", text: "a" };
        throw new Error("secret");
      }),
    );
    const seen = JSON.stringify(await collectStream(agent));
    expect(seen).toContain("The agent stopped unexpectedly.");
    expect(seen).not.toContain("secret");
    expect(JSON.stringify(logged.mock.calls[0]?.map(String))).toContain("secret");
    logged.mockRestore();
  });
});

test("a client that requests the extension receives its confirmation", async () => {
  const headers = { "a2a-extensions": `urn:other, ${EVENTS_EXTENSION}` };
  const withExtension = await postStreamRequest(createLocalAgent(createScriptedAgent()), headers);
  expect(withExtension.headers.get("a2a-extensions")).toBe(EVENTS_EXTENSION);
  await withExtension.body?.cancel();
  const plain = await postStreamRequest(createLocalAgent(createScriptedAgent()));
  expect(plain.headers.get("a2a-extensions")).toBeNull();
  await plain.body?.cancel();
});

describe("the request of an agent", () => {
  test("[F45] [F88] contains the query, the context and the message, without invalid metadata of the client", async () => {
    let seen: unknown;
    const agent = createLocalAgent(
      createAgent(async function* (request, context) {
        seen = { request, parts: context.message.parts.length };
        yield { type: "completed" };
      }),
    );
    await collectStream(agent);
    expect(seen).toEqual({
      request: {
        message_id: "m-1",
        task_id: stringLike(/^task-/),
        conversation_id: "c-1",
        query: "go",
        metadata: { language: "zh-CN" },
      },
      parts: 1,
    });
  });
});
