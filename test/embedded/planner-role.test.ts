import { describe, expect, test } from "vitest";
import { scheduleConfigSchema } from "../../src/protocol/schedules/schedule-config.ts";
import { parsePieces } from "../../src/embedded/request-pieces.ts";
import { parseVerificationRequest } from "../../src/embedded/verification-request.ts";
import { getCpuMs } from "../support/cpu-time.ts";
import { stringWith, runPlanner, createToolSpec, type ChatMessageParam } from "./embedded-client.ts";

type PlannedTask = {
  id: string;
  title: string;
  query: string;
  agent_name: string;
  depends_on: string[];
  pattern: string;
  schedule_config?: unknown;
};
type CreatedPlan = { tasks: PlannedTask[]; adequate: boolean; reason: string; guidance_message?: string };

async function createPlan(text: string): Promise<CreatedPlan> {
  const { calls } = await runPlanner(text);
  expect(calls.map(({ name }) => name)).toEqual(["create_plan"]);
  return calls[0]?.arguments as CreatedPlan;
}

const listTasks = ({ tasks }: CreatedPlan) =>
  tasks.map(({ query, agent_name, depends_on }) => [query, agent_name, depends_on]);

describe("the split of a request into tasks", () => {
  test("[F91] creates two tasks in order, the second after the first", async () => {
    const plan = await createPlan("首先查询现在时间然后计算678乘以8776的结果");
    expect(plan.adequate).toBe(true);
    expect(listTasks(plan)).toEqual([
      ["查询现在时间", "chronos", []],
      ["计算678乘以8776的结果", "abacus", ["1"]],
    ]);
  });

  test.each([
    "onboard the employee name: Ann Lee, id: E-7, email: ann@x.com, department: Sales",
    "入职新员工：李雷，工号 E-77，邮箱 lilei@x.com，部门 销售部",
  ])("keeps named values with the work that they belong to: %s", (text) => {
    expect(parsePieces(text).map((piece) => piece.text)).toEqual([text]);
  });

  test("separates a calculation from a request to onboard somebody", () => {
    const pieces = parsePieces("what is 12*34, and onboard Max Wu, id E-101, max@x.com, department Legal");
    expect(pieces.map(({ text }) => text)).toEqual([
      "what is 12*34",
      "onboard Max Wu, id E-101, max@x.com, department Legal",
    ]);
  });

  test("omits impossible work together with its dependents only", async () => {
    const plan = await createPlan("讲个笑话，然后计算2+2");
    expect(listTasks(plan)).toEqual([["计算2+2", "abacus", []]]);
    expect(plan.guidance_message).toContain("讲个笑话");
  });

  test("[F91] creates three independent tasks", async () => {
    expect(listTasks(await createPlan("tell me the time, generate a random number and compute 123 plus 456"))).toEqual([
      ["tell me the time", "chronos", []],
      ["generate a random number", "fortuna", []],
      ["compute 123 plus 456", "abacus", []],
    ]);
  });

  test("makes a task that refers to an earlier result depend on it", async () => {
    expect(listTasks(await createPlan("计算3加4，生成一个随机数，再把结果乘以2"))).toEqual([
      ["计算3加4", "abacus", []],
      ["生成一个随机数", "fortuna", []],
      ["把结果乘以2", "abacus", ["2"]],
    ]);
  });

  test("assigns each piece to the agent that it names", async () => {
    expect(listTasks(await createPlan("ask tempest for the time, then let scribe compute 2*3"))).toEqual([
      ["the time", "tempest", []],
      ["compute 2*3", "scribe", ["1"]],
    ]);
  });

  test.each([
    ["Ask tempest to tell me the time and the scribe to compute 2*3", []],
    ["have tempest tell me the time, then the scribe agent compute 2*3", ["1"]],
    ["ask tempest to tell me the time and the scribe to compute 2*3 and ask abacus to roll a die", []],
  ])("assigns the text after each named agent to that agent: %s", async (text, after) => {
    expect(listTasks(await createPlan(text)).slice(0, 2)).toEqual([
      ["tell me the time", "tempest", []],
      ["compute 2*3", "scribe", after],
    ]);
  });

  test("separates the parts of two agents in a Chinese request", async () => {
    expect(listTasks(await createPlan("让tempest查询现在时间，scribe计算2乘以3"))).toEqual([
      ["查询现在时间", "tempest", []],
      ["计算2乘以3", "scribe", []],
    ]);
  });

  test("ignores the name of an agent inside quotes", async () => {
    const tasks = listTasks(await createPlan('ask scribe to uppercase "me and tempest count" and tell me the time'));
    expect(tasks).toEqual([
      ['uppercase "me and tempest count"', "scribe", []],
      ["tell me the time", "chronos", []],
    ]);
  });

  test("creates one task for each agent that is asked for the same work", async () => {
    expect(listTasks(await createPlan("every day at 9 ask tempest and scribe to tell me the time"))).toEqual([
      ["tell me the time", "tempest", []],
      ["tell me the time", "scribe", []],
    ]);
    const { tasks } = await createPlan("let tempest and scribe compute 2*3, then multiply the result by 2");
    expect(tasks.map(({ id, depends_on }) => [id, depends_on])).toEqual([
      ["1", []],
      ["1-2", []],
      ["2", ["1", "1-2"]],
    ]);
  });

  test.each([
    ["every day at 9 tell me the time and at 10 roll a die", ["tell me the time", "roll a die"], "10:00"],
    ["每天9点告诉我时间，晚上10点掷骰子", ["告诉我时间", "掷骰子"], "22:00"],
    ["每天9点告诉我时间，并计算三点五加二", ["告诉我时间", "计算三点五加二"], "09:00"],
  ])("gives a later part its own time of day: %s", async (text, queries, time) => {
    const { tasks } = await createPlan(text);
    expect(tasks.map(({ query }) => query)).toEqual(queries);
    const times = tasks.map(({ schedule_config: config }) => scheduleConfigSchema.parse(config).daily_time);
    expect(times).toEqual(["09:00", time]);
  });

  test("creates short titles", async () => {
    const long =
      "compute 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11, then 计算一加二加三加四加五加六加七加八加九加十加十一加十二";
    const { tasks } = await createPlan(long);
    expect(tasks).toHaveLength(2);
    expect(tasks[0]?.title.split(" ").length).toBeLessThanOrEqual(10);
    expect([...(tasks[1]?.title ?? "")].length).toBeLessThanOrEqual(20);
  });
});

describe("a request that cannot be planned", () => {
  test("[F20] yields no tasks and a message for the user when nothing fits", async () => {
    expect(await createPlan("写一首诗")).toMatchObject({
      tasks: [],
      adequate: false,
      guidance_message: stringWith("写一首诗"),
    });
  });

  test("yields the possible tasks and a message about the impossible part", async () => {
    const plan = await createPlan("tell me the time and write a poem");
    expect(listTasks(plan)).toEqual([["tell me the time", "chronos", []]]);
    expect(plan.guidance_message).toContain("Write a poem");
  });

  test("omits tasks that depend on an impossible part", async () => {
    const plan = await createPlan("write a poem, then count its words, and tell me the time");
    expect(listTasks(plan)).toEqual([["tell me the time", "chronos", []]]);
    expect(plan.guidance_message).toContain("Count its words");
  });
});

describe("[F37] the schedule of a plan", () => {
  test.each([
    ["every 5 minutes tell me the time", "tell me the time", { interval_minutes: 5 }],
    ["每5分钟告诉我时间", "告诉我时间", { interval_minutes: 5 }],
    ["every day at 9 tell me the time", "tell me the time", { daily_time: "09:00", timezone: "Asia/Shanghai" }],
    ["每天早上9点告诉我现在时间", "告诉我现在时间", { daily_time: "09:00", timezone: "Asia/Shanghai" }],
    ["weekdays at 18:30 roll a die", "roll a die", { cron: "30 18 * * 1-5", timezone: "Asia/Shanghai" }],
    ["cron */5 * * * * tell me the time", "tell me the time", { cron: "*/5 * * * *", timezone: "Asia/Shanghai" }],
    ["每天9点和18点告诉我时间", "告诉我时间", { cron: "0 9,18 * * *", timezone: "Asia/Shanghai" }],
    ["every day at 9 Tokyo time roll a die", "roll a die", { daily_time: "09:00", timezone: "Asia/Tokyo" }],
    ["every 5 minutes tell me the time, yes go ahead", "tell me the time", { interval_minutes: 5 }],
    ["OK: every 5 minutes tell me the time. Set it up now.", "tell me the time.", { interval_minutes: 5 }],
    ["每5分钟告诉我时间，确认", "告诉我时间", { interval_minutes: 5 }],
    ["确认，每5分钟告诉我时间", "告诉我时间", { interval_minutes: 5 }],
    ["每5分钟告诉我时间，好的，不用再问了", "告诉我时间", { interval_minutes: 5 }],
    [`every 5 minutes reverse "yes, go ahead", ok`, `reverse "yes, go ahead"`, { interval_minutes: 5 }],
  ])("is read from %s", async (text, query, config) => {
    const [task, ...others] = (await createPlan(text)).tasks;
    expect(others).toEqual([]);
    expect(task?.title).not.toMatch(/yes go|set it|确认|好的/i);
    expect(task).toMatchObject({ query, pattern: "recurring", schedule_config: config });
    expect(scheduleConfigSchema.parse(task?.schedule_config)).toEqual(config);
  });

  test.each([
    ["every day at 25:00 tell me the time", "25:00"],
    ["every 30 seconds tell me the time", "too often"],
    ["tell me the time daily at 9 Gotham time", "Gotham"],
    ["tell me the time every 5 minutes until 6pm", "no end"],
    ["每5分钟告诉我时间，直到下午6点", "结束时间"],
    ["cron 0 0 30 2 * tell me the time", "never occurs"],
    ["每天25点告诉我时间", "25点"],
    ["每30秒告诉我时间", "过于频繁"],
    ["每月最后一天9点告诉我时间", "月末"],
    ["cron * * * tell me the time", "five fields"],
    ["* * * tell me the time", "five fields"],
    ["* * * * * * tell me the time", "five fields"],
    ["cron 0 9 * * 告诉我时间", "五个字段"],
    ["every -5 minutes tell me the time", "too often"],
    ["每-5分钟告诉我时间", "过于频繁"],
  ])("[F54] is rejected with a reason: %s", async (text, words) => {
    expect(await createPlan(text)).toMatchObject({ tasks: [], adequate: false, guidance_message: stringWith(words) });
  });

  test.each([
    ["every 5 minutes tell me the time and every day at 9 roll a die", ["tell me the time", "roll a die"]],
    ["every 5 minutes compute 6 * 7, and every day at 9 tell me the time", ["compute 6 * 7", "tell me the time"]],
    ["每5分钟计算6*7，每天9点告诉我时间", ["计算6*7", "告诉我时间"]],
  ])("may differ between two tasks: %s", async (text, queries) => {
    const { tasks } = await createPlan(text);
    expect(tasks.map(({ query }) => query)).toEqual(queries);
    expect(tasks.map((task) => task.schedule_config)).toMatchObject([{ interval_minutes: 5 }, { daily_time: "09:00" }]);
  });

  test("is planned at once, since the confirmation is not the task of the model", async () => {
    const { calls } = await runPlanner("every 5 minutes tell me the time", [], [askUser]);
    expect(calls.map(({ name }) => name)).toEqual(["create_plan"]);
  });

  const askUser = createToolSpec("ask_user", "Asks the person.", { question: { type: "string" } });

  test("[F26] requires a time of day, asks for it and uses the answer", async () => {
    const first = await runPlanner("每天告诉我现在时间", [], [askUser]);
    const [call] = first.calls;
    expect(call).toMatchObject({ name: "ask_user", arguments: { question: stringWith("几点") } });
    const followUp: ChatMessageParam[] = [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: call?.id ?? "", type: "function", function: { name: "ask_user", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: call?.id ?? "", content: "晚上8点半" },
    ];
    const second = await runPlanner("每天告诉我现在时间", followUp, [askUser]);
    expect(second.calls[0]).toMatchObject({
      name: "create_plan",
      arguments: { tasks: [{ schedule_config: { daily_time: "20:30", timezone: "Asia/Shanghai" } }] },
    });
  });

  test.each([
    ["every day at 9 tell me the time", "make it 10", { daily_time: "10:00" }],
    ["every day at 9 tell me the time", "yes, but at 8:30pm", { daily_time: "20:30" }],
    ["every day at 9 tell me the time", "weekdays at 8:30 instead", { cron: "30 8 * * 1-5" }],
    ["every day at 9 tell me the time", "9 Tokyo time", { daily_time: "09:00", timezone: "Asia/Tokyo" }],
    ["weekdays at 18:30 roll a die", "no, 19:00", { cron: "0 19 * * 1-5" }],
    ["every 5 minutes tell me the time", "make it 10", { interval_minutes: 10 }],
    ["每天9点告诉我时间", "改成8点吧", { daily_time: "08:00" }],
    ["每天9点告诉我时间", "好，但是晚上8点半", { daily_time: "20:30" }],
    ["每天9点告诉我时间", "可以改成工作日8点吗", { cron: "0 8 * * 1-5" }],
    ["每5分钟告诉我时间", "不，每小时", { interval_minutes: 60 }],
    ["every day at 9 tell me the time", "what is 2+2?", { daily_time: "09:00" }],
    ["every day at 9 tell me the time", "at 25:00", { daily_time: "09:00" }],
  ])("[F36] for %s changes after the answer %s to the confirmation", async (text, answer, config) => {
    const first = await runPlanner(text);
    const followUp: ChatMessageParam[] = [
      {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "1",
            type: "function",
            function: { name: "create_plan", arguments: JSON.stringify(first.calls[0]?.arguments) },
          },
        ],
      },
      { role: "tool", tool_call_id: "1", content: answer },
    ];
    const { calls } = await runPlanner(text, followUp);
    expect(calls[0]).toMatchObject({ name: "create_plan", arguments: { tasks: [{ schedule_config: config }] } });
  });

  test("without a time is rejected with a reason when the planner cannot ask", async () => {
    expect(await createPlan("every day tell me the time")).toMatchObject({
      tasks: [],
      adequate: false,
      guidance_message: stringWith("what time"),
    });
  });
});

describe("the request to verify", () => {
  const planWithVerification = async (text: string) => (await createPlan(text)) as CreatedPlan & { verify?: boolean };

  test.each([
    ["compute 3*4 and verify it", "compute 3*4", "abacus"],
    ["compute 3*4, and double-check the result.", "compute 3*4", "abacus"],
    ["roll a die and then verify that it worked", "roll a die", "fortuna"],
    ["roll a die. Please check the result afterwards", "roll a die", "fortuna"],
    ["uppercase hello and verify", "uppercase hello", "scribe"],
    ["计算3乘以4，并验证结果", "计算3乘以4", "abacus"],
    ["计算3乘以4并核实", "计算3乘以4", "abacus"],
    ["掷骰子，完成后请验证一下", "掷骰子", "fortuna"],
    ["掷骰子，然后检查任务是否成功完成。", "掷骰子", "fortuna"],
  ])("is not a task of its own: %s", async (text, query, agent) => {
    const plan = await planWithVerification(text);
    expect(listTasks(plan)).toEqual([[query, agent, []]]);
    expect(plan).toMatchObject({ verify: true });
    expect(plan).not.toHaveProperty("guidance_message");
  });

  test("applies to several tasks", async () => {
    const plan = await planWithVerification("tell me the time, then compute 2*3, and verify everything");
    expect(listTasks(plan).map(([query]) => query)).toEqual(["tell me the time", "compute 2*3"]);
    expect(plan.verify).toBe(true);
  });

  test.each([
    "compute 3*4",
    "tell me the time and compute 2*3",
    "tell me the time and verify my email address",
    "compute 2*3 and check the time",
    'uppercase "sign up and verify it"',
    "查询现在时间，验证码是123456",
    "计算3乘以4，并核实张三的身份证号码",
    "把“做完后验证”反转",
  ])("is not detected in other words: %s", async (text) => {
    expect(await planWithVerification(text)).not.toHaveProperty("verify");
  });

  test("is found in a long text in less than 1 s", async () => {
    const started = getCpuMs();
    for (const part of [", and ", " and then", "，然后", "verify that it ", "验证结果"])
      parseVerificationRequest(part.repeat(10_000));
    expect(getCpuMs() - started).toBeLessThan(1_000);
  });
});
