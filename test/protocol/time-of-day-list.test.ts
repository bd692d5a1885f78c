import { expect, test } from "vitest";
import { findSchedule } from "../../src/language/schedules/find-schedule.ts";

/** Returns the cron expression or time of day, and the remaining task. */
function readSchedule(text: string) {
  const timing = findSchedule(text);
  const { when, rest } = timing ?? {};
  return when?.kind === "config" ? [when.config.cron ?? when.config.daily_time, rest] : [when?.kind];
}

test.each([
  ["at 9 and 17 every day tell me the time", "0 9,17 * * *", "tell me the time"],
  ["every day at 9 and 17 tell me the time", "0 9,17 * * *", "tell me the time"],
  ["every day at 9, 12 and 17 roll a die", "0 9,12,17 * * *", "roll a die"],
  ["at 9, 12 and 17 every day", "0 9,12,17 * * *", ""],
  ["every day at 9am and 5pm tell me the time", "0 9,17 * * *", "tell me the time"],
  ["每天9、17点告诉我时间", "0 9,17 * * *", "告诉我时间"],
  ["每天9点、12点和17点掷骰子", "0 9,12,17 * * *", "掷骰子"],
  ["每天早上8、9点告诉我时间", "0 8,9 * * *", "告诉我时间"],
])("[F37] findSchedule() reads all times in %j: %s", (text, cron, rest) => {
  expect(readSchedule(text)).toEqual([cron, rest]);
});

test.each([
  ["每天下午3点和5点告诉我时间", "0 15,17 * * *", "告诉我时间"],
  ["每天晚上8点、10点掷骰子", "0 20,22 * * *", "掷骰子"],
  ["每天下午3点和早上5点掷骰子", "0 5,15 * * *", "掷骰子"],
  ["every day at 3 and 5pm roll a die", "0 15,17 * * *", "roll a die"],
  ["every day at 1, 3 and 5pm roll a die", "0 13,15,17 * * *", "roll a die"],
  ["every day at 9 and 5pm roll a die", "0 9,17 * * *", "roll a die"],
  ["every day at 9pm and 9am roll a die", "0 9,21 * * *", "roll a die"],
])("[F37] findSchedule() in %j applies am and pm to neighbouring times: %s", (text, cron, rest) => {
  expect(readSchedule(text)).toEqual([cron, rest]);
});

test.each([
  ["every day at 9 and 5 random numbers", "09:00", "and 5 random numbers"],
  ["every day at 9, 12 and 5 random numbers", "09:00", "12 and 5 random numbers"],
])("[F37] findSchedule() in %j does not read a quantity as a time", (text, time, rest) => {
  expect(readSchedule(text)).toEqual([time, rest]);
});

test.each([
  ["on the quarter hour tell me the time", "*/15 * * * *", "tell me the time"],
  ["roll a die on the half hour", "30 * * * *", "roll a die"],
  ["on the hour roll a die", "0 * * * *", "roll a die"],
  ["on the hour on weekdays roll a die", "0 * * * 1-5", "roll a die"],
  ["every hour on the quarter hour roll a die", "15 * * * *", "roll a die"],
  ["每个整点告诉我时间", "0 * * * *", "告诉我时间"],
  ["整点报时", "0 * * * *", "报时"],
])("[F37] findSchedule() aligns %j with the hour: %s", (text, cron, rest) => {
  expect(readSchedule(text)).toEqual([cron, rest]);
});

test.each(["at the hour of need roll a die", "on the hour of her birth", "how long is half an hour", "整点是什么意思"])(
  "[F37] findSchedule() finds no schedule in %j",
  (text) => {
    expect(findSchedule(text)).toBeNull();
  },
);

test.each(["every quarter of an hour roll a die", "每刻钟掷一次骰子"])(
  "[F37] findSchedule() counts %j from now",
  (text) => {
    expect(findSchedule(text)?.when).toEqual({ kind: "config", config: { interval_minutes: 15 } });
  },
);
