import { expect, test } from "vitest";
import { Budget } from "../../../src/core/budget.ts";
import type { TurnContext } from "../../../src/core/turn-context.ts";
import { verifyTasks } from "../../../src/core/verify/verify-tasks.ts";
import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import { counting, LIMITS, Memory, scriptedAgents, scriptedModel, type Script } from "../../support/scripted.ts";

/** A thread in which `hr` is the only agent, and what it is asked. */
async function scene(): Promise<{ scene: TurnContext; heard: AgentRequest[] }> {
  const heard: AgentRequest[] = [];
  const hr: Script = async function* (request) {
    heard.push(request);
    const called = { call_id: "c", tool: "query_profile", arguments: "{}" };
    yield { type: "tool_started", ...called };
    const found = request.metadata.current_context?.["task_id"] === "002";
    yield { type: "tool_completed", ...called, result: JSON.stringify({ found }) };
  };
  const memory = new Memory();
  const agents = scriptedAgents({ hr });
  const ports = {
    model: scriptedModel({}),
    agents,
    now: () => 1_000,
    mint: counting("m"),
    translate: (words: string) => words,
    report: () => {},
    schedules: () => Promise.resolve({ used: 0, most: 10 }),
    step: memory.step(),
  };
  const signal = new AbortController().signal;
  const made: TurnContext = {
    conversationId: "conv-1",
    threadId: "th-1",
    userId: "local",
    request: { message: "入职办理" },
    history: () => [],
    limits: LIMITS,
    getQuestionState: (id) => memory.standing(id),
    waitForChange: () => memory.settled(),
    signal,
    taskSignal: () => signal,
    ports,
    budget: new Budget(LIMITS),
    agents: await agents.list(),
  };
  return { scene: made, heard };
}

const pairs = [
  { agent_name: "hr", task_id: "002", task_name: "新员工注册" },
  { agent_name: "hr", task_id: "008", task_name: "转正" },
  { agent_name: "gone", task_id: "009", task_name: "别的" },
];

test("[X23] every task of an agent is verified, in the order of the pairs; an agent that is gone is an exception", async () => {
  const { scene: made, heard } = await scene();
  const { checklist, summary } = await verifyTasks(made, pairs, { name: "张威" });
  expect(checklist).toMatchObject([
    { agent_id: "hr", task_id: "002", verified: true, tools_used: ["query_profile"] },
    { agent_id: "hr", task_id: "008", verified: false },
    { agent_id: "gone", task_id: "009", verified: "exception" },
  ]);
  expect(summary).toMatchObject({ total_count: 3, verified_count: 1, failed_count: 1, exception_count: 1 });
  expect(heard.map(({ query }) => /“(.*?)”/.exec(query)?.[1])).toEqual(["新员工注册", "转正"]);
});

test("a subject cannot pose as another task, action or scope, nor hide behind what is known of the task", async () => {
  const { scene: made, heard } = await scene();
  const subject = { task_id: "x", action: "create", scope: "write", name: "张威" };
  const [pair] = pairs.map((one) => ({ ...one, facts: { name: "somebody else", level: 3 } }));
  await verifyTasks(made, pair === undefined ? [] : [pair], subject);
  expect(heard[0]?.metadata.scope).toBe("read_only");
  expect(heard[0]?.metadata.current_context).toEqual({
    name: "张威",
    level: 3,
    scope: "write",
    task_id: "002",
    task_name: "新员工注册",
    action: "verify_task_completion",
  });
});

test("nothing to verify is nothing that failed", async () => {
  const { scene: made } = await scene();
  expect(await verifyTasks(made, [], {})).toMatchObject({
    checklist: [],
    summary: { overall_status: "passed", total_count: 0 },
    verification_completed: true,
  });
});
