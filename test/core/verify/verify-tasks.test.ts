import { scriptSchedules } from "../../support/scripted-schedules.ts";
import { expect, test } from "vitest";
import { Budget } from "../../../src/core/models/budget.ts";
import type { TurnContext } from "../../../src/core/turn/turn-context.ts";
import { verifyTasks } from "../../../src/core/verify/verify-tasks.ts";
import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import {
  createIdFactory,
  createFormatter,
  LIMITS,
  Memory,
  scriptAgents,
  scriptModel,
  type Script,
} from "../../support/scripted-ports.ts";

/** Creates the context of a thread with the single agent `hr`, and records its requests. */
async function createTurn(): Promise<{ context: TurnContext; requests: AgentRequest[] }> {
  const requests: AgentRequest[] = [];
  const hr: Script = async function* (request) {
    requests.push(request);
    const called = { call_id: "c", tool: "query_profile", arguments: "{}" };
    yield { type: "tool_started", ...called };
    const found = request.metadata.current_context?.["task_id"] === "002";
    yield { type: "tool_completed", ...called, result: JSON.stringify({ found }) };
  };
  const memory = new Memory();
  const agents = scriptAgents({ hr });
  const ports = {
    model: scriptModel({}),
    agents,
    now: () => 1_000,
    mint: createIdFactory("m"),
    formatMessage: createFormatter("zh"),
    profile: () => Promise.resolve({}),
    report: () => {},
    schedules: scriptSchedules(new Map(), 10),
    step: memory.createStepRunner(),
  };
  const signal = new AbortController().signal;
  const context: TurnContext = {
    conversationId: "conv-1",
    threadId: "th-1",
    userId: "local",
    request: { message: "入职办理" },
    history: () => [],
    limits: LIMITS,
    getQuestionState: (id) => memory.getQuestionState(id),
    answers: () => memory.listAnswers(),
    findResultSeq: () => null,
    waitForChange: () => memory.waitForChange(),
    signal,
    taskSignal: () => signal,
    ports,
    budget: new Budget(LIMITS),
    agents: await agents.list(),
  };
  return { context, requests };
}

const pairs = [
  { agent_name: "hr", task_id: "002", task_name: "新员工注册" },
  { agent_name: "hr", task_id: "008", task_name: "转正" },
  { agent_name: "gone", task_id: "009", task_name: "别的" },
];

test("[X23] verifyTasks() verifies every task of an agent in order and reports a missing agent as an exception", async () => {
  const { context, requests } = await createTurn();
  const { checklist, summary } = await verifyTasks(context, pairs, { name: "张威" });
  expect(checklist).toMatchObject([
    { agent_id: "hr", task_id: "002", verified: true, tools_used: ["query_profile"] },
    { agent_id: "hr", task_id: "008", verified: false },
    { agent_id: "gone", task_id: "009", verified: "exception" },
  ]);
  expect(summary).toMatchObject({ total_count: 3, verified_count: 1, failed_count: 1, exception_count: 1 });
  expect(requests.map(({ query }) => /“(.*?)”/.exec(query)?.[1])).toEqual(["新员工注册", "转正"]);
});

test("verifyTasks() does not let the subject override task, action or scope, nor be hidden by facts of the task", async () => {
  const { context, requests } = await createTurn();
  const subject = { task_id: "x", action: "create", scope: "write", name: "张威" };
  const [pair] = pairs.map((base) => ({ ...base, facts: { name: "somebody else", level: 3 } }));
  await verifyTasks(context, pair === undefined ? [] : [pair], subject);
  expect(requests[0]?.metadata.scope).toBe("read_only");
  expect(requests[0]?.metadata.current_context).toEqual({
    name: "张威",
    level: 3,
    scope: "write",
    task_id: "002",
    task_name: "新员工注册",
    action: "verify_task_completion",
  });
});
