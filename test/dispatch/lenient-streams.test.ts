// Agents that mean well and are careless about the stream around their events.

import { expect, test } from "vitest";
import { textOf } from "../agents/fixtures/local.ts";
import { json, odd, run, sse, stopAfterEach, taskIn, words } from "./fixtures/foreign.ts";

stopAfterEach();

const STREAMS = { capabilities: { streaming: true } };
const BEGIN = (id: number) => sse(id, { task: taskIn("WORKING") }) + sse(id, words("Hello", false));

function streaming(body: (id: number) => string, type = "text/event-stream") {
  return odd(({ id }, response) => response.writeHead(200, { "content-type": type }).end(body(id)), STREAMS);
}

test("[I31] what stands before nonsense is heard, though both arrive together", async () => {
  const agent = await streaming((id) => `${BEGIN(id)}data: nonsense\n\n`);
  const events = await run(agent.url);
  expect(textOf(events)).toBe("Hello");
  expect(events.at(-1)).toMatchObject({ type: "failed", code: "agent_protocol" });
});

test("[I31] what stands before an event of ours that cannot be read is heard, though both arrive together", async () => {
  const status = { state: "TASK_STATE_WORKING" };
  const metadata = { "urn:orrery:a2a:events:1": { type: "component" } };
  const broken = { statusUpdate: { taskId: taskIn("WORKING").id, contextId: "", status, metadata } };
  const agent = await streaming((id) => `${BEGIN(id)}${sse(id, broken)}`);
  const events = await run(agent.url);
  expect(textOf(events)).toBe("Hello");
  expect(events.at(-1)).toMatchObject({ type: "failed", code: "agent_protocol" });
});

test("D2: nonsense that arrives together with the last word before it changes nothing", async () => {
  const agent = await streaming(
    (id) => `${BEGIN(id)}${sse(id, { task: taskIn("COMPLETED", "Hello") })}data: [DONE]\n\n`,
  );
  const events = await run(agent.url);
  expect(textOf(events)).toBe("Hello");
  expect(events.at(-1)).toEqual({ type: "completed" });
});

test("a stream may keep itself open with events that hold nothing", async () => {
  const agent = await streaming(
    (id) => `data:\n\n${BEGIN(id)}event: ping\ndata: \n\n${sse(id, { task: taskIn("COMPLETED", "Hello") })}`,
  );
  const events = await run(agent.url);
  expect(textOf(events)).toBe("Hello");
  expect(events.at(-1)).toEqual({ type: "completed" });
});

test("a stream may write its type in capitals", async () => {
  const body = (id: number) => BEGIN(id) + sse(id, { task: taskIn("COMPLETED", "Hello") });
  const agent = await streaming(body, "Text/Event-Stream; Charset=UTF-8");
  expect((await run(agent.url)).at(-1)).toEqual({ type: "completed" });
});

test("and so may one of A2A 0.3", async () => {
  const old = { url: "/rpc", protocolVersion: "0.3.0", supportedInterfaces: undefined, ...STREAMS };
  const ended = { kind: "task", id: "t-1", contextId: "theirs", status: { state: "completed" } };
  const agent = await odd(
    ({ id }, response) => response.writeHead(200, { "content-type": "Text/Event-Stream" }).end(sse(id, ended)),
    old,
  );
  expect((await run(agent.url)).at(-1)).toEqual({ type: "completed" });
});

test.each([
  ["FAILED", { type: "failed", reason: "The agent failed and gave no reason." }],
  ["INPUT_REQUIRED", { type: "input_required", prompt: "The agent needs more information." }],
])("a last word of blanks is none: %s", async (state, expected) => {
  const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: " \n" }] };
  const end = { ...taskIn(state), status: { state: `TASK_STATE_${state}`, message } };
  const agent = await streaming((id) => BEGIN(id) + sse(id, { task: end }));
  expect((await run(agent.url)).at(-1)).toMatchObject(expected);
});

test.each<[string, (event: { readonly type: string }) => boolean]>([
  ["all", () => true],
  ["some", ({ type }) => type !== "reasoning"],
])("D1: one of ours that ends its stream early and lists %s of its events is heard once", async (_name, isListed) => {
  const NAME = "urn:orrery:a2a:events:1";
  const call = { call_id: "c", tool: "look" };
  const used = { type: "usage", usage: { model_calls: 1, input_tokens: 1, output_tokens: 1 } };
  const hm = { type: "reasoning", text: "Hm." };
  const begun = { type: "tool_started", ...call };
  const ended = { type: "tool_completed", ...call, result: "seen" };
  const kept = { type: "checkpoint", state: "{}" };
  const back = { type: "retracted", reason: "It broke off." };
  const status = { state: "TASK_STATE_WORKING" };
  const update = (event: object) => ({
    statusUpdate: { taskId: taskIn("WORKING").id, contextId: "", status, metadata: { [NAME]: event } },
  });
  const streamed = [hm, used, kept, used, hm, begun, back];
  const lists = [
    [hm, used, used, begun],
    [hm, used, used, begun, ended],
    [hm, used, used, begun, ended, used],
  ];
  let looks = 0;
  const agent = await odd(
    ({ id, method }, response) => {
      if (method === "SendStreamingMessage") {
        const updates = streamed.map((event) => sse(id, update(event)));
        response.writeHead(200, { "content-type": "text/event-stream" }).end(BEGIN(id) + updates.join(""));
        return;
      }
      const list = lists[looks]?.filter(isListed);
      looks += 1;
      json(response, id, { ...taskIn(looks < 3 ? "WORKING" : "COMPLETED", "Hello"), metadata: { [NAME]: list } });
    },
    { capabilities: { streaming: true, extensions: [{ uri: NAME }] } },
  );
  const events = await run(agent.url);
  expect(events.filter(({ type }) => type !== "accepted" && type !== "text")).toEqual([
    ...streamed,
    begun,
    ended,
    used,
    { type: "completed" },
  ]);
});
