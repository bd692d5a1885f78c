// A workflow instance whose runtime is killed at random moments. The workflow has concurrent branches and two listeners
// of which only one can fire.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createApi, type ApiClient } from "../../../src/client/api.ts";
import type { WorkflowConfigInput } from "../../../src/protocol/workflows/workflow-template.ts";
import { startA2AAgent, type A2AAgent } from "../../support/a2a-agent.ts";
import { filterEvents, createApiUser, type ApiUser } from "../../support/api-user.ts";
import { findViolations } from "../../support/invariants.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { pickByLength } from "../../support/run-length.ts";

const ROUNDS = pickByLength(1, 16);
const KILLS = 2;

let agents: readonly A2AAgent[];
let runtime: Runtime;
let user: ApiUser;
let api: ApiClient;

async function* streamAnswer(query: string): AsyncGenerator<string> {
  yield `Begun ${query}. `;
  for (let i = 0; i < 6; i++) {
    await sleep(Math.random() * 40);
    yield `${i} `;
  }
}

const createListener = (id: string, trigger: string, condition: string, agent: string, target: string) => ({
  listener_id: id,
  trigger_task_id: trigger,
  trigger_condition: condition,
  agent_id: agent,
  action_prompt: `${id} for {001.context.guest}`,
  success_output: { task_id: target, status: "Done" },
});

const PLAN: WorkflowConfigInput = {
  plan_id: "branches",
  name: "Branches",
  description: "Does several things side by side.",
  tasks: ["001", "002", "003", "004", "005", "006", "007", "008"].map((task_id) => ({ task_id, name: `T${task_id}` })),
  listeners: [
    createListener("A", "001", "Running", "clerk", "002"),
    createListener("B", "001", "Running", "herald", "003"),
    createListener("C", "001", "Running", "clerk", "004"),
    createListener("D", "002,003", "Done", "herald", "005"),
    createListener("E", "002,004", "002.status == Done && 004.status == Done", "clerk", "006"),
    createListener("F", "003", "003.status == Done && 002.status != Done", "herald", "007"),
    createListener("G", "002", "002.status == Done && 003.status != Done", "clerk", "007"),
    {
      listener_id: "H",
      trigger_task_id: "005,006,007",
      trigger_condition: "Done",
      listener_type: "code",
      code_snippet: "({ tasks }) => ({ count: Object.keys(tasks).length })",
      success_output: { task_id: "008", status: "Done", context: { count: "{{result.count}}" } },
    },
    {
      listener_id: "I",
      trigger_task_id: "008",
      trigger_condition: "008.context.count == 8",
      listener_type: "code",
      success_output: { task_id: "001", status: "Done" },
    },
  ],
};

beforeAll(async () => {
  agents = await Promise.all([
    startA2AAgent("clerk", "1.0", streamAnswer),
    startA2AAgent("herald", "0.3", streamAnswer),
  ]);
  runtime = await startRuntime({ vars: { ALLOW_PRIVATE_AGENTS: "1" } });
  user = createApiUser(runtime.url);
  api = createApi({ url: runtime.url });
  for (const { url } of agents) expect((await user.request("POST", "/api/v1/agents", { url })).status).toBe(201);
  await api.createPlanTemplate({ ...PLAN, status: "released" });
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all(agents.map((agent) => agent.close()));
});

/** Returns the message ids of the requests to agents, by listener. */
function listMessageIds(guest: string): ReadonlyMap<string, readonly string[]> {
  const requests = agents.flatMap((agent) => agent.messages).filter(({ query }) => query.endsWith(` for ${guest}`));
  const byListener = Map.groupBy(requests, ({ query }) => query.charAt(0));
  return new Map([...byListener].map(([id, all]) => [id, all.map(({ messageId }) => messageId)]));
}

test("[T4] an instance ends after kills at random moments and repeats no finished action", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const guest = `Guest${round}`;
    const { plan_instance_id: id, conversation_id } = await api.startPlanInstance("branches", {
      context: { guest },
      verify: false,
    });
    const finalCounts = new Map<string, number>();
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(60 + Math.random() * 400);
      await runtime.kill();
      const countsBefore = listMessageIds(guest);
      await runtime.restart();
      for (const { listener_id, status } of (await api.planInstance(id)).listeners) {
        // A listener that ended before the kill, or just now, must not send another request.
        if (status !== "done" || finalCounts.has(listener_id)) continue;
        finalCounts.set(
          listener_id,
          Math.max(countsBefore.get(listener_id)?.length ?? 0, listMessageIds(guest).get(listener_id)?.length ?? 0),
        );
      }
    }
    await vi.waitFor(async () => expect((await api.planInstance(id)).status).toBe("done"), 30_000);
    const { listeners, tasks } = await api.planInstance(id);
    expect(tasks.every(({ status }) => status === "Done")).toBe(true);
    expect(listeners.filter(({ listener_id, status }) => "FG".includes(listener_id) && status === "done")).toHaveLength(
      1,
    );
    for (const { listener_id, listener_type, status, response } of listeners) {
      if (listener_type === "code") continue;
      const ids = listMessageIds(guest).get(listener_id) ?? [];
      expect(new Set(ids).size, listener_id).toBe(status === "done" ? 1 : 0);
      if (finalCounts.has(listener_id)) expect(ids, listener_id).toHaveLength(finalCounts.get(listener_id) ?? 0);
      if (status === "done") expect(response?.split("Begun"), listener_id).toHaveLength(2);
    }
    const log = await user.history(conversation_id);
    expect(findViolations(log)).toEqual([]);
    expect(filterEvents(log, "plan_created")).toHaveLength(1);
  }
}, 120_000);
