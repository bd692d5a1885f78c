import { describe, expect, test } from "vitest";
import { formatConfirmation } from "../../../src/core/schedules/schedule-confirmation.ts";
import { describeRunTime, describeSchedule } from "../../../src/language/schedules/describe-schedule.ts";
import { toScheduleConfig, type ScheduleShorthand } from "../../protocol/schedule-phrases.ts";

const ROWS: readonly (readonly [ScheduleShorthand, en: string, zh: string])[] = [
  [1, "every minute", "每分钟"],
  [5, "every 5 minutes", "每5分钟"],
  [60, "every hour", "每小时"],
  [90, "every 90 minutes", "每90分钟"],
  [1440, "every 24 hours", "每24小时"],
  [2880, "every 2 days", "每2天"],
  ["09:00", "every day at 09:00 (Asia/Shanghai)", "每天 09:00（Asia/Shanghai）"],
  ["09:00 @Asia/Tokyo", "every day at 09:00 (Asia/Tokyo)", "每天 09:00（Asia/Tokyo）"],
  ["30 18 * * 1-5", "every weekday at 18:30 (Asia/Shanghai)", "每个工作日 18:30（Asia/Shanghai）"],
  ["30 18 * * mon-fri", "every weekday at 18:30 (Asia/Shanghai)", "每个工作日 18:30（Asia/Shanghai）"],
  ["0 9 * * 1,4", "every Monday and Thursday at 09:00 (Asia/Shanghai)", "每周一、四 09:00（Asia/Shanghai）"],
  ["0 9 * * 0,6", "every Saturday and Sunday at 09:00 (Asia/Shanghai)", "每周六、日 09:00（Asia/Shanghai）"],
  ["0 9 * * 7", "every Sunday at 09:00 (Asia/Shanghai)", "每周日 09:00（Asia/Shanghai）"],
  ["0 9,18 * * *", "every day at 09:00 and 18:00 (Asia/Shanghai)", "每天 09:00、18:00（Asia/Shanghai）"],
  ["*/5 * * * *", "every 5 minutes (Asia/Shanghai)", "每5分钟（Asia/Shanghai）"],
  ["* * * * *", "every minute (Asia/Shanghai)", "每分钟（Asia/Shanghai）"],
  [
    "*/15 9-16 * * 1-5",
    "every 15 minutes from 09:00 to 16:59, every weekday (Asia/Shanghai)",
    "每个工作日 09:00 到 16:59 每15分钟（Asia/Shanghai）",
  ],
  [
    "0 9-18 * * 1-5",
    "every hour on the hour from 09:00 to 18:00, every weekday (Asia/Shanghai)",
    "每个工作日 09:00 到 18:00 每小时整点（Asia/Shanghai）",
  ],
  ["15 * * * *", "every hour at 15 minutes past (Asia/Shanghai)", "每小时第15分钟（Asia/Shanghai）"],
  ["0 */2 * * *", "every 2 hours from 00:00 on (Asia/Shanghai)", "从 00:00 起每2小时（Asia/Shanghai）"],
  [
    "5,10,12 * * * *",
    "every hour at 5, 10 and 12 minutes past (Asia/Shanghai)",
    "每小时第5、10、12分钟（Asia/Shanghai）",
  ],
  [
    "*/7 * * * *",
    "every hour at 0, 7, 14, 21, 28, 35, 42, 49 and 56 minutes past (Asia/Shanghai)",
    "每小时第0、7、14、21、28、35、42、49、56分钟（Asia/Shanghai）",
  ],
  ["0 9 1 * *", "on the 1st of every month at 09:00 (Asia/Shanghai)", "每月1日 09:00（Asia/Shanghai）"],
  [
    "0 9 2,3,11,23 * *",
    "on the 2nd, 3rd, 11th and 23rd of every month at 09:00 (Asia/Shanghai)",
    "每月2日、3日、11日、23日 09:00（Asia/Shanghai）",
  ],
  ["0 9 1 3 *", "on the 1st of March at 09:00 (Asia/Shanghai)", "每年3月1日 09:00（Asia/Shanghai）"],
  ["0 9 * 1,7 *", "every day in January and July at 09:00 (Asia/Shanghai)", "1月、7月的每天 09:00（Asia/Shanghai）"],
  [
    "0 9 1 * 1",
    "on the 1st of every month and also every Monday at 09:00 (Asia/Shanghai)",
    "每月1日以及每周一 09:00（Asia/Shanghai）",
  ],
];

test.each(ROWS)("[H6] describes %j as %j", (short, en, zh) => {
  expect(describeSchedule(toScheduleConfig(short), "Asia/Shanghai", "en")).toBe(en);
  expect(describeSchedule(toScheduleConfig(short), "Asia/Shanghai", "zh")).toBe(zh);
});

test("names UTC if there is no time zone", () => {
  expect(describeSchedule({ daily_time: "09:00" }, undefined, "en")).toBe("every day at 09:00 (UTC)");
});

const NOW = Date.parse("2026-11-21T17:00:00Z");

describe("describeRunTime()", () => {
  test.each([
    ["2026-11-21T17:05:00Z", "UTC", "today, Saturday 21 November 2026, 17:05 (UTC)"],
    ["2026-11-21T17:05:00Z", "Asia/Shanghai", "today, Sunday 22 November 2026, 01:05 (Asia/Shanghai)"],
    ["2026-11-22T16:00:00Z", "Asia/Shanghai", "tomorrow, Monday 23 November 2026, 00:00 (Asia/Shanghai)"],
    ["2026-11-22T09:00:00Z", undefined, "tomorrow, Sunday 22 November 2026, 09:00 (UTC)"],
    ["2028-02-29T09:00:00Z", "America/New_York", "Tuesday 29 February 2028, 04:00 (America/New_York)"],
  ])("describes %s in %s as %j", (at, zone, words) => {
    expect(describeRunTime(Date.parse(at), NOW, zone, "en")).toBe(words);
  });

  test.each([
    ["2026-11-21T17:05:00Z", "今天，2026年11月22日星期日 01:05（Asia/Shanghai）"],
    ["2026-11-23T01:00:00Z", "明天，2026年11月23日星期一 09:00（Asia/Shanghai）"],
    ["2026-11-24T01:00:00Z", "后天，2026年11月24日星期二 09:00（Asia/Shanghai）"],
    ["2027-01-01T01:00:00Z", "2027年1月1日星期五 09:00（Asia/Shanghai）"],
  ])("describes %s as %j", (at, words) => {
    expect(describeRunTime(Date.parse(at), NOW, "Asia/Shanghai", "zh")).toBe(words);
  });
});

describe("[F54] formatConfirmation()", () => {
  test("names the task, its schedule and its next run in the user's time zone", () => {
    const task = { title: "Roll a die", schedule_config: toScheduleConfig("30 18 * * 1-5 @Asia/Tokyo") };
    expect(formatConfirmation([task], NOW, "Asia/Shanghai", "en")).toBe(
      "“Roll a die” will run every weekday at 18:30 (Asia/Tokyo). Next run: tomorrow, Monday 23 November 2026, 17:30 (Asia/Shanghai). Shall I set it up?",
    );
    expect(formatConfirmation([task], NOW, "Asia/Shanghai", "zh")).toBe(
      "“Roll a die”将重复执行：每个工作日 18:30（Asia/Tokyo）。下次执行：明天，2026年11月23日星期一 17:30（Asia/Shanghai）。要这样设置吗？",
    );
  });

  test("lists several tasks", () => {
    const tasks = [
      { title: "A", schedule_config: toScheduleConfig(5) },
      { title: "B", schedule_config: toScheduleConfig("09:00") },
    ];
    expect(formatConfirmation(tasks, NOW, undefined, "en")).toBe(
      [
        "These tasks will recur:",
        "- “A” will run every 5 minutes. Next run: today, Saturday 21 November 2026, 17:05 (UTC).",
        "- “B” will run every day at 09:00 (UTC). Next run: tomorrow, Sunday 22 November 2026, 09:00 (UTC).",
        "Shall I set them up?",
      ].join("\n"),
    );
  });
});
