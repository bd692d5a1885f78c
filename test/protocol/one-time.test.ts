// Single times in requests, and the calendar of time zones.

import { describe, expect, test } from "vitest";
import { describeSchedule } from "../../src/language/schedules/describe-schedule.ts";
import { findOneTime } from "../../src/language/schedules/one-time.ts";
import { parseSchedule } from "../../src/language/schedules/parse-schedule.ts";
import { getWallClock, toInstant } from "../../src/language/wall-clock.ts";

/** Thursday 26 November 2026, 10:00 in Shanghai. */
const NOW = Date.parse("2026-11-26T02:00:00Z");
const ZONE = "Asia/Shanghai";

/** A request, the local time in its zone, and the work without the words of the time. */
const REQUESTS: readonly (readonly [string, string, string])[] = [
  ["remind me in 10 minutes to call Ann", "11-26 10:10", "remind me to call Ann"],
  ["in half an hour tell me the time", "11-26 10:30", "tell me the time"],
  ["remind me in an hour and a half to stretch", "11-26 11:30", "remind me to stretch"],
  ["10分钟后提醒我开会", "11-26 10:10", "提醒我开会"],
  ["一个半小时后提醒我休息", "11-26 11:30", "提醒我休息"],
  ["两小时后告诉我时间", "11-26 12:00", "告诉我时间"],
  ["tomorrow at 9 roll a die", "11-27 09:00", "roll a die"],
  ["roll a die tomorrow at 9am", "11-27 09:00", "roll a die"],
  ["明天下午三点提醒我开会", "11-27 15:00", "提醒我开会"],
  ["提醒我明天下午三点开会", "11-27 15:00", "提醒我开会"],
  ["明早8点提醒我跑步", "11-27 08:00", "提醒我跑步"],
  ["后天中午提醒我吃饭", "11-28 12:00", "提醒我吃饭"],
  ["tonight at 8 remind me to read", "11-26 20:00", "remind me to read"],
  ["on 3 December at 14:00 tell me the time", "12-03 14:00", "tell me the time"],
  ["remind me on December 3rd at 2pm to pay", "12-03 14:00", "remind me to pay"],
  ["12月3日14点提醒我付款", "12-03 14:00", "提醒我付款"],
  ["remind me at 5pm to leave", "11-26 17:00", "remind me to leave"],
  ["remind me at 9am to leave", "11-27 09:00", "remind me to leave"],
  ["remind me next Monday at 9 to plan", "11-30 09:00", "remind me to plan"],
  ["下周一上午9点提醒我开会", "11-30 09:00", "提醒我开会"],
  ["周五晚上8点提醒我看电影", "11-27 20:00", "提醒我看电影"],
  ["remind me tomorrow at 9 Tokyo time to call", "11-27 08:00", "remind me to call"],
];

describe("findOneTime()", () => {
  test.each(REQUESTS)("finds in %j the time %s and the task %j", (text, local, rest) => {
    const found = findOneTime(text, { now: NOW, zone: ZONE });
    const at = found !== null && "config" in found ? Date.parse(found.config.run_at ?? "") : Number.NaN;
    const { month, day, time } = getWallClock(at, ZONE);
    expect([`${month}-${String(day).padStart(2, "0")} ${time}`, found?.rest]).toEqual([local, rest]);
  });

  test.each([
    ["remind me tomorrow to call", "timeMissing"],
    ["明天提醒我交作业", "timeMissing"],
    ["remind me today at 9am to call", "timePassed"],
    ["2020-01-01 10:00 remind me", "timePassed"],
  ])("reports the problem of %j", (text, key) => {
    expect(findOneTime(text, { now: NOW, zone: ZONE })).toMatchObject({ problem: { key: `schedule.${key}` } });
  });

  test.each([
    "what time is it in 2 hours?",
    "what day is tomorrow",
    "明天星期几",
    "明天几点开会",
    "compute 2+3 in 10 minutes",
    "write a poem about the day after tomorrow",
    "calculate 12 * 34",
    "on 31 February at 9 call",
  ])("finds no time in %j", (text) => {
    expect(findOneTime(text, { now: NOW, zone: ZONE })).toBeNull();
  });
});

test("parseSchedule() parses a single time only if it knows the current time", () => {
  const config = { run_at: "2026-11-27T01:00:00.000Z", timezone: ZONE };
  expect(parseSchedule("tomorrow at 9", ZONE, NOW)).toEqual({ config });
  expect(parseSchedule("2026-11-27 09:00", ZONE, NOW)).toEqual({ config });
  expect(parseSchedule("daily at 9", ZONE, NOW)).toEqual({ config: { daily_time: "09:00", timezone: ZONE } });
  expect(parseSchedule("tomorrow at 9", ZONE)).toHaveProperty("problem");
});

test("describeSchedule() describes a single time in its zone", () => {
  const config = { run_at: "2026-12-03T06:00:00Z", timezone: ZONE };
  expect(describeSchedule(config, undefined, "en")).toBe("once, on Thursday 3 December 2026 at 14:00 (Asia/Shanghai)");
  expect(describeSchedule(config, undefined, "zh")).toBe("2026年12月3日星期四 14:00，仅一次（Asia/Shanghai）");
});

test.each([
  ["an ordinary time", Date.UTC(2026, 6, 1), "09:00", "2026-07-01T07:00:00.000Z"],
  ["the first of a repeated time", Date.UTC(2026, 9, 25), "02:30", "2026-10-25T00:30:00.000Z"],
  ["a skipped time shifted by the gap", Date.UTC(2026, 2, 29), "02:30", "2026-03-29T01:30:00.000Z"],
])("toInstant() returns %s", (_, date, time, expected) => {
  expect(new Date(toInstant(date, time, "Europe/Berlin")).toISOString()).toBe(expected);
});
