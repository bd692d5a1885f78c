// Schedules in words, over HTTP with the embedded model: listed, changed, paused, resumed and ended.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import {
  SCHEDULE_CONTROLLER_COMPONENT,
  type Schedule,
  type ScheduleController,
  type ScheduleList,
} from "../../src/protocol/schedules/schedule.ts";
import { createApiUser, filterEvents, joinText, type ApiUser } from "../support/api-user.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let runtime: Runtime;
let user: ApiUser;

beforeAll(async () => {
  runtime = await startRuntime();
  user = createApiUser(runtime.url);
});
afterAll(() => runtime.stop());

const listSchedules = async (conversation: string): Promise<Schedule[]> =>
  (await user.get<ScheduleList>("/api/v1/schedules")).schedules.filter(
    (schedule) => schedule.conversation_id === conversation,
  );

const listControllers = (frames: readonly Frame[]): ScheduleController[] =>
  filterEvents(frames, "component_generator")
    .filter(({ payload }) => payload.component_type === SCHEDULE_CONTROLLER_COMPONENT)
    .map(({ payload }) => JSON.parse(payload.content) as ScheduleController);

/** Opens a conversation with schedules, and returns a function that sends further messages to it. */
async function openConversation(...requests: readonly string[]) {
  const options = { timezone: "Asia/Shanghai" };
  const [first = "", ...others] = requests;
  const { conversationId: conversation } = await user.sendAndWait(first, options);
  const say = async (message: string) =>
    joinText((await user.sendAndWait(message, { ...options, conversation })).frames);
  for (const request of others) await say(request);
  await vi.waitFor(async () => expect(await listSchedules(conversation)).toHaveLength(requests.length), 20_000);
  return { conversation, say };
}

describe.each([
  {
    language: "English",
    create: "Every day at 9 tell me the time. Yes, confirmed.",
    show: ["what is scheduled?", "Tell me the time”, every day at 09:00"],
    change: ["change it to 9:45", "every day at 09:45"],
    pause: ["pause the daily one please", "Paused"],
    resume: ["resume the scheduled task", "Next run"],
    end: ["stop telling me the time every day", "Ended"],
    none: ["what is scheduled?", "Nothing is scheduled."],
    note: "The schedule was deleted.",
  },
  {
    language: "Chinese",
    create: "每天9点告诉我现在时间。好的，确认。",
    show: ["有哪些定时任务？", "告诉我现在时间”，每天 09:00"],
    change: ["改成9点45", "每天 09:45"],
    pause: ["暂停每天的时间", "已暂停"],
    resume: ["恢复定时任务", "下次执行"],
    end: ["取消每天的时间", "已结束"],
    none: ["有哪些定时任务", "目前没有定时任务"],
    note: "定时任务已删除。",
  },
] as const)("a schedule in $language", ({ create, show, change, pause, resume, end, none, note }) => {
  test("is shown, changed, paused, resumed and ended in words; no sentence makes another", async () => {
    const { conversation, say } = await openConversation(create);
    for (const [message, expected] of [show, change, pause, resume, end, none])
      expect(await say(message)).toContain(expected);
    const frames = await user.history(conversation);
    expect(filterEvents(frames, "plan_created")).toHaveLength(1);
    expect(filterEvents(frames, "plan_require_user_input")).toEqual([]);
    const controllers = listControllers(frames);
    expect(controllers.map(({ task_status, schedule_status }) => [task_status, schedule_status])).toEqual([
      ["scheduled", "active"],
      ["scheduled", "active"],
      ["scheduled", "paused"],
      ["scheduled", "active"],
      ["cancelled", "active"],
    ]);
    expect(controllers.at(-1)).not.toHaveProperty("next_run_at");
    const notes = filterEvents(frames, "thread_started").filter(({ role }) => role === "system");
    expect(notes.at(-1)?.payload.content).toBe(note);
    await vi.waitFor(async () => expect(await listSchedules(conversation)).toEqual([]), 20_000);
  });
});

test("[P1] a durable question decides which of several schedules ends, and a restart does not lose it", async () => {
  const { conversation, say } = await openConversation(
    "Every day at 9 tell me the time. Yes, confirmed.",
    "Every day at 10 roll a die. Yes, confirmed.",
  );
  await user.send("cancel the daily schedule", { conversation, timezone: "Asia/Shanghai" });
  const question = await vi.waitFor(async () => {
    const [asked] = filterEvents(await user.history(conversation), "plan_require_user_input");
    expect(asked).toBeDefined();
    return asked;
  }, 20_000);
  const options = question?.payload.options ?? [];
  expect(options).toHaveLength(2);
  await runtime.restart();
  await user.send(options.find((option) => option.includes("die")) ?? "", { conversation });
  await vi.waitFor(async () => expect(await listSchedules(conversation)).toHaveLength(1), 20_000);
  expect((await listSchedules(conversation))[0]?.title).toMatch(/time/i);
  const elsewhere = await user.sendAndWait("cancel all my schedules");
  expect(joinText(elsewhere.frames)).toContain("Ended");
  await vi.waitFor(async () => expect(await listSchedules(conversation)).toEqual([]), 20_000);
  expect(await say("what is scheduled?")).toContain("Nothing is scheduled.");
});

test.each([
  ["remind me tomorrow at 9 to call Ann", "change it to 9:45", "09:45", "cancel my reminder", "Ended"],
  ["明天上午9点提醒我开会", "把提醒改到9:45", "09:45", "取消提醒", "已结束"],
])("a reminder for a single time is set, changed and ended in words: %s", async (create, change, time, end, ended) => {
  const { conversation, say } = await openConversation(create);
  expect((await listSchedules(conversation))[0]?.schedule_config).toHaveProperty("run_at");
  expect(await say(change)).toContain(time);
  expect(await say(end)).toContain(ended);
  const frames = await user.history(conversation);
  expect(filterEvents(frames, "plan_require_user_input")).toEqual([]);
  expect(listControllers(frames).at(-1)).toMatchObject({ task_status: "cancelled" });
  await vi.waitFor(async () => expect(await listSchedules(conversation)).toEqual([]), 20_000);
});
