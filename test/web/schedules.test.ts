// Formatting of schedules and the form that edits them.

import { describe, expect, test } from "vitest";
import { parseCron } from "../../src/language/schedules/parse-cron.ts";
import { scheduleConfigSchema, type ScheduleConfig } from "../../src/protocol/schedules/schedule-config.ts";
import { parseSchedule } from "../../src/language/schedules/parse-schedule.ts";
import { describeSchedule } from "../../src/language/schedules/describe-schedule.ts";
import type { UiLanguage } from "../../src/web/session/language.ts";
import {
  toScheduleConfig,
  isSamePreset,
  toRecurrencePreset,
  PRESET_KINDS,
  validatePreset,
} from "../../src/web/features/schedules/recurrence-fields.tsx";
import { formatRecurrence } from "../../src/web/ui/format/format-recurrence.ts";
import { formatShortDate } from "../../src/web/features/schedules/relative-time.tsx";

const formatConfig = (config: ScheduleConfig, language: UiLanguage) => formatRecurrence(config, language);

test.each<[ScheduleConfig, string, string]>([
  [{ interval_minutes: 1 }, "Every minute", "每分钟"],
  [{ interval_minutes: 5 }, "Every 5 minutes", "每5分钟"],
  [{ interval_minutes: 60 }, "Every hour", "每小时"],
  [{ interval_minutes: 90, timezone: "UTC" }, "Every 90 minutes", "每90分钟"],
  [{ interval_minutes: 120 }, "Every 2 hours", "每2小时"],
  [{ interval_minutes: 1_440 }, "Every 24 hours", "每24小时"],
  [{ interval_minutes: 2_880 }, "Every 2 days", "每2天"],
  [{ daily_time: "09:00" }, "Every day at 09:00", "每天 09:00"],
  [
    { daily_time: "09:00", timezone: "Asia/Shanghai" },
    "Every day at 09:00 (Asia/Shanghai)",
    "每天 09:00（Asia/Shanghai）",
  ],
  [
    { cron: "30 18 * * 1-5", timezone: "Asia/Shanghai" },
    "Every weekday at 18:30 (Asia/Shanghai)",
    "每个工作日 18:30（Asia/Shanghai）",
  ],
  [{ cron: "30 18 * * mon-fri" }, "Every weekday at 18:30", "每个工作日 18:30"],
  [{ cron: "0 9 * * *" }, "Every day at 09:00", "每天 09:00"],
  [{ cron: "0 9 * * 0-6" }, "Every day at 09:00", "每天 09:00"],
  [{ cron: "0 9 * * 1" }, "Every Monday at 09:00", "每周一 09:00"],
  [{ cron: "0 9 * * 7" }, "Every Sunday at 09:00", "每周日 09:00"],
  [{ cron: "5 7 * * 0,6" }, "Every Saturday and Sunday at 07:05", "每周六、日 07:05"],
  [{ cron: "0 9 * * 1,3,5" }, "Every Monday, Wednesday and Friday at 09:00", "每周一、三、五 09:00"],
  [{ cron: "0 9,18 * * *" }, "Every day at 09:00 and 18:00", "每天 09:00、18:00"],
  [{ cron: "0 8 1 * *" }, "On the 1st of every month at 08:00", "每月1日 08:00"],
  [{ cron: "0 8 1,15 * *" }, "On the 1st and 15th of every month at 08:00", "每月1日、15日 08:00"],
  [{ cron: "*/15 * * * *" }, "Every 15 minutes", "每15分钟"],
  [{ cron: "* * * * *" }, "Every minute", "每分钟"],
  [{ cron: "0 * * * *" }, "Every hour on the hour", "每小时整点"],
  [{ cron: "20 * * * *" }, "Every hour at 20 minutes past", "每小时第20分钟"],
  [{ cron: "0 */2 * * *" }, "Every 2 hours from 00:00 on", "从 00:00 起每2小时"],
  [{ cron: "0 1-23/2 * * *" }, "Every 2 hours from 01:00 on", "从 01:00 起每2小时"],
  [{ cron: "0 9 * 6 *" }, "Every day in June at 09:00", "6月的每天 09:00"],
  [{ cron: "0 9 1 * 1" }, "On the 1st of every month and also every Monday at 09:00", "每月1日以及每周一 09:00"],
  [
    { cron: "*/5 9-17 * * 1-5" },
    "Every 5 minutes from 09:00 to 17:59, every weekday",
    "每个工作日 09:00 到 17:59 每5分钟",
  ],
  [{ cron: "no cron" }, "No cron", "No cron"],
])("formats %j in both languages", (config, en, zh) => {
  expect([formatConfig(config, "en"), formatConfig(config, "zh-CN")]).toEqual([en, zh]);
});

test("uneven cron steps are not formatted as an interval", () => {
  for (const cron of ["*/7 * * * *", "10-59/10 * * * *", "0 */5 * * *"])
    expect([cron, formatConfig({ cron }, "en")]).toEqual([cron, expect.not.stringMatching(/every \d/i)]);
});

test("formatRecurrence agrees with the description that the server gives", () => {
  for (const cron of ["30 18 * * 1-5", "7,11 3-22 * 2 *", "0 9 */2 * *", "0 9 1 * 1"]) {
    const config = { cron, timezone: "Asia/Shanghai" };
    expect(formatConfig(config, "zh-CN")).toContain(describeSchedule(config, undefined, "zh"));
  }
});

describe("schedule form", () => {
  test.each<[ScheduleConfig, string]>([
    [{ interval_minutes: 45 }, "interval"],
    [{ daily_time: "07:15", timezone: "Europe/Berlin" }, "daily"],
    [{ cron: "30 18 * * 1-5", timezone: "Asia/Shanghai" }, "workdays"],
    [{ cron: "0 9 * * 3" }, "weekly"],
    [{ cron: "7,11 3 * 2 *" }, "text"],
    [{ cron: "70 9 * * 1" }, "text"],
  ])("restores %j unchanged", (config, kind) => {
    const preset = toRecurrencePreset(config);
    expect(preset.kind).toBe(kind);
    expect(toScheduleConfig(preset, config.timezone)).toEqual(kind === "text" ? config.cron : config);
  });

  test("produces configurations that the protocol accepts", () => {
    for (const kind of PRESET_KINDS) {
      const preset = { kind, minutes: "30", time: "08:05", weekday: 0, text: " weekdays at 18:30 " };
      expect([kind, validatePreset(preset)]).toEqual([kind, null]);
      const config = toScheduleConfig(preset, "Asia/Shanghai");
      if (typeof config === "string") expect(config).toBe("weekdays at 18:30");
      else {
        expect(scheduleConfigSchema.parse(config)).toEqual(config);
        if (config.cron !== undefined) expect(parseCron(config.cron)).not.toHaveProperty("problem");
      }
    }
  });

  test("reports invalid fields", () => {
    const preset = toRecurrencePreset({ interval_minutes: 5 });
    for (const minutes of ["", "0", "-1", "1.5", "five"])
      expect([minutes, validatePreset({ ...preset, minutes })]).toEqual([minutes, "minutesWrong"]);
    expect(validatePreset({ ...preset, kind: "daily", time: "24:00" })).toBe("timeWrong");
    expect(validatePreset({ ...preset, kind: "text", text: "  " })).toBe("textWrong");
  });

  test("ignores changes of hidden fields", () => {
    const preset = toRecurrencePreset({ daily_time: "09:00" });
    expect(isSamePreset({ ...preset, minutes: "7" }, preset, undefined)).toBe(true);
    expect(isSamePreset({ ...preset, time: "09:01" }, preset, undefined)).toBe(false);
  });
});

test("a time is formatted with its date if it is more than a week away, and with its year if it is far away", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  expect(formatShortDate("en", now + 86_400_000, now)).toMatch(/^Sun,? \d\d:00$/);
  expect(formatShortDate("en", now + 8 * 86_400_000, now)).toMatch(/Nov/);
  expect(formatShortDate("en", now + 8 * 86_400_000, now)).not.toMatch(/20\d\d/);
  expect(formatShortDate("en", now + 465 * 86_400_000, now)).toMatch(/2028/);
});

test("a single time is edited as text in its zone, which is parsed as the same time", () => {
  const config = { run_at: "2099-12-03T06:00:00.000Z", timezone: "Asia/Shanghai" };
  const preset = toRecurrencePreset(config);
  expect(preset).toMatchObject({ kind: "text", text: "2099-12-03 14:00" });
  expect(parseSchedule(preset.text, config.timezone, 0)).toEqual({ config });
});
