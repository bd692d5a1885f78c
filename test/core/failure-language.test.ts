// What fails is told in the language of the message.

import { describe, expect, test } from "vitest";
import { ModelFault } from "../../src/core/ports.ts";
import { StopReason } from "../../src/core/stop-reason.ts";
import {
  call,
  eventsOf,
  handoff,
  LIMITS,
  plan,
  play,
  saying,
  scriptedAgents,
  scriptedModel,
  task,
  type Reply,
  type Script,
} from "../support/scripted.ts";

const ZH = "请把这件事做完";

function failing(reason: string): Script {
  return async function* () {
    yield { type: "failed", reason, code: "agent_failed" };
  };
}

function fault(): Reply {
  return new ModelFault("model_refused", "The quota of the model's account is used up.", { retryable: false });
}

async function told(
  message: string,
  script: Record<string, Reply[]>,
  turn: NonNullable<Parameters<typeof play>[2]>["turn"] = {},
) {
  const agents = scriptedAgents({
    away: failing("The agent could not be reached."),
    moody: failing("I do not feel like it."),
    ok: saying("fine"),
  });
  const request = { message, ...turn.request };
  return failuresIn(await play({ model: scriptedModel(script), agents }, message, { turn: { ...turn, request } }));
}

function failuresIn(played: Awaited<ReturnType<typeof play>>): string[] {
  return (["task_failed", "task_cancelled", "plan_failed", "system_failed"] as const).flatMap((name) =>
    eventsOf(played, name).map(({ payload }) => `${name}: ${payload.content}`),
  );
}

describe("[F119] a failure is told in the language of the message", () => {
  const planned = () => ({
    triage: [handoff({})],
    planner: [plan(task("1", "away"), task("2", "ok", ["1"]))],
    synthesis: [{ text: "Neither was done." }],
  });

  test("an agent that cannot be reached, and what depends on it", async () => {
    expect(await told(ZH, planned())).toEqual([
      "task_failed: 无法连接智能体。",
      "task_cancelled: 它依赖的“Task 1”失败了。",
    ]);
    expect(await told("Do the work", planned())).toEqual([
      "task_failed: The agent could not be reached.",
      "task_cancelled: “Task 1”, which this depends on, failed.",
    ]);
  });

  test("the call that should have reached it says the same, and so does what the summary is made of", async () => {
    const model = scriptedModel(planned());
    const agents = scriptedAgents({ away: failing("The agent could not be reached."), ok: saying("fine") });
    const played = await play({ model, agents }, ZH);
    const results = eventsOf(played, "tool_call_completed").map(({ payload }) => JSON.stringify(payload));
    expect(results.join()).toContain("ERROR: 无法连接智能体。");
    expect(JSON.stringify(model.requests.at(-1))).toContain("无法连接智能体。");
  });

  test("an agent's own words stay as it said them", async () => {
    const request = { message: ZH, agent: "moody" };
    expect(await told(ZH, {}, { request })).toEqual(["task_failed: I do not feel like it."]);
  });

  test("an agent that there is not", async () => {
    const request = { message: ZH, agent: "nobody" };
    expect(await told(ZH, {}, { request })).toEqual(["plan_failed: 没有名为 nobody 的智能体。"]);
  });

  test("a model that fails the triage, and one that fails the planner", async () => {
    expect(await told(ZH, { triage: [fault()] })).toEqual(["system_failed: 模型账户的额度已用完。"]);
    const script = { triage: [handoff({})], planner: [fault()] };
    expect(await told(ZH, script)).toEqual(["plan_failed: 模型账户的额度已用完。"]);
  });

  test("a planner that finds no way", async () => {
    const request = { message: ZH };
    const model = scriptedModel({
      triage: [handoff({})],
      planner: [call("create_plan", { tasks: [], adequate: false })],
    });
    const played = await play({ model, agents: scriptedAgents({ ok: saying("fine") }) }, ZH, { turn: { request } });
    const words = eventsOf(played, "message_chunk").map(({ payload }) => payload.content);
    expect(words).toEqual(["现有的智能体无法完成此事。"]);
  });

  test("[T6] a budget, and what is our own fault", async () => {
    const limits = { ...LIMITS, maxModelCalls: 0 };
    expect(await told(ZH, {}, { limits })).toEqual(["system_failed: 这条消息用完了 0 次模型调用，未能完成。"]);
    const broken = { triage: [new Error("secret")] };
    expect(await told(ZH, broken)).toEqual(["system_failed: 我们这边出了问题。请再试一次。"]);
  });

  test.each([
    ["person", "You cancelled this.", "你已取消。", 1],
    ["clock", "This message used up its 9 seconds before it was done.", "这条消息用完了 9 秒的时限，未能完成。", 2],
  ] as const)("[T5] [T6] a thread that the %s stops, and its task", async (by, english, chinese, times) => {
    const stop = new AbortController();
    const agents = scriptedAgents({
      async *w() {
        stop.abort(new StopReason(by, english));
        yield { type: "text", text: "late" };
      },
    });
    const turn = { request: { message: ZH, agent: "w" }, signal: stop.signal };
    const played = await play({ model: scriptedModel({}), agents }, ZH, { turn });
    const said = [`task_cancelled: ${chinese}`, `system_failed: ${chinese}`];
    expect(failuresIn(played)).toEqual(said.slice(0, times));
  });
});
