import { describe, expect, test } from "vitest";
import { scheduleConfigSchema } from "../../src/protocol/schedules/schedule-config.ts";
import { formatMessage } from "../../src/language/messages.ts";
import { parseSchedule } from "../../src/language/schedules/parse-schedule.ts";
import { findQuotations } from "../../src/language/text-spans.ts";
import { findSchedule } from "../../src/language/schedules/find-schedule.ts";
import { getCpuMs } from "../support/cpu-time.ts";
import { toScheduleConfig, TEXTS } from "./schedule-phrases.ts";
import { REFUSED } from "./schedule-refusals.ts";
import { ONCE, REQUESTS } from "./schedule-requests.ts";

const findTiming = (text: string) => findSchedule(text, findQuotations(text));

describe("[X8] parseSchedule()", () => {
  test.each(TEXTS)("parses %j as %j", (text, means) => {
    expect(parseSchedule(text)).toEqual({ config: toScheduleConfig(means) });
    expect(scheduleConfigSchema.safeParse(toScheduleConfig(means)).success).toBe(true);
  });

  test.each(REFUSED)("rejects %j: %s", (text, key, params) => {
    const problem = { key: `schedule.${key}`, ...(params === undefined ? {} : { params }) };
    expect(parseSchedule(text)).toMatchObject({ problem });
  });

  test.each([
    ["en", /for example/i],
    ["zh", /例如/],
  ] as const)("every refusal in %s gives examples that are valid schedules", (language, marker) => {
    const problems = REFUSED.map(([text]) => parseSchedule(text)).flatMap((read) =>
      "problem" in read && read.problem.key !== "schedule.timeMissing" ? [read.problem] : [],
    );
    for (const problem of problems) {
      const sentence = formatMessage(language, problem);
      const [, examples = ""] = sentence.split(marker);
      const quoted = [...examples.matchAll(/"([^"]+)"|“([^”]+)”/g)].map(([, en, zh]) => en ?? zh ?? "");
      expect(quoted, sentence).not.toEqual([]);
      const invalid = quoted.filter((example) => "problem" in parseSchedule(example));
      expect(invalid, sentence).toEqual([]);
    }
  });

  test("uses the user's time zone if the text has none, and never for intervals", () => {
    expect(parseSchedule("daily at 9", "Asia/Tokyo")).toEqual({ config: toScheduleConfig("09:00 @Asia/Tokyo") });
    expect(parseSchedule("daily at 9 UTC", "Asia/Tokyo")).toEqual({ config: toScheduleConfig("09:00 @UTC") });
    expect(parseSchedule("*/5 * * * *", "Asia/Tokyo")).toEqual({ config: toScheduleConfig("*/5 * * * * @Asia/Tokyo") });
    expect(parseSchedule("every 5 minutes", "Asia/Tokyo")).toEqual({ config: toScheduleConfig(5) });
    expect(parseSchedule("daily at 9", "Mars/Base")).toEqual({
      problem: { key: "schedule.unknownTimeZone", params: { zone: "Mars/Base" } },
    });
  });
});

describe("[F37] findSchedule()", () => {
  test.each(REQUESTS)("finds in %j the schedule %j and the task %j", (text, means, rest) => {
    expect(findTiming(text)).toMatchObject({ when: { kind: "config", config: toScheduleConfig(means) }, rest });
  });

  test.each(ONCE)("finds no schedule in %j", (text) => {
    expect(findTiming(text)).toBeNull();
  });

  test.each([
    ["每天提醒我看销售额", "* * *"],
    ["每周一的总结发给我", "* * 1"],
    ["email me the daily sales", "* * *"],
  ])("finds in %j a schedule without a time of day", (text, days) => {
    expect(findTiming(text)?.when).toMatchObject({ kind: "untimed", days });
  });
});

const LONG_UNITS = [
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

test.each(LONG_UNITS)("findSchedule() reads 10,000 characters of %j quickly", (unit) => {
  const text = unit.repeat(10_000 / unit.length);
  const start = getCpuMs();
  for (const lead of ["", "every day ", "每天"]) findTiming(lead + text);
  expect(getCpuMs() - start).toBeLessThan(1_500);
});
