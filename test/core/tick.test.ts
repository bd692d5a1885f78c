import { scriptSchedules } from "../support/scripted-schedules.ts";
import { describe, expect, test } from "vitest";
import { StopReason } from "../../src/core/turn/stop-reason.ts";
import type { Ports } from "../../src/core/ports.ts";
import { applyRunToSchedule, runTick, type TickInput } from "../../src/core/schedules/tick.ts";
import type { ScheduleRunResult, Schedule } from "../../src/protocol/schedules/schedule.ts";
import { MAX_ROW_BYTES } from "../../src/lib/row-size.ts";
import { countBytes } from "../../src/lib/text-size.ts";
import { createMessage, formatMessage } from "../../src/language/messages.ts";
import {
  createFormatter,
  createIdFactory,
  LIMITS,
  Memory,
  scriptAgents,
  scriptModel,
  type Script,
} from "../support/scripted-ports.ts";

describe("[F58] schedule after a run", () => {
  const schedule: Schedule = {
    schedule_id: "task-1",
    conversation_id: "conv-1",
    user_id: "ada",
    title: "t",
    query: "q",
    agent_name: "w",
    schedule_config: { interval_minutes: 5 },
    catch_up: "once",
    status: "active",
    next_run_at: 1_000_000,
    failures: 0,
    created_at: 0,
    updated_at: 0,
  };
  const run = (status: ScheduleRunResult["status"]): ScheduleRunResult => ({
    run_id: "th-1",
    schedule_id: "task-1",
    due_at: 700_000,
    status,
    started_at: 700_000,
    ...(status === "failed" ? { error: "It broke." } : {}),
  });

  const at = (time: number) => ({ now: () => time, formatMessage: createFormatter("en") });

  /** Returns the ports and the input of a run whose agent follows the script. */
  const createTick = (script: Script, signal: AbortSignal): { ports: Ports; turn: TickInput } => {
    const memory = new Memory();
    const ports: Ports = {
      model: scriptModel({}),
      agents: scriptAgents({ w: script }),
      now: () => 800_000,
      mint: createIdFactory(),
      formatMessage: createFormatter("en"),
      profile: () => Promise.resolve({}),
      report: () => {},
      schedules: scriptSchedules(new Map(), 10),
      step: memory.createStepRunner(),
    };
    const turn: TickInput = {
      conversationId: "conv-1",
      threadId: "th-1",
      userId: "ada",
      request: { message: "q" },
      history: () => [],
      limits: LIMITS,
      getQuestionState: (id) => memory.getQuestionState(id),
      answers: () => memory.listAnswers(),
      findResultSeq: () => null,
      waitForChange: () => memory.waitForChange(),
      signal,
      taskSignal: () => new AbortController().signal,
      tick: { schedule_id: "task-1", due_at: 700_000 },
      schedule: () => schedule,
    };
    return { ports, turn };
  };

  test.each([
    ["completed", { status: "completed", last_run: { status: "completed" } }],
    ["cancelled", { status: "completed", last_run: { status: "cancelled" } }],
    ["failed", { status: "completed", last_run: { status: "failed" }, reason: "It broke." }],
  ] as const)("completes a schedule with a single run after the run that %s", (status, expected) => {
    const { next_run_at: _, ...rest } = schedule;
    const once = { ...rest, schedule_config: { run_at: "1970-01-01T00:11:40Z" } };
    expect(applyRunToSchedule(once, run(status), at(800_000), 3)).toMatchObject(expected);
    // A run now, before its time, leaves the single run to come.
    expect(applyRunToSchedule({ ...once, next_run_at: 900_000 }, run("completed"), at(800_000), 3)).toMatchObject({
      status: "active",
      next_run_at: 900_000,
    });
  });

  test("delays the next run longer after each failure and pauses after the third with the reason", () => {
    const once = applyRunToSchedule(schedule, run("failed"), at(800_000), 3);
    expect(once).toMatchObject({ status: "active", failures: 1, last_run: { status: "failed", error: "It broke." } });
    expect(once.next_run_at).toBeGreaterThanOrEqual(800_000 + 300_000);
    const twice = applyRunToSchedule(once, run("failed"), at(1_200_000), 3);
    expect(twice.next_run_at).toBeGreaterThanOrEqual(1_200_000 + 600_000);
    const thrice = applyRunToSchedule(twice, run("failed"), at(2_000_000), 3);
    expect(thrice).toMatchObject({
      status: "paused",
      failures: 3,
      reason: expect.stringContaining("It broke.") as string,
    });
    expect(thrice.next_run_at).toBeUndefined();
  });

  test("delays the next run by at most one day after any number of failures", () => {
    for (const schedule_config of [{ daily_time: "09:00" }, { interval_minutes: 5 }]) {
      let current: Schedule = { ...schedule, schedule_config };
      for (let n = 0; n < 99; n += 1) current = applyRunToSchedule(current, run("failed"), at(800_000), 100);
      expect(current).toMatchObject({ status: "active", failures: 99 });
      expect(current.next_run_at).toBeLessThanOrEqual(800_000 + 2 * 86_400_000);
    }
  });

  test("resets the failure count after a success and ignores a cancelled run", () => {
    const failed = applyRunToSchedule(schedule, run("failed"), at(800_000), 3);
    expect(applyRunToSchedule(failed, run("completed"), at(900_000), 3)).toMatchObject({
      failures: 0,
      status: "active",
    });
    expect(applyRunToSchedule(failed, run("cancelled"), at(900_000), 3)).toMatchObject({
      failures: 1,
      status: "active",
    });
    const paused: Schedule = { ...failed, status: "paused", reason: "It failed: It broke." };
    expect(applyRunToSchedule(paused, run("cancelled"), at(900_000), 3)).toMatchObject({
      status: "paused",
      reason: paused.reason,
    });
    expect(applyRunToSchedule(paused, run("completed"), at(900_000), 3)).not.toHaveProperty("reason");
  });

  test.each([
    ["clock", createMessage("turn.timeLimit", { seconds: 900 }), "failed", 1],
    ["expiry", createMessage("question.unanswered", { question: "Try again?" }), "failed", 1],
    ["person", createMessage("turn.cancelled"), "cancelled", 0],
  ] as const)("[T6] reports that the %s has stopped the run: %j", async (by, message, status, failures) => {
    const stop = new AbortController();
    const slow: Script = async function* () {
      stop.abort(new StopReason(by, message));
      yield { type: "text", text: "late" };
    };
    const { ports, turn } = createTick(slow, stop.signal);
    const error = formatMessage("en", message);
    expect(await runTick(ports, turn)).toMatchObject({ run: { status, error }, schedule: { failures } });

    const inChinese: Ports = {
      ...ports,
      step: new Memory().createStepRunner(),
      formatMessage: createFormatter("zh"),
    };
    const chineseResult = await runTick(inChinese, { ...turn, limits: { ...LIMITS, maxFailures: 1 } });
    const reason = failures === 0 ? undefined : `执行失败：${formatMessage("zh", message)}`;
    expect("schedule" in chineseResult ? chineseResult.schedule?.reason : null).toBe(reason);
  });

  test.each(["a", "字", '"'])(
    "[I43] the result of a run of 3 MB of %j is cut to fit a row and an event",
    async (unit) => {
      const speak: Script = async function* () {
        for (let i = 0; i < 3; i++) yield { type: "text", text: unit.repeat(2 ** 20) };
      };
      const { ports, turn } = createTick(speak, new AbortController().signal);
      const outcome = await runTick(ports, turn);
      if (outcome.status === "paused") expect.unreachable();
      expect(outcome.run?.result).toMatch(/\n\[The rest is left out because it is too long\.\]$/);
      for (const stored of [outcome.run, ...outcome.closing])
        expect(countBytes(JSON.stringify(stored))).toBeLessThan(0.9 * MAX_ROW_BYTES);
    },
  );
});
