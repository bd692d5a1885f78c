// Requests about schedules that exist.

import { describe, expect, test } from "vitest";
import { parseScheduleCommand } from "../../src/language/schedules/schedule-command.ts";
import { findNamedSchedules, parseNewTimes } from "../../src/language/schedules/match-schedules.ts";

/** A request, and its action with the words of its object and its new times. */
const COMMANDS: readonly (readonly [string, string])[] = [
  ["what is scheduled?", "show all"],
  ["what's scheduled", "show all"],
  ["which reminders do I have?", "show all"],
  ["Could you show me all my scheduled tasks, please", "show all"],
  ["do I have any schedules", "show all"],
  ["有哪些定时任务", "show all"],
  ["我有哪些提醒？", "show all"],
  ["帮我看看我的定时任务", "show all"],
  ["change it to 9:45", "change? it → 9:45"],
  ["change the daily report to every weekday at 8", "change the daily report → every weekday at 8"],
  ["please move my reminder to 10am", "change my reminder → 10am"],
  ["把每天的报告改到9:45", "change 每天的报告 → 9:45"],
  ["改成9点45", "change?  → 9点45"],
  ["把提醒的时间改为每周一9点", "change 提醒 → 每周一9点"],
  ["stop the daily report", "end the daily report"],
  ["cancel all my reminders", "end all all my reminders"],
  ["stop telling me the time every 5 minutes", "end telling me the time every 5 minutes"],
  ["don't remind me to drink water any more", "end remind me to drink water"],
  ["取消每天的报告", "end 每天的报告"],
  ["把所有提醒都取消", "end all 所有提醒"],
  ["别再提醒我喝水了", "end 提醒我喝水"],
  ["把每天的报告取消掉。", "end 每天的报告"],
  ["stop it", "end? it"],
  ["取消", "end? "],
  ["pause the daily report for now", "pause the daily report"],
  ["暂停每天的报告", "pause 每天的报告"],
  ["resume my reminder", "resume my reminder"],
  ["恢复每天的报告", "resume 每天的报告"],
  ["cancel my order", "end? my order"],
];

describe("parseScheduleCommand()", () => {
  test.each(COMMANDS)("reads %s", (text, expected) => {
    const command = parseScheduleCommand(text);
    const { action = "", object = "", isAll = false, isCertain = true, times = "" } = command ?? {};
    const head = `${action}${isCertain ? "" : "?"}${isAll ? " all" : ""}`;
    const shown = action === "show" ? head : `${head} ${object}${times === "" ? "" : ` → ${times}`}`;
    expect(shown).toBe(expected);
  });

  test.each([
    "every day at 9 tell me the time",
    "每天9点告诉我时间",
    "remind me in 10 minutes to call Ann",
    "10分钟后提醒我开会",
    "change the title to Report",
    "what time is it?",
    "stop the timer and then tell me the time",
    "取消订单，然后每天9点告诉我时间",
    "",
  ])("finds none in %s", (text) => {
    expect(parseScheduleCommand(text)).toBeNull();
  });
});

const report = { title: "Write the report", query: "write the report", schedule_config: { daily_time: "09:00" } };
const water = { title: "喝水", query: "提醒我喝水", schedule_config: { interval_minutes: 60 } };
const backup = { title: "Check the backup", query: "check", schedule_config: { cron: "30 18 * * 1-5" } };

test.each([
  ["the daily report", [report]],
  ["每天的报告", [report]],
  ["提醒我喝水", [water]],
  ["the hourly one", [water]],
  ["the weekday check", [backup]],
  ["it", [report, water, backup]],
  ["所有提醒", [report, water, backup]],
  ["the newsletter", []],
])("findNamedSchedules() finds the schedules that “%s” names", (words, expected) => {
  expect(findNamedSchedules(words, [report, water, backup])).toEqual(expected);
});

test.each([
  ["9:45", { daily_time: "09:45", timezone: "Asia/Tokyo" }, report],
  ["9:45", { cron: "45 9 * * 1-5" }, backup],
  ["下午3点", { cron: "0 15 * * 1-5" }, backup],
  ["every 2 hours", { interval_minutes: 120 }, backup],
  ["每周一9点", { cron: "0 9 * * 1", timezone: "Asia/Tokyo" }, report],
])("parseNewTimes() reads “%s”", (words, config, schedule) => {
  expect(parseNewTimes(words, schedule, schedule === report ? "Asia/Tokyo" : undefined, 0)).toEqual({ config });
});
