import { describe, expect, test } from "vitest";
import { StopReason } from "../../src/core/stop-reason.ts";
import type { Ports } from "../../src/core/ports.ts";
import { applyRunToSchedule, runTick, type TickInput } from "../../src/core/tick.ts";
import type { ScheduleRunResult, Schedule } from "../../src/protocol/schedules/schedule.ts";
import { translateFailure } from "../../src/protocol/language/failure-messages.ts";
import {
  type call,
  counting,
  eventsOf,
  handoff,
  LIMITS,
  Memory,
  plan,
  play,
  saying,
  scriptedAgents,
  scriptedModel,
  task,
  type Script,
} from "../support/scripted.ts";

const recurring = (schedule_config: unknown, more: object = {}) => ({
  ...task("1", "w"),
  pattern: "recurring",
  schedule_config,
  ...more,
});
const DAILY = { daily_time: "09:00" };
const four = ["1", "2", "3", "4"].map((id) => recurring(DAILY, { id, title: id }));

function world(...planner: ReturnType<typeof call>[]) {
  const model = scriptedModel({ triage: [handoff({})], planner });
  return { model, agents: scriptedAgents({ w: saying("x") }) };
}

async function answered(message: string, answer: string, ...planner: ReturnType<typeof call>[]) {
  const it = world(...planner);
  const { memory } = await play(it, message, { turn: { request: { message, timezone: "Asia/Shanghai" } } });
  memory.settle(memory.open()[0]?.request_id ?? "", { state: "answered", answer: { message: answer } });
  const played = await play(it, message, { memory, turn: { request: { message, timezone: "Asia/Shanghai" } } });
  return { ...played, model: it.model };
}

describe("[F36] a stated schedule is confirmed first", () => {
  test("the question says in words, in the person's zone, when it will run", async () => {
    const request = { message: "每天早上9点给我一份报告", timezone: "Asia/Shanghai" };
    const played = await play(world(plan(recurring(DAILY))), request.message, { turn: { request } });
    const [asked] = eventsOf(played, "plan_require_user_input");
    expect(asked?.payload.content).toContain("每天 09:00（Asia/Shanghai）");
    expect(asked?.payload.content).toMatch(/1970年1月1日星期四 09:00（Asia\/Shanghai）/);
    expect(asked?.payload.options).toEqual(["确认", "取消"]);
    expect(played.events).not.toContain("plan_created");
  });

  test("yes sets it up without another model call", async () => {
    const played = await answered("every morning at 9 a report", "yes", plan(recurring(DAILY)));
    expect(played.end.status).toBe("completed");
    expect(played.model.requests).toHaveLength(2);
    const [created] = eventsOf(played, "plan_created");
    expect(created?.payload.plan.tasks[0]).toMatchObject({
      pattern: "recurring",
      schedule_config: { daily_time: "09:00", timezone: "Asia/Shanghai" },
    });
    expect([...played.memory.schedules.values()]).toMatchObject([
      { status: "active", next_run_at: 3_600_000, query: "do 1", failures: 0, catch_up: "once" },
    ]);
  });

  test("no sets up nothing; another word goes on with the planner, and the change is confirmed again", async () => {
    const refused = await answered("every morning at 9 a report", "no thanks", plan(recurring(DAILY)));
    expect(refused.events).not.toContain("plan_created");
    expect(refused.memory.schedules.size).toBe(0);
    expect(refused.end.status).toBe("completed");
    const changed = plan(recurring({ daily_time: "08:00" }));
    const other = await answered("every morning at 9 a report", "make it 8", plan(recurring(DAILY)), changed);
    expect(other.model.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: "tool", content: "make it 8" });
    expect(other.end.status).toBe("paused");
    expect(eventsOf(other, "plan_require_user_input").at(-1)?.payload.content).toContain("08:00");
  });

  test("a message that confirms it already is not asked about", async () => {
    const played = await play(world(plan(recurring(DAILY))), "every morning at 9 a report, yes I confirm");
    expect(played.end.status).toBe("completed");
    expect(played.memory.schedules.size).toBe(1);
  });
});

describe("what is proposed", () => {
  test.each([
    // Runs know the person's zone by it, and so does a later change to a time of day.
    ["every 5 minutes", { interval_minutes: 5, timezone: "Asia/Shanghai" }],
    ["*/5 * * * *", { cron: "*/5 * * * *", timezone: "Asia/Shanghai" }],
    ["daily at 09:00", { daily_time: "09:00", timezone: "Asia/Shanghai" }],
    ["每天早上9点", { daily_time: "09:00", timezone: "Asia/Shanghai" }],
  ])("[X8] %s is understood", async (text, config) => {
    const request = { message: "report, I confirm", timezone: "Asia/Shanghai" };
    const { memory } = await play(world(plan(recurring(text))), request.message, { turn: { request } });
    expect([...memory.schedules.values()][0]?.schedule_config).toEqual(config);
  });

  test.each([
    [{ daily_time: "09:00", interval_minutes: 5 }],
    [{ daily_time: "25:00" }],
    ["* * *"],
    [{ daily_time: "09:00", timezone: "Mars/Olympus" }],
    [{ interval_minutes: 0 }],
    [{ cron: "0 0 30 2 *" }],
  ])("%j is refused in words, and nothing is stored", async (config) => {
    const played = await play(world(plan(recurring(config))), "report, I confirm");
    expect(eventsOf(played, "plan_failed")[0]?.payload.content.length).toBeGreaterThan(20);
    expect(played.memory.schedules.size).toBe(0);
    expect(played.events).not.toContain("plan_created");
  });

  test("without a time it is done once", async () => {
    const played = await play(world(plan(recurring(null))), "report");
    expect(eventsOf(played, "plan_created")[0]?.payload.plan.tasks[0]?.pattern).toBe("once");
    expect(played.events).toContain("task_completed");
  });

  test("nothing can depend on it", async () => {
    const played = await play(world(plan(recurring(DAILY), task("2", "w", ["1"]))), "report, I confirm");
    expect(eventsOf(played, "plan_failed")[0]?.payload.content).toContain("recurs");
  });

  test("a person has no more schedules than allowed", async () => {
    const memory = new Memory();
    memory.mostSchedules = 0;
    const played = await play(world(plan(recurring(DAILY))), "report, I confirm", { memory });
    expect(eventsOf(played, "task_failed")[0]?.payload).toMatchObject({ code: "too_many_schedules" });
    expect(memory.schedules.size).toBe(0);

    const chinese = new Memory();
    chinese.mostSchedules = 0;
    const told = await play(world(plan(recurring(DAILY))), "请做报告，我确认", { memory: chinese });
    const content = "你已有 0 个定时任务，最多 0 个。请删除不再需要的。";
    expect(eventsOf(told, "task_failed")[0]?.payload).toEqual({ content, code: "too_many_schedules" });
  });

  test.each([1, 2, 3])("with room for %i of four that are set up at once, so many are", async (room) => {
    const memory = new Memory();
    memory.mostSchedules = room;
    const played = await play(world(plan(...four)), "reports, I confirm", { memory });
    expect(memory.schedules.size).toBe(room);
    const refused = eventsOf(played, "task_failed").map(({ payload }) => payload.code);
    expect(refused).toEqual(Array(4 - room).fill("too_many_schedules"));
  });

  test("[T4] a host that dies between two that are set up leaves as many as allowed", async () => {
    const it = world(plan(...four));
    const memory = new Memory();
    memory.mostSchedules = 2;
    const setUp = () => [...memory.schedules.keys()];
    const died = memory.step({ crashAfter: "schedule:task-m2" });
    await play(it, "reports, I confirm", { memory, step: died });
    expect(setUp()).toEqual(["task-m2"]);
    memory.restart();
    const again = await play(it, "reports, I confirm", { memory, step: memory.step({ isCatchingUp: true }) });
    expect(setUp()).toEqual(["task-m2", "task-m3"]);
    const retried = eventsOf(again, "task_retrying").map((data) => data.task_id);
    expect(retried, "it says nothing before it is set up").not.toContain("task-m3");
  });

  test("[T5] stopped while they are counted, it is cancelled and nothing else", async () => {
    const memory = new Memory();
    const stop = new AbortController();
    Object.defineProperty(memory, "mostSchedules", {
      get: () => {
        stop.abort(new StopReason("person", "You cancelled this task."));
        return 0;
      },
    });
    const turn = { taskSignal: () => stop.signal };
    const played = await play(world(plan(recurring(DAILY))), "report, I confirm", { memory, turn });
    expect(eventsOf(played, "task_cancelled")[0]?.payload.content).toBe("You cancelled this task.");
    expect(played.events).not.toContain("task_failed");
  });
});

describe("[F58] after a run", () => {
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

  test("a failure backs off, longer each time, and the third in a row pauses the schedule with the reason", () => {
    const once = applyRunToSchedule(schedule, run("failed"), 800_000, 3);
    expect(once).toMatchObject({ status: "active", failures: 1, last_run: { status: "failed", error: "It broke." } });
    expect(once.next_run_at).toBeGreaterThanOrEqual(800_000 + 300_000);
    const twice = applyRunToSchedule(once, run("failed"), 1_200_000, 3);
    expect(twice.next_run_at).toBeGreaterThanOrEqual(1_200_000 + 600_000);
    const thrice = applyRunToSchedule(twice, run("failed"), 2_000_000, 3);
    expect(thrice).toMatchObject({
      status: "paused",
      failures: 3,
      reason: expect.stringContaining("It broke.") as string,
    });
    expect(thrice.next_run_at).toBeUndefined();
  });

  test("a failure puts the next run off by a day at most, however many came before it", () => {
    for (const schedule_config of [DAILY, { interval_minutes: 5 }]) {
      let failing: Schedule = { ...schedule, schedule_config };
      for (let n = 0; n < 99; n += 1) failing = applyRunToSchedule(failing, run("failed"), 800_000, 100);
      expect(failing).toMatchObject({ status: "active", failures: 99 });
      expect(failing.next_run_at).toBeLessThanOrEqual(800_000 + 2 * 86_400_000);
    }
  });

  test("a run that goes well starts the count anew; one that was cancelled counts for nothing", () => {
    const failed = applyRunToSchedule(schedule, run("failed"), 800_000, 3);
    expect(applyRunToSchedule(failed, run("completed"), 900_000, 3)).toMatchObject({ failures: 0, status: "active" });
    expect(applyRunToSchedule(failed, run("cancelled"), 900_000, 3)).toMatchObject({ failures: 1, status: "active" });
    const paused: Schedule = { ...failed, status: "paused", reason: "It failed: It broke." };
    expect(applyRunToSchedule(paused, run("cancelled"), 900_000, 3)).toMatchObject({
      status: "paused",
      reason: paused.reason,
    });
    expect(applyRunToSchedule(paused, run("completed"), 900_000, 3)).not.toHaveProperty("reason");
  });

  test.each([
    ["clock", "This message used up its 900 seconds before it was done.", "failed", 1],
    ["host", "This message kept being interrupted and was given up. Please try again.", "failed", 1],
    ["person", "You cancelled this.", "cancelled", 0],
  ] as const)("[T6] one that the %s has stopped says so: %s", async (by, error, status, failures) => {
    const stop = new AbortController();
    const slow: Script = async function* () {
      stop.abort(new StopReason(by, error));
      yield { type: "text", text: "late" };
    };
    const memory = new Memory();
    const ports: Ports = {
      model: scriptedModel({}),
      agents: scriptedAgents({ w: slow }),
      now: () => 800_000,
      mint: counting(),
      translate: (words) => words,
      report: () => {},
      schedules: () => Promise.resolve({ used: 1, most: 10 }),
      step: memory.step(),
    };
    const turn: TickInput = {
      conversationId: "conv-1",
      threadId: "th-1",
      userId: "ada",
      request: { message: "q" },
      history: () => [],
      limits: LIMITS,
      getQuestionState: (id) => memory.standing(id),
      waitForChange: () => memory.settled(),
      signal: stop.signal,
      taskSignal: () => new AbortController().signal,
      tick: { schedule_id: "task-1", due_at: 700_000 },
      schedule: () => schedule,
    };
    expect(await runTick(ports, turn)).toMatchObject({ run: { status, error }, schedule: { failures } });

    const inChinese: Ports = {
      ...ports,
      step: new Memory().step(),
      translate: (words: string) => translateFailure("zh", words),
    };
    const told = await runTick(inChinese, { ...turn, limits: { ...LIMITS, maxFailures: 1 } });
    const reason = failures === 0 ? undefined : `运行失败：${translateFailure("zh", error)}`;
    expect("schedule" in told ? told.schedule?.reason : null).toBe(reason);
  });
});
