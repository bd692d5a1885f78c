// What an agent takes back, and may say again.

import { StreamResponse } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import { createPeer } from "../../src/dispatch/peer.ts";
import { runOnPeer } from "../../src/dispatch/run-on-peer.ts";
import { A2ATranslator } from "../../src/dispatch/a2a-translator.ts";
import { getExchangeLimits } from "../../src/dispatch/exchange-watch.ts";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import { agentCardSchema, type AgentEvent } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { agentOf, collect, local, requestFor, textOf } from "../agents/fixtures/local.ts";

const AT = { taskId: "t", contextId: "c" };

function translate(...said: object[]): AgentEvent[] {
  return new A2ATranslator("c").translate(said.map((one) => StreamResponse.fromJSON(one)));
}

const working = (more: object) => ({ statusUpdate: { ...AT, status: { state: "TASK_STATE_WORKING", ...more } } });
const ours = (event: AgentEvent) => ({
  statusUpdate: { ...AT, status: { state: "TASK_STATE_WORKING" }, metadata: { [EVENTS_EXTENSION]: event } },
});
const begun = { task: { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } } };
const retracted = ours({ type: "retracted", reason: "It broke off." });
const data = (seats: number) => ({
  artifactUpdate: { ...AT, artifact: { artifactId: "a", parts: [{ data: { seats } }] }, append: false },
});
const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "looking" }] };

describe("what is taken back is told again when it comes again:", () => {
  test.each<[string, object, object]>([
    ["data", data(2), { type: "component", component_type: "data" }],
    ["a message", { message: { ...AT, ...message } }, { type: "text", text: "looking" }],
    ["progress", working({ message }), { type: "reasoning", text: "looking\n" }],
    [
      "progress without an id",
      working({ message: { ...message, messageId: "" } }),
      { type: "reasoning", text: "looking\n" },
    ],
  ])("%s", (_, said, told) => {
    const back = { type: "retracted" };
    expect(translate(begun, said, retracted, said)).toMatchObject([{ type: "accepted" }, told, back, told]);
    const kept = ours({ type: "checkpoint", state: "{}" });
    const [, ...events] = translate(begun, said, kept, retracted, said);
    expect(events, "it stays once there was a checkpoint").toMatchObject([told, { type: "checkpoint" }, back]);
  });
});

test("why something is taken back is said in a sentence", () => {
  const [, event] = translate(begun, ours({ type: "retracted", reason: "so ".repeat(1_000) }));
  expect(event?.type === "retracted" && event.reason.length).toBe(300);
});

const agent = agentOf(async function* () {
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
])("an agent of A2A %s, streaming: %s, takes back what it said since its checkpoint", async (version, streaming) => {
  const capabilities = { streaming, push_notifications: false };
  const known = { card: agentCardSchema.parse({ name: "x", capabilities }), hasExtension: true };
  const endpoint = { url: "https://agent.test/", protocolBinding: "JSONRPC", protocolVersion: version, tenant: "" };
  const peer = createPeer(local(agent), known, endpoint);
  const request = requestFor("go");
  const events = await collect(
    runOnPeer(peer, request, getExchangeLimits(parseSettings({})), new AbortController().signal),
  );
  const back = events.findIndex(({ type }) => type === "retracted");
  expect(back >= 0).toBe(streaming);
  const kept = events.findIndex(({ type }) => type === "checkpoint");
  expect(textOf(events.slice(0, kept + 1)) + textOf(events.slice(back + 1))).toBe("I note it. All is well.");
  expect(events.at(-1)).toEqual({ type: "completed" });
});
