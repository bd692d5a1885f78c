import { describe, expect, test } from "vitest";
import { computeNextRun, findScheduleProblem } from "../../../src/core/schedules/next-run.ts";
import { formatMessage } from "../../../src/language/messages.ts";
import { parseCron } from "../../../src/language/schedules/parse-cron.ts";
import { scheduleConfigSchema } from "../../../src/protocol/schedules/schedule-config.ts";
import { randomBetween, createRandom } from "../../support/random.ts";
import { toScheduleConfig, TEXTS } from "../../protocol/schedule-phrases.ts";
import { getUtcOffset, createRandomCron, findNextByWalking } from "./schedule-oracle.ts";
import { pickByLength } from "../../support/run-length.ts";

const RUNS = pickByLength(300, 50_000);
const SEED = Number(process.env["SCHEDULE_SEED"] ?? 20_261_121);

const ZONES = [
  "UTC",
  "Asia/Shanghai",
  "Asia/Kolkata",
  "America/New_York",
  "America/St_Johns",
  "America/Santiago",
  "Europe/London",
  "Europe/Berlin",
  "Africa/Cairo",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Auckland",
];

const toIso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const computeNextIso = (config: Parameters<typeof computeNextRun>[0], after: string, zone?: string) =>
  toIso(computeNextRun(config, Date.parse(after), zone));

/** Returns a random instant within two days of a clock change. */
function pickNearClockChange(random: () => number, zone: string): number {
  let low = Date.UTC(randomBetween(random, 2024, 2030), randomBetween(random, 0, 11));
  let high = low + 200 * 86_400_000;
  if (getUtcOffset(low, zone) === getUtcOffset(high, zone)) return low;
  while (high - low > 60_000) {
    const middle = Math.floor((low + high) / 2);
    if (getUtcOffset(middle, zone) === getUtcOffset(low, zone)) low = middle;
    else high = middle;
  }
  return high + randomBetween(random, -129_600_000, 10_800_000);
}

describe("[F50] comparison with an independent implementation", () => {
  test(`${RUNS} random expressions on days with clock changes give the same next run as a walk through all minutes`, () => {
    const random = createRandom(SEED + 1);
    let due = 0;
    for (let i = 0; i < RUNS; i++) {
      const zone = ZONES[randomBetween(random, 3, ZONES.length - 1)] ?? "UTC";
      const fields = createRandomCron(random, random() < 0.6);
      const after = pickNearClockChange(random, zone);
      if ("problem" in parseCron(fields.text)) continue;
      const walked = findNextByWalking(fields, after, zone, 2);
      const ours = computeNextRun({ cron: fields.text }, after, zone);
      if (walked === null) expect(ours === null || ours > after + 2 * 86_400_000).toBe(true);
      else
        expect([fields.text, zone, toIso(after), toIso(ours)]).toEqual([
          fields.text,
          zone,
          toIso(after),
          toIso(walked),
        ]);
      due += walked === null ? 0 : 1;
    }
    expect(due).toBeGreaterThan(RUNS / 4);
  }, 600_000);

  test("rejects an expression exactly if none of its dates exists in any year", () => {
    const random = createRandom(SEED + 2);
    for (let i = 0; i < RUNS; i++) {
      const day = randomBetween(random, 28, 31);
      const months = [...new Set([randomBetween(random, 1, 12), randomBetween(random, 1, 12)])];
      const cron = `0 9 ${day} ${months.join(",")} *`;
      // 2024 is a leap year.
      const exists = months.some((month) => new Date(Date.UTC(2024, month - 1, day)).getUTCMonth() === month - 1);
      expect([cron, "problem" in parseCron(cron)]).toEqual([cron, !exists]);
    }
  });
});

describe("[F51] [F52] computeNextRun()", () => {
  test.each([
    [{ interval_minutes: 5 }, "2026-11-21T08:00:00Z", undefined, "2026-11-21T08:05:00.000Z"],
    [{ interval_minutes: 5 }, "2026-11-21T08:00:07.123Z", undefined, "2026-11-21T08:05:07.123Z"],
    [{ cron: "*/5 * * * *" }, "2026-11-21T08:00:00Z", undefined, "2026-11-21T08:05:00.000Z"],
    [{ cron: "*/5 * * * *" }, "2026-11-21T08:04:59.999Z", undefined, "2026-11-21T08:05:00.000Z"],
    [{ daily_time: "09:00" }, "2026-11-21T00:59:59Z", "Asia/Shanghai", "2026-11-21T01:00:00.000Z"],
    [{ daily_time: "09:00" }, "2026-11-21T01:00:00Z", "Asia/Shanghai", "2026-11-22T01:00:00.000Z"],
    [{ daily_time: "09:00" }, "2026-11-21T08:00:00Z", undefined, "2026-11-21T09:00:00.000Z"],
    [{ daily_time: "09:00", timezone: "Asia/Tokyo" }, "2026-11-21T08:00:00Z", "UTC", "2026-11-22T00:00:00.000Z"],
    [{ daily_time: "09:00", timezone: "+08:00" }, "2026-11-21T08:00:00Z", "UTC", "2026-11-22T01:00:00.000Z"],
    [{ cron: "0 9 * * 0" }, "2026-11-21T08:00:00Z", undefined, "2026-11-22T09:00:00.000Z"],
    [{ cron: "0 9 * * 7" }, "2026-11-21T08:00:00Z", undefined, "2026-11-22T09:00:00.000Z"],
    [{ cron: "0 9 * * SUN" }, "2026-11-21T08:00:00Z", undefined, "2026-11-22T09:00:00.000Z"],
    [{ cron: "0 9 * * 1" }, "2026-11-21T08:00:00Z", undefined, "2026-11-23T09:00:00.000Z"],
    [{ cron: "0 9 * * 5-7" }, "2026-11-22T10:00:00Z", undefined, "2026-11-27T09:00:00.000Z"],
    [{ cron: "0 9 1 * 1" }, "2026-11-24T08:00:00Z", undefined, "2026-11-30T09:00:00.000Z"],
    [{ cron: "0 9 1 * 1" }, "2026-11-30T10:00:00Z", undefined, "2026-12-01T09:00:00.000Z"],
    [{ cron: "0 9 31 * *" }, "2026-11-21T08:00:00Z", undefined, "2026-12-31T09:00:00.000Z"],
    [{ cron: "0 9 31 * *" }, "2027-01-31T10:00:00Z", undefined, "2027-03-31T09:00:00.000Z"],
    [{ cron: "0 9 29 feb *" }, "2026-11-21T08:00:00Z", undefined, "2028-02-29T09:00:00.000Z"],
    [{ cron: "0 9 29 2 *" }, "2096-11-21T08:00:00Z", undefined, "2104-02-29T09:00:00.000Z"],
    [{ cron: "0 9 30 2 1" }, "2026-11-21T08:00:00Z", undefined, "2027-02-01T09:00:00.000Z"],
    // Clocks skip 02:00 to 03:00 and repeat 01:00 to 02:00.
    [{ daily_time: "02:30" }, "2026-03-08T05:00:00Z", "America/New_York", "2026-03-08T07:00:00.000Z"],
    [{ daily_time: "02:30" }, "2026-03-08T07:00:00Z", "America/New_York", "2026-03-09T06:30:00.000Z"],
    [{ daily_time: "01:30" }, "2026-11-01T04:00:00Z", "America/New_York", "2026-11-01T05:30:00.000Z"],
    [{ daily_time: "01:30" }, "2026-11-01T05:30:00Z", "America/New_York", "2026-11-02T06:30:00.000Z"],
    [{ cron: "30 2 * * 0" }, "2026-03-08T05:00:00Z", "America/New_York", "2026-03-08T07:00:00.000Z"],
    [{ cron: "30 1,5 * * *" }, "2026-11-01T05:30:00Z", "America/New_York", "2026-11-01T10:30:00.000Z"],
    [{ cron: "*/30 * * * *" }, "2026-11-01T05:30:00Z", "America/New_York", "2026-11-01T06:00:00.000Z"],
    [{ daily_time: "00:00" }, "2026-09-05T12:00:00Z", "America/Santiago", "2026-09-06T04:00:00.000Z"],
  ])("returns for %j after %s in %s the run %s", (config, after, zone, expected) => {
    expect(computeNextIso(config, after, zone)).toBe(expected);
  });

  test.each([
    ["America/New_York", "02:30"],
    ["America/New_York", "01:30"],
    ["Europe/London", "01:30"],
    ["Europe/Berlin", "02:00"],
    ["America/Santiago", "00:00"],
    ["America/Santiago", "23:30"],
    ["Australia/Lord_Howe", "02:15"],
    ["Australia/Lord_Howe", "01:45"],
    ["Pacific/Chatham", "03:00"],
    ["Asia/Shanghai", "09:00"],
  ])(
    "in %s a daily run at %s happens once on each date of a year, after a skipped hour at its first instant",
    (zone, time) => {
      const wall = (at: number) => new Date(at + getUtcOffset(at, zone)).toISOString();
      let at = Date.UTC(2026, 0, 1) - getUtcOffset(Date.UTC(2026, 0, 1), zone) - 1;
      const dates: string[] = [];
      for (let day = 0; day < 365; day++) {
        const due: number | null = computeNextRun({ daily_time: time }, at, zone);
        expect(due).not.toBeNull();
        at = due ?? at;
        dates.push(wall(at).slice(0, 10));
        const isAfterGap = getUtcOffset(at, zone) > getUtcOffset(at - 60_000, zone);
        const isSkipped = wall(at - 60_000).slice(11, 16) < time && time < wall(at).slice(11, 16);
        const isMidnightGap = isAfterGap && time === "00:00";
        expect(wall(at).slice(11, 16) === time || (isAfterGap && (isSkipped || isMidnightGap))).toBe(true);
      }
      const calendar = Array.from({ length: 365 }, (_, i) =>
        new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10),
      );
      expect(dates).toEqual(calendar);
    },
  );
});

describe("[F54] findScheduleProblem()", () => {
  test.each<[config: unknown, key: string, params?: Readonly<Record<string, string>>]>([
    [{}, "kindMissing"],
    [{ timezone: "UTC" }, "kindMissing"],
    [null, "noRecurrence"],
    ["every 5 minutes", "noRecurrence"],
    [[5], "noRecurrence"],
    [{ interval_minutes: 5, daily_time: "09:00" }, "severalKinds", { fields: "interval_minutes, daily_time" }],
    [
      { interval_minutes: 5, daily_time: "09:00", cron: "* * * * *" },
      "severalKinds",
      { fields: "interval_minutes, daily_time, cron" },
    ],
    [{ every: 5 }, "unknownField", { name: "every" }],
    [{ interval_minutes: 0 }, "intervalTooShort"],
    [{ interval_minutes: 0.5 }, "intervalTooShort"],
    [{ interval_minutes: -5 }, "intervalTooShort"],
    [{ interval_minutes: "5" }, "intervalTooShort"],
    [{ interval_minutes: 1e9 }, "intervalTooLong"],
    [{ daily_time: "25:00" }, "invalidTime", { words: "25:00" }],
    [{ daily_time: "9:00" }, "invalidTime", { words: "9:00" }],
    [{ daily_time: 9 }, "invalidTime", { words: "9" }],
    [{ cron: "* * *" }, "wrongFieldCount"],
    [{ cron: "" }, "wrongFieldCount"],
    [{ cron: 5 }, "wrongFieldCount"],
    [{ cron: "0 0 30 2 *" }, "impossibleDate"],
    [{ cron: "0 0 L * *" }, "invalidCronField", { part: "L", field: "day", range: "1-31" }],
    [{ daily_time: "09:00", timezone: "Mars/Base" }, "unknownTimeZone", { zone: "Mars/Base" }],
    [{ daily_time: "09:00", timezone: "" }, "unknownTimeZone"],
    [{ interval_minutes: 5, timezone: 8 }, "unknownTimeZone"],
  ])("rejects %j", (config, key, params) => {
    const problem = findScheduleProblem(config);
    expect(problem).toMatchObject({ key: `schedule.${key}`, ...(params === undefined ? {} : { params }) });
    expect(formatMessage("en", problem ?? "")).toMatch(/for example/i);
    expect(formatMessage("zh", problem ?? "")).toMatch(/例如/);
  });

  test("truncates a long value between characters", () => {
    const problem = findScheduleProblem({ daily_time: `${"9".repeat(99)}😀` });
    expect(problem?.params).toEqual({ words: `${"9".repeat(99)}\ufffd` });
  });

  test("rejects an unknown time zone of the user like one of the schedule", () => {
    const problem = findScheduleProblem({ daily_time: "09:00" }, "Mars/Base");
    expect(problem).toEqual({ key: "schedule.unknownTimeZone", params: { zone: "Mars/Base" } });
  });

  test("accepts every schedule of the corpus, which fits the schema and has a next run", () => {
    for (const [, means] of TEXTS) {
      const config = toScheduleConfig(means);
      expect([config, findScheduleProblem(config)]).toEqual([config, null]);
      expect(scheduleConfigSchema.safeParse(config).success).toBe(true);
      expect(computeNextRun(config, 0)).toBeGreaterThan(0);
    }
  });

  test("accepts only expressions that fit the schema and have a next run", () => {
    const random = createRandom(SEED + 3);
    const pieces = [
      "*",
      "5",
      "*/5",
      "61",
      "L",
      "mon",
      "1-5",
      "5-1",
      "?",
      "0,30",
      "1/2",
      "",
      "feb",
      "30",
      "-1",
      "1-2-3",
      "*/0",
    ];
    for (let i = 0; i < RUNS; i++) {
      const cron = Array.from(
        { length: randomBetween(random, 4, 6) },
        () => pieces[randomBetween(random, 0, pieces.length - 1)],
      ).join(" ");
      if (findScheduleProblem({ cron }) !== null) continue;
      expect(scheduleConfigSchema.safeParse({ cron }).success).toBe(true);
      expect([cron, computeNextRun({ cron }, 1.8e12)]).toEqual([cron, expect.any(Number)]);
    }
  });
});
