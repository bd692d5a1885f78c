// Agents whose streams are sloppy but understandable.

import { expect, test } from "vitest";
import { joinTextEvents } from "../agents/fixtures/local-agent.ts";
import {
  writeJson,
  startAgent,
  runAgent,
  formatSse,
  stopAfterEach,
  createTask,
  createTextUpdate,
} from "./fixtures/remote-agent.ts";

stopAfterEach();

const STREAMS = { capabilities: { streaming: true } };
const formatStart = (id: number) =>
  formatSse(id, { task: createTask("WORKING") }) + formatSse(id, createTextUpdate("Hello", false));

function startStreamingAgent(body: (id: number) => string, type = "text/event-stream") {
  return startAgent(({ id }, response) => response.writeHead(200, { "content-type": type }).end(body(id)), STREAMS);
}

test("[I31] returns the text before invalid data in the same chunk", async () => {
  const agent = await startStreamingAgent((id) => `${formatStart(id)}data: nonsense\n\n`);
  const events = await runAgent(agent.url);
  expect(joinTextEvents(events)).toBe("Hello");
  expect(events.at(-1)).toMatchObject({ type: "failed", code: "agent_protocol" });
});

test("[I31] returns the text before an invalid extension event in the same chunk", async () => {
  const status = { state: "TASK_STATE_WORKING" };
  const metadata = { "urn:orrery:a2a:events:1": { type: "component" } };
  const broken = { statusUpdate: { taskId: createTask("WORKING").id, contextId: "", status, metadata } };
  const agent = await startStreamingAgent((id) => `${formatStart(id)}${formatSse(id, broken)}`);
  const events = await runAgent(agent.url);
  expect(joinTextEvents(events)).toBe("Hello");
  expect(events.at(-1)).toMatchObject({ type: "failed", code: "agent_protocol" });
});

test("[D2] ignores invalid data after the final event in the same chunk", async () => {
  const agent = await startStreamingAgent(
    (id) => `${formatStart(id)}${formatSse(id, { task: createTask("COMPLETED", "Hello") })}data: [DONE]\n\n`,
  );
  const events = await runAgent(agent.url);
  expect(joinTextEvents(events)).toBe("Hello");
  expect(events.at(-1)).toEqual({ type: "completed" });
});

test("ignores empty events that keep a stream open", async () => {
  const agent = await startStreamingAgent(
    (id) =>
      `data:\n\n${formatStart(id)}event: ping\ndata: \n\n${formatSse(id, { task: createTask("COMPLETED", "Hello") })}`,
  );
  const events = await runAgent(agent.url);
  expect(joinTextEvents(events)).toBe("Hello");
  expect(events.at(-1)).toEqual({ type: "completed" });
});

test("accepts an upper-case content type", async () => {
  const body = (id: number) => formatStart(id) + formatSse(id, { task: createTask("COMPLETED", "Hello") });
  const agent = await startStreamingAgent(body, "Text/Event-Stream; Charset=UTF-8");
  expect((await runAgent(agent.url)).at(-1)).toEqual({ type: "completed" });
});

test("accepts an upper-case content type in A2A 0.3", async () => {
  const old = { url: "/rpc", protocolVersion: "0.3.0", supportedInterfaces: undefined, ...STREAMS };
  const toolCompleted = { kind: "task", id: "t-1", contextId: "theirs", status: { state: "completed" } };
  const agent = await startAgent(
    ({ id }, response) =>
      response.writeHead(200, { "content-type": "Text/Event-Stream" }).end(formatSse(id, toolCompleted)),
    old,
  );
  expect((await runAgent(agent.url)).at(-1)).toEqual({ type: "completed" });
});

test.each([
  ["FAILED", { type: "failed", reason: "The agent failed without giving a reason." }],
  ["INPUT_REQUIRED", { type: "input_required", prompt: "The agent needs more information." }],
])("adds a default text to a blank final message: %s", async (state, expected) => {
  const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: " \n" }] };
  const end = { ...createTask(state), status: { state: `TASK_STATE_${state}`, message } };
  const agent = await startStreamingAgent((id) => formatStart(id) + formatSse(id, { task: end }));
  expect((await runAgent(agent.url)).at(-1)).toMatchObject(expected);
});

test.each<[string, (event: { readonly type: string }) => boolean]>([
  ["all", () => true],
  ["some", ({ type }) => type !== "reasoning"],
])(
  "[D1] returns each event once from an Orrery agent that ends its stream early and lists %s of its events",
  async (_name, isListed) => {
    const NAME = "urn:orrery:a2a:events:1";
    const call = { call_id: "c", tool: "look" };
    const usage = { type: "usage", usage: { model_calls: 1, input_tokens: 1, output_tokens: 1 } };
    const reasoning = { type: "reasoning", text: "Hm." };
    const toolStarted = { type: "tool_started", ...call };
    const toolCompleted = { type: "tool_completed", ...call, result: "seen" };
    const checkpoint = { type: "checkpoint", state: "{}" };
    const retraction = { type: "retracted", reason: "It broke off." };
    const status = { state: "TASK_STATE_WORKING" };
    const update = (event: object) => ({
      statusUpdate: { taskId: createTask("WORKING").id, contextId: "", status, metadata: { [NAME]: event } },
    });
    const streamed = [reasoning, usage, checkpoint, usage, reasoning, toolStarted, retraction];
    const lists = [
      [reasoning, usage, usage, toolStarted],
      [reasoning, usage, usage, toolStarted, toolCompleted],
      [reasoning, usage, usage, toolStarted, toolCompleted, usage],
    ];
    let polls = 0;
    const agent = await startAgent(
      ({ id, method }, response) => {
        if (method === "SendStreamingMessage") {
          const updates = streamed.map((event) => formatSse(id, update(event)));
          response.writeHead(200, { "content-type": "text/event-stream" }).end(formatStart(id) + updates.join(""));
          return;
        }
        const list = lists[polls]?.filter(isListed);
        polls += 1;
        writeJson(response, id, {
          ...createTask(polls < 3 ? "WORKING" : "COMPLETED", "Hello"),
          metadata: { [NAME]: list },
        });
      },
      { capabilities: { streaming: true, extensions: [{ uri: NAME }] } },
    );
    const events = await runAgent(agent.url);
    expect(events.filter(({ type }) => type !== "accepted" && type !== "text")).toEqual([
      ...streamed,
      toolStarted,
      toolCompleted,
      usage,
      { type: "completed" },
    ]);
  },
);
