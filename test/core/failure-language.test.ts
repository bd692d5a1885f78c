// Failure messages use the language of the user's message.

import { describe, expect, test } from "vitest";
import { createMessage, formatMessage } from "../../src/language/messages.ts";
import { StopReason } from "../../src/core/turn/stop-reason.ts";
import {
  call,
  getEvents,
  handoff,
  plan,
  runTestTurn,
  answerWith,
  scriptAgents,
  scriptModel,
  task,
  type ScriptedReply,
  type Script,
  LIMITS,
} from "../support/scripted-ports.ts";
import { Failure } from "../../src/protocol/wire/message-error.ts";

const ZH = "请把这件事做完";
/** The reason of a failed connection. The dispatcher formats it in the language of the request. */
const UNREACHABLE = "无法连接智能体。";

function createFailingAgent(reason: string): Script {
  return async function* () {
    yield { type: "failed", reason, code: "agent_failed" };
  };
}

function createModelFailure(): ScriptedReply {
  return new Failure("model_refused", createMessage("model.quotaExhausted"), { retryable: false });
}

async function runAndListFailures(
  message: string,
  script: Record<string, ScriptedReply[]>,
  turn: NonNullable<Parameters<typeof runTestTurn>[2]>["turn"] = {},
) {
  const agents = scriptAgents({
    away: createFailingAgent(UNREACHABLE),
    moody: createFailingAgent("I do not feel like it."),
    ok: answerWith("fine"),
  });
  const request = { message, ...turn.request };
  return listFailures(await runTestTurn({ model: script, agents }, message, { turn: { ...turn, request } }));
}

function listFailures(result: Awaited<ReturnType<typeof runTestTurn>>): string[] {
  return (["task_failed", "task_cancelled", "plan_failed", "system_failed"] as const).flatMap((name) =>
    getEvents(result, name).map(({ payload }) => `${name}: ${payload.content}`),
  );
}

describe("[F119] failure message in the language of the user's message", () => {
  const scriptPlan = () => ({
    triage: [handoff({})],
    planner: [plan(task("1", "away"), task("2", "ok", ["1"]))],
    synthesis: [{ text: "Neither was done." }],
  });

  test("reports an unreachable agent and the cancelled dependents", async () => {
    expect(await runAndListFailures(ZH, scriptPlan())).toEqual([
      "task_failed: 无法连接智能体。",
      "task_cancelled: 此任务依赖“Task 1”，而后者已失败。",
    ]);
    expect(await runAndListFailures("Do the work", scriptPlan())).toEqual([
      `task_failed: ${UNREACHABLE}`,
      "task_cancelled: This task depends on “Task 1”, which failed.",
    ]);
  });

  test("keeps the failure text of an agent unchanged", async () => {
    const request = { message: ZH, agent: "moody" };
    expect(await runAndListFailures(ZH, {}, { request })).toEqual(["task_failed: I do not feel like it."]);
  });

  test("reports an unknown agent", async () => {
    const request = { message: ZH, agent: "nobody" };
    expect(await runAndListFailures(ZH, {}, { request })).toEqual(["plan_failed: 没有名为 nobody 的智能体。"]);
  });

  test("reports a model failure during triage and during planning", async () => {
    expect(await runAndListFailures(ZH, { triage: [createModelFailure()] })).toEqual([
      "system_failed: 模型账户的额度已用完。",
    ]);
    const script = { triage: [handoff({})], planner: [createModelFailure()] };
    expect(await runAndListFailures(ZH, script)).toEqual(["plan_failed: 模型账户的额度已用完。"]);
  });

  test("reports that the planner found no way", async () => {
    const request = { message: ZH };
    const model = scriptModel({
      triage: [handoff({})],
      planner: [call("create_plan", { tasks: [], adequate: false })],
    });
    const result = await runTestTurn({ model, agents: { ok: answerWith("fine") } }, ZH, {
      turn: { request },
    });
    const words = getEvents(result, "message_chunk").map(({ payload }) => payload.content);
    expect(words).toEqual(["现有的智能体都无法完成此事。"]);
  });

  test("[T6] reports an exhausted budget and an internal error", async () => {
    const limits = { ...LIMITS, maxModelCalls: 0 };
    expect(await runAndListFailures(ZH, {}, { limits })).toEqual([
      "system_failed: 这条消息尚未处理完，就已用完 0 次模型调用的额度。",
    ]);
    const broken = { triage: [new Error("secret")] };
    expect(await runAndListFailures(ZH, broken)).toEqual([
      `system_failed: ${formatMessage("zh", createMessage("internal"))}`,
    ]);
  });

  test.each([
    ["person", createMessage("turn.cancelled"), "你已停止。", 1],
    ["clock", createMessage("turn.timeLimit", { seconds: 9 }), "这条消息尚未处理完，就已用完 9 秒的时限。", 2],
  ] as const)("[T5] [T6] reports a thread that the %s stops, and its task", async (by, message, chinese, times) => {
    const stop = new AbortController();
    const agents = scriptAgents({
      async *w() {
        stop.abort(new StopReason(by, message));
        yield { type: "text", text: "late" };
      },
    });
    const turn = { request: { message: ZH, agent: "w" }, signal: stop.signal };
    const result = await runTestTurn({ model: {}, agents }, ZH, { turn });
    const failures = [`task_cancelled: ${chinese}`, `system_failed: ${chinese}`];
    expect(listFailures(result)).toEqual(failures.slice(0, times));
  });
});
