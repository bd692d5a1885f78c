// The stored profile of a person in the requests to agents.

import { expect, test } from "vitest";
import type { AgentRequest } from "../../src/protocol/agents/agent.ts";
import type { TurnRequest } from "../../src/core/models/answer-options.ts";
import { runTestTurn, type Script } from "../support/scripted-ports.ts";

const PROFILE = { name: "Ada", language: "en", timezone: "Europe/London", facts: { role: "teacher" } };

async function runWithProfile(request: Partial<TurnRequest>): Promise<AgentRequest["metadata"] | undefined> {
  const requests: AgentRequest[] = [];
  const w: Script = async function* (received) {
    requests.push(received);
    yield { type: "text", text: "done" };
  };
  const options = { profile: PROFILE, turn: { request: { message: "go", agent: "w", ...request } } };
  await runTestTurn({ model: {}, agents: { w } }, "go", options);
  return requests[0]?.metadata;
}

test("[F45] [F88] an agent receives the stored language, time zone and profile", async () => {
  const metadata = await runWithProfile({});
  expect(metadata).toMatchObject({ language: "en", timezone: "Europe/London", current_context: {} });
  expect(metadata?.user_profile).toEqual({ name: "Ada", role: "teacher" });
});

test("[F88] the values of a message win over the stored ones", async () => {
  const context = { user_profile: { role: "pupil", age: 9 }, place: "here" };
  const metadata = await runWithProfile({ language: "zh", timezone: "Asia/Shanghai", context });
  expect(metadata).toMatchObject({ language: "zh", timezone: "Asia/Shanghai", current_context: { place: "here" } });
  expect(metadata?.user_profile).toEqual({ name: "Ada", role: "pupil", age: 9 });
});
