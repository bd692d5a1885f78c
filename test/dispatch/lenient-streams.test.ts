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

const brokenEvent = {
  statusUpdate: {
    taskId: "t-1",
    contextId: "",
    status: { state: "TASK_STATE_WORKING" },
    metadata: { "urn:orrery:a2a:events:1": { type: "component" } },
  },
};
const formatEnd = (id: number) => formatSse(id, { task: createTask("COMPLETED", "Hello") });
const failed = { type: "failed", code: "agent_protocol" };
const completed = { type: "completed" };

test.each<[string, (id: number) => string, object, string?]>([
  ["[I31] text before invalid data in the same chunk", (id) => `${formatStart(id)}data: nonsense\n\n`, failed],
  [
    "[I31] text before an invalid extension event in the same chunk",
    (id) => formatStart(id) + formatSse(id, brokenEvent),
    failed,
  ],
  [
    "[D2] text before invalid data that follows the final event",
    (id) => `${formatStart(id)}${formatEnd(id)}data: [DONE]\n\n`,
    completed,
  ],
  [
    "text between empty events that keep a stream open",
    (id) => `data:\n\n${formatStart(id)}event: ping\ndata: \n\n${formatEnd(id)}`,
    completed,
  ],
  [
    "text with an upper-case content type",
    (id) => formatStart(id) + formatEnd(id),
    completed,
    "Text/Event-Stream; Charset=UTF-8",
  ],
])("returns %s", async (_, body, end, type) => {
  const events = await runAgent((await startStreamingAgent(body, type)).url);
  expect(joinTextEvents(events)).toBe("Hello");
  expect(events.at(-1)).toMatchObject(end);
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
