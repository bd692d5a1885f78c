// Output that an agent retracts and may send again.

import { StreamResponse } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import { createPeer } from "../../src/dispatch/peer.ts";
import { runOnPeer } from "../../src/dispatch/run-on-peer.ts";
import { A2ATranslator } from "../../src/dispatch/a2a-translator.ts";
import { getExchangeLimits } from "../../src/dispatch/exchange-watch.ts";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import { agentCardSchema, type AgentEvent } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import {
  createAgent,
  collect,
  createLocalAgent,
  createRequest,
  joinTextEvents,
} from "../agents/fixtures/local-agent.ts";

const AT = { taskId: "t", contextId: "c" };

function translate(...input: object[]): AgentEvent[] {
  return new A2ATranslator("c").translate(input.map((event) => StreamResponse.fromJSON(event)));
}

const working = (more: object) => ({ statusUpdate: { ...AT, status: { state: "TASK_STATE_WORKING", ...more } } });
const createExtensionEvent = (event: AgentEvent) => ({
  statusUpdate: { ...AT, status: { state: "TASK_STATE_WORKING" }, metadata: { [EVENTS_EXTENSION]: event } },
});
const taskStarted = { task: { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } } };
const retracted = createExtensionEvent({ type: "retracted", reason: "It broke off." });
const data = (seats: number) => ({
  artifactUpdate: { ...AT, artifact: { artifactId: "a", parts: [{ data: { seats } }] }, append: false },
});
const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "looking" }] };

describe("A2ATranslator retracted output", () => {
  test.each<[string, object, object]>([
    ["data", data(2), { type: "component", component_type: "data" }],
    ["a message", { message: { ...AT, ...message } }, { type: "text", text: "looking" }],
    ["progress", working({ message }), { type: "reasoning", text: "looking\n" }],
    [
      "progress without an id",
      working({ message: { ...message, messageId: "" } }),
      { type: "reasoning", text: "looking\n" },
    ],
  ])("is returned again when it is repeated: %s", (_, input, expected) => {
    const back = { type: "retracted" };
    expect(translate(taskStarted, input, retracted, input)).toMatchObject([
      { type: "accepted" },
      expected,
      back,
      expected,
    ]);
    const checkpoint = createExtensionEvent({ type: "checkpoint", state: "{}" });
    const [, ...events] = translate(taskStarted, input, checkpoint, retracted, input);
    expect(events, "it stays after a checkpoint").toMatchObject([expected, { type: "checkpoint" }, back]);
  });
});

test("A2ATranslator truncates the reason of a retraction", () => {
  const [, event] = translate(taskStarted, createExtensionEvent({ type: "retracted", reason: "so ".repeat(1_000) }));
  expect(event?.type === "retracted" && event.reason.length).toBe(300);
});

const agent = createAgent(async function* () {
  yield { type: "text", text: "I note it. " };
  yield { type: "checkpoint", state: "{}" };
  yield { type: "text", text: "All is w" };
  yield { type: "retracted", reason: "It broke off." };
  yield { type: "text", text: "All is well." };
});

test.each([
  ["1.0", true],
  ["1.0", false],
  ["0.3", true],
  ["0.3", false],
])("an agent of A2A %s, streaming: %s, retracts its output since the last checkpoint", async (version, streaming) => {
  const capabilities = { streaming, push_notifications: false };
  const peerInfo = { card: agentCardSchema.parse({ name: "x", capabilities }), hasExtension: true };
  const endpoint = { url: "https://agent.test/", protocolBinding: "JSONRPC", protocolVersion: version, tenant: "" };
  const peer = createPeer(createLocalAgent(agent), peerInfo, endpoint);
  const request = createRequest("go");
  const events = await collect(
    runOnPeer(peer, request, getExchangeLimits(parseSettings({})), new AbortController().signal),
  );
  const back = events.findIndex(({ type }) => type === "retracted");
  expect(back >= 0).toBe(streaming);
  const checkpoint = events.findIndex(({ type }) => type === "checkpoint");
  expect(joinTextEvents(events.slice(0, checkpoint + 1)) + joinTextEvents(events.slice(back + 1))).toBe(
    "I note it. All is well.",
  );
  expect(events.at(-1)).toEqual({ type: "completed" });
});
