import { describe, expect, test } from "vitest";
import { StopReason } from "../../src/core/turn/stop-reason.ts";
import {
  type call,
  getEvents,
  handoff,
  Memory,
  plan,
  runTestTurn,
  answerWith,
  scriptAgents,
  scriptModel,
  task,
} from "../support/scripted-ports.ts";

const createRecurringTask = (schedule_config: unknown, more: object = {}) => ({
  ...task("1", "w"),
  pattern: "recurring",
  schedule_config,
  ...more,
});
const DAILY = { daily_time: "09:00" };
const FOUR_TASKS = ["1", "2", "3", "4"].map((id) => createRecurringTask(DAILY, { id, title: id }));

function createDoubles(...planner: ReturnType<typeof call>[]) {
  const model = scriptModel({ triage: [handoff({})], planner });
  return { model, agents: scriptAgents({ w: answerWith("x") }) };
}

/** Runs a message whose planner proposes one recurring task, and proposes it again if it is refused. */
const runSchedule = (config: unknown, message: string, options: Parameters<typeof runTestTurn>[2] = {}) =>
  runTestTurn(createDoubles(...repeat(plan(createRecurringTask(config)))), message, options);
const repeat = (proposal: ReturnType<typeof call>) => [proposal, proposal];

async function runWithAnswer(message: string, answer: string, ...planner: ReturnType<typeof call>[]) {
  const doubles = createDoubles(...planner);
  const { memory } = await runTestTurn(doubles, message, { turn: { request: { message, timezone: "Asia/Shanghai" } } });
  memory.settleFirst(answer);
  const result = await runTestTurn(doubles, message, {
    memory,
    turn: { request: { message, timezone: "Asia/Shanghai" } },
  });
  return { ...result, model: doubles.model };
}

describe("[F36] confirmation of a requested schedule", () => {
  test("describes the next run in the user's time zone", async () => {
    const request = { message: "每天早上9点给我一份报告", timezone: "Asia/Shanghai" };
    const result = await runSchedule(DAILY, request.message, {
      turn: { request },
    });
    const [question] = getEvents(result, "plan_require_user_input");
    expect(question?.payload.content).toContain("每天 09:00（Asia/Shanghai）");
    expect(question?.payload.content).toMatch(/1970年1月1日星期四 09:00（Asia\/Shanghai）/);
    expect(question?.payload.options).toEqual(["确认", "取消"]);
    expect(result.events).not.toContain("plan_created");
  });

  test('creates the schedule after "yes" without another model call', async () => {
    const result = await runWithAnswer("every morning at 9 a report", "yes", plan(createRecurringTask(DAILY)));
    expect(result.end.status).toBe("completed");
    expect(result.model.requests).toHaveLength(2);
    const [created] = getEvents(result, "plan_created");
    expect(created?.payload.plan.tasks[0]).toMatchObject({
      pattern: "recurring",
      schedule_config: { daily_time: "09:00", timezone: "Asia/Shanghai" },
    });
    expect([...result.memory.schedules.values()]).toMatchObject([
      { status: "active", next_run_at: 3_600_000, query: "do 1", failures: 0, catch_up: "once" },
    ]);
  });

  test('creates nothing after "no", and passes any other answer to the planner and confirms the changed schedule', async () => {
    const refused = await runWithAnswer("every morning at 9 a report", "no thanks", plan(createRecurringTask(DAILY)));
    expect(refused.events).not.toContain("plan_created");
    expect(refused.memory.schedules.size).toBe(0);
    expect(refused.end.status).toBe("completed");
    const changed = plan(createRecurringTask({ daily_time: "08:00" }));
    const other = await runWithAnswer(
      "every morning at 9 a report",
      "make it 8",
      plan(createRecurringTask(DAILY)),
      changed,
    );
    expect(other.model.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: "tool", content: "make it 8" });
    expect(other.end.status).toBe("paused");
    expect(getEvents(other, "plan_require_user_input").at(-1)?.payload.content).toContain("08:00");
  });

  test("asks nothing if the message already confirms the schedule", async () => {
    const result = await runSchedule(DAILY, "every morning at 9 a report, yes I confirm");
    expect(result.end.status).toBe("completed");
    expect(result.memory.schedules.size).toBe(1);
  });
});

describe("proposed schedule", () => {
  test.each([
    // Runs and later changes to a time of day use this time zone.
    ["every 5 minutes", { interval_minutes: 5, timezone: "Asia/Shanghai" }],
    ["*/5 * * * *", { cron: "*/5 * * * *", timezone: "Asia/Shanghai" }],
    ["daily at 09:00", { daily_time: "09:00", timezone: "Asia/Shanghai" }],
    ["每天早上9点", { daily_time: "09:00", timezone: "Asia/Shanghai" }],
  ])("[X8] parses %s", async (text, config) => {
    const request = { message: "report, I confirm", timezone: "Asia/Shanghai" };
    const { memory } = await runSchedule(text, request.message, {
      turn: { request },
    });
    expect([...memory.schedules.values()][0]?.schedule_config).toEqual(config);
  });

  test.each([
    [{ daily_time: "09:00", interval_minutes: 5 }],
    [{ daily_time: "25:00" }],
    ["* * *"],
    [{ daily_time: "09:00", timezone: "Mars/Olympus" }],
    [{ interval_minutes: 0 }],
    [{ cron: "0 0 30 2 *" }],
  ])("rejects %j with a message and stores nothing", async (config) => {
    const result = await runSchedule(config, "report, I confirm");
    expect(getEvents(result, "plan_failed")[0]?.payload.content.length).toBeGreaterThan(20);
    expect(result.memory.schedules.size).toBe(0);
    expect(result.events).not.toContain("plan_created");
  });

  test("runs a task without a time once", async () => {
    const result = await runSchedule(null, "report");
    expect(getEvents(result, "plan_created")[0]?.payload.plan.tasks[0]?.pattern).toBe("once");
    expect(result.events).toContain("task_completed");
  });

  test("rejects a task that depends on a recurring task", async () => {
    const result = await runTestTurn(
      createDoubles(...repeat(plan(createRecurringTask(DAILY), task("2", "w", ["1"])))),
      "report, I confirm",
    );
    expect(getEvents(result, "plan_failed")[0]?.payload.content).toContain("recurs");
  });

  test("rejects a schedule above the limit of the user", async () => {
    const memory = new Memory();
    memory.maxSchedules = 0;
    const result = await runSchedule(DAILY, "请做报告，我确认", { memory });
    const content = "你已有 0 个定时任务，最多 0 个。请删除不再需要的定时任务。";
    expect(getEvents(result, "task_failed")[0]?.payload).toEqual({ content, code: "too_many_schedules" });
    expect(memory.schedules.size).toBe(0);
  });

  test.each([1, 2, 3])("creates %i of four schedules if the limit leaves room for only that many", async (room) => {
    const memory = new Memory();
    memory.maxSchedules = room;
    const result = await runTestTurn(createDoubles(plan(...FOUR_TASKS)), "reports, I confirm", { memory });
    expect(memory.schedules.size).toBe(room);
    const refused = getEvents(result, "task_failed").map(({ payload }) => payload.code);
    expect(refused).toEqual(Array(4 - room).fill("too_many_schedules"));
  });

  test("[T4] respects the schedule limit if the host crashes between two of them", async () => {
    const doubles = createDoubles(plan(...FOUR_TASKS));
    const memory = new Memory();
    memory.maxSchedules = 2;
    const listScheduleIds = () => [...memory.schedules.keys()];
    const crashingStep = memory.createStepRunner({ crashAfter: "schedule:task-m2" });
    await runTestTurn(doubles, "reports, I confirm", { memory, step: crashingStep });
    expect(listScheduleIds()).toEqual(["task-m2"]);
    memory.restart();
    const resumed = await runTestTurn(doubles, "reports, I confirm", {
      memory,
      step: memory.createStepRunner({ isCatchingUp: true }),
    });
    expect(listScheduleIds()).toEqual(["task-m2", "task-m3"]);
    const retried = getEvents(resumed, "task_retrying").map((data) => data.task_id);
    expect(retried, "no output before the schedule is created").not.toContain("task-m3");
  });

  test("[T5] cancels a task that is stopped while the schedules are counted, without task_failed", async () => {
    const memory = new Memory();
    const stop = new AbortController();
    Object.defineProperty(memory, "maxSchedules", {
      get: () => {
        stop.abort(new StopReason("person", "You stopped this task."));
        return 0;
      },
    });
    const turn = { taskSignal: () => stop.signal };
    const result = await runSchedule(DAILY, "report, I confirm", {
      memory,
      turn,
    });
    expect(getEvents(result, "task_cancelled")[0]?.payload.content).toBe("You stopped this task.");
    expect(result.events).not.toContain("task_failed");
  });
});
