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

test("D1: one of ours that ends its stream early is asked for its task, and nothing is heard twice", async () => {
  const NAME = "urn:orrery:a2a:events:1";
  const call = { call_id: "c", tool: "look" };
  const said = [
    { type: "reasoning", text: "Hm." },
    { type: "usage", usage: { model_calls: 1, input_tokens: 1, output_tokens: 1 } },
    { type: "tool_started", ...call },
    { type: "tool_completed", ...call, result: "seen" },
  ];
  const status = { state: "TASK_STATE_WORKING" };
  const update = (event: object) => ({
    statusUpdate: { taskId: taskIn("WORKING").id, contextId: "", status, metadata: { [NAME]: event } },
  });
  const back = { type: "retracted", reason: "It broke off." };
  const kept = { type: "checkpoint", state: "{}" };
  let looks = 0;
  const agent = await odd(
    ({ id, method }, response) => {
      if (method === "SendStreamingMessage") {
        const updates = [said[0], kept, said[1], said[0], back, said[2]].map((event) => sse(id, update(event ?? {})));
        response.writeHead(200, { "content-type": "text/event-stream" }).end(BEGIN(id) + updates.join(""));
        return;
      }
      looks += 1;
      const task = taskIn(looks < 3 ? "WORKING" : "COMPLETED", "Hello");
      json(response, id, { ...task, metadata: { [NAME]: said.slice(0, looks < 2 ? 3 : 4) } });
    },
    { capabilities: { streaming: true, extensions: [{ uri: NAME }] } },
  );
  const events = await run(agent.url);
  expect(looks).toBe(3);
  expect(events.filter(({ type }) => type !== "accepted" && type !== "text")).toEqual([
    said[0],
    kept,
    said[1],
    said[0],
    back,
    said[2],
    said[3],
    { type: "completed" },
  ]);
});
