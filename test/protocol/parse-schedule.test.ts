import { describe, expect, test } from "vitest";
import { scheduleConfigSchema } from "../../src/protocol/schedules/schedule-config.ts";
import { detectLanguage } from "../../src/protocol/language/detect-language.ts";
import { parseSchedule } from "../../src/protocol/language/parse-schedule.ts";
import { findQuotations } from "../../src/protocol/language/text-spans.ts";
import { parseTimeOfDay, findSchedule } from "../../src/protocol/language/find-schedule.ts";
import { cpuMs } from "../support/cpu-time.ts";
import { configOf, TEXTS } from "./schedule-phrases.ts";
import { REFUSED } from "./schedule-refusals.ts";
import { ONCE, REQUESTS } from "./schedule-requests.ts";

const timingOf = (text: string) => findSchedule(text, findQuotations(text));

describe("[X8] texts that are schedules", () => {
  test("the corpus has hundreds of phrases, each once, at least a third in each language", () => {
    const phrases = [...TEXTS, ...REFUSED, ...REQUESTS].map(([text]) => text).concat(ONCE);
    expect(new Set(phrases).size).toBe(phrases.length);
    expect(phrases.length).toBeGreaterThan(300);
    for (const language of ["zh", "en"] as const) {
      expect(phrases.filter((text) => detectLanguage(text) === language).length).toBeGreaterThan(phrases.length / 3);
    }
  });

  test.each(TEXTS)("%j is %j", (text, means) => {
    expect(parseSchedule(text)).toEqual({ config: configOf(means) });
    expect(scheduleConfigSchema.safeParse(configOf(means)).success).toBe(true);
  });

  test.each(REFUSED)("%j is refused: %s", (text, words) => {
    const read = parseSchedule(text);
    const problem = "problem" in read ? read.problem : JSON.stringify(read);
    expect(problem).toContain(words);
    expect(problem).toMatch(/for example|例如/i);
  });

  test("the zone of whoever asks holds where the text names none, and never for intervals", () => {
    expect(parseSchedule("daily at 9", "Asia/Tokyo")).toEqual({ config: configOf("09:00 @Asia/Tokyo") });
    expect(parseSchedule("daily at 9 UTC", "Asia/Tokyo")).toEqual({ config: configOf("09:00 @UTC") });
    expect(parseSchedule("*/5 * * * *", "Asia/Tokyo")).toEqual({ config: configOf("*/5 * * * * @Asia/Tokyo") });
    expect(parseSchedule("every 5 minutes", "Asia/Tokyo")).toEqual({ config: configOf(5) });
    expect(parseSchedule("daily at 9", "Mars/Base")).toMatchObject({
      problem: expect.stringContaining("Mars/Base") as unknown,
    });
  });
});

describe("[F37] requests", () => {
  test.each(REQUESTS)("%j recurs %j: %j", (text, means, rest) => {
    expect(timingOf(text)).toMatchObject({ when: { kind: "config", config: configOf(means) }, rest });
  });

  test.each(ONCE)("%j does not recur", (text) => {
    expect(timingOf(text)).toBeNull();
  });

  // What is to be brought or told, or is done on days that are named, recurs.
  test.each([
    ["每月的1号提醒我交房租", "1 * *"],
    ["每月的1号统计销售额", "1 * *"],
    ["每天的早报", "* * *"],
    ["每天的空气质量", "* * *"],
    ["每天的随机数", "* * *"],
    ["每天计算订单数", "* * *"],
    ["每周一的总结发给我", "* * 1"],
    ["每周五日报", "* * 5"],
    ["每天的销售额发给我", "* * *"],
    ["每天提醒我看每个月的销售额", "* * *"],
    ["check sales every day", "* * *"],
    ["email me the daily sales", "* * *"],
    ["daily report", "* * *"],
  ])("%j recurs, at a time that is to be asked for", (text, days) => {
    expect(timingOf(text)?.when).toMatchObject({ kind: "untimed", days });
  });

  test.each([
    ["晚上8点半", "20:30"],
    ["at 7", "07:00"],
    ["9", "09:00"],
    ["no idea", null],
    ["25:00", null],
  ])("the answer %j to the question for a time is %j", (text, time) => {
    expect(parseTimeOfDay(text)).toBe(time);
  });
});

const ODDS = [
  "(",
  "1,",
  "* ",
  " ",
  "每周一、",
  "每周一三五",
  "每月的",
  "total sales each day ",
  "每周一 周",
  "every 2h3m and ",
  "every ",
  "on mon, ",
  "monday to ",
  "the 1st, ",
  "at 9 ",
  "9点和",
  "一",
  "jan ",
];

test.each(ODDS)("ten thousand characters of %j are read at once", (unit) => {
  const text = unit.repeat(10_000 / unit.length);
  const start = cpuMs();
  for (const lead of ["", "every day ", "每天"]) timingOf(lead + text);
  expect(cpuMs() - start).toBeLessThan(1_500);
});
