import { CronExpressionParser } from "cron-parser";
import { describe, expect, test } from "vitest";
import { computeNextRun, findScheduleProblem } from "../../../src/core/schedules/next-run.ts";
import { parseCron } from "../../../src/protocol/schedules/parse-cron.ts";
import { scheduleConfigSchema } from "../../../src/protocol/schedules/schedule-config.ts";
import { between, randomFrom } from "../../support/random.ts";
import { configOf, TEXTS } from "../../protocol/schedule-phrases.ts";
import { changesNear, offsetAt, randomWanted, spelled, walk } from "./oracle.ts";

/** `SCHEDULE_RUNS=50000 SCHEDULE_SEED=7` for a long search of its own. */
const RUNS = Number(process.env["SCHEDULE_RUNS"] ?? 2_000);
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

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const next = (config: Parameters<typeof computeNextRun>[0], after: string, zone?: string) =>
  iso(computeNextRun(config, Date.parse(after), zone));

/** Instants around which calendars and clocks do something unusual, and any others. */
function randomInstant(random: () => number): number {
  const days = ["2024-02-28", "2028-02-29", "2027-02-28", "2026-12-31", "2026-04-30", "2026-03-08", "2026-11-01"];
  const day =
    random() < 0.3 ? Date.parse(days[between(random, 0, days.length - 1)] ?? "") : between(random, 1.7e12, 1.95e12);
  return day + between(random, 0, 86_400_000);
}

/** Some time in the two days around a change of the clocks. */
function nearChange(random: () => number, zone: string): number {
  let low = Date.UTC(between(random, 2024, 2030), between(random, 0, 11));
  let high = low + 200 * 86_400_000;
  if (offsetAt(low, zone) === offsetAt(high, zone)) return low;
  while (high - low > 60_000) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle, zone) === offsetAt(low, zone)) low = middle;
    else high = middle;
  }
  return high + between(random, -129_600_000, 10_800_000);
}

/** What the second library says; null where it gives up searching. */
function elsewhere(cron: string, after: number, zone: string): number | null {
  try {
    return CronExpressionParser.parse(cron, { currentDate: new Date(after), tz: zone })
      .next()
      .getTime();
  } catch (thrown) {
    if (thrown instanceof Error && thrown.message.includes("loop limit")) return null;
    throw thrown;
  }
}

describe("[F50] against other reckonings", () => {
  test(`${RUNS} random expressions, zones and instants come out as in a second library`, () => {
    const random = randomFrom(SEED);
    let compared = 0;
    for (let i = 0; i < RUNS; i++) {
      const wanted = randomWanted(random, random() < 0.5);
      const zone = ZONES[between(random, 0, ZONES.length - 1)] ?? "UTC";
      const after = randomInstant(random);
      if ("problem" in parseCron(wanted.text)) continue;
      const ours = computeNextRun({ cron: wanted.text }, after, zone);
      const theirs = elsewhere(spelled(wanted), after, zone);
      if (theirs === null) continue;
      // What the clocks skip and repeat is everyone's own decision: those days are walked through below.
      if (changesNear(theirs, zone) || changesNear(ours ?? theirs, zone)) continue;
      compared += 1;
      expect([wanted.text, zone, iso(after), iso(ours)]).toEqual([wanted.text, zone, iso(after), iso(theirs)]);
    }
    expect(compared).toBeGreaterThan(RUNS * 0.8);
  }, 600_000);

  test(`${RUNS} random expressions on days when clocks change come out as in a walk through the minutes`, () => {
    const random = randomFrom(SEED + 1);
    let due = 0;
    for (let i = 0; i < RUNS; i++) {
      const zone = ZONES[between(random, 3, ZONES.length - 1)] ?? "UTC";
      const wanted = randomWanted(random, random() < 0.6);
      const after = nearChange(random, zone);
      if ("problem" in parseCron(wanted.text)) continue;
      const walked = walk(wanted, after, zone, 2);
      const ours = computeNextRun({ cron: wanted.text }, after, zone);
      if (walked === null) expect(ours === null || ours > after + 2 * 86_400_000).toBe(true);
      else expect([wanted.text, zone, iso(after), iso(ours)]).toEqual([wanted.text, zone, iso(after), iso(walked)]);
      due += walked === null ? 0 : 1;
    }
    expect(due).toBeGreaterThan(RUNS / 4);
  }, 600_000);

  test("an expression is refused as never coming exactly when no year has its dates", () => {
    const random = randomFrom(SEED + 2);
    for (let i = 0; i < RUNS; i++) {
      const day = between(random, 28, 31);
      const months = [...new Set([between(random, 1, 12), between(random, 1, 12)])];
      const cron = `0 9 ${day} ${months.join(",")} *`;
      // 2024 is a leap year.
      const exists = months.some((month) => new Date(Date.UTC(2024, month - 1, day)).getUTCMonth() === month - 1);
      expect([cron, "problem" in parseCron(cron)]).toEqual([cron, !exists]);
    }
  });
});

describe("[F51] [F52] what runs when", () => {
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
    // Clocks skip 02:00 to 03:00, and repeat 01:00 to 02:00.
    [{ daily_time: "02:30" }, "2026-03-08T05:00:00Z", "America/New_York", "2026-03-08T07:00:00.000Z"],
    [{ daily_time: "02:30" }, "2026-03-08T07:00:00Z", "America/New_York", "2026-03-09T06:30:00.000Z"],
    [{ daily_time: "01:30" }, "2026-11-01T04:00:00Z", "America/New_York", "2026-11-01T05:30:00.000Z"],
    [{ daily_time: "01:30" }, "2026-11-01T05:30:00Z", "America/New_York", "2026-11-02T06:30:00.000Z"],
    [{ cron: "30 2 * * 0" }, "2026-03-08T05:00:00Z", "America/New_York", "2026-03-08T07:00:00.000Z"],
    [{ cron: "*/30 * * * *" }, "2026-11-01T05:30:00Z", "America/New_York", "2026-11-01T06:00:00.000Z"],
    [{ daily_time: "00:00" }, "2026-09-05T12:00:00Z", "America/Santiago", "2026-09-06T04:00:00.000Z"],
  ])("%j after %s in %s is %s", (config, after, zone, expected) => {
    expect(next(config, after, zone)).toBe(expected);
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
  ])("a year of daily runs in %s at %s: one on each date, no time but the first after a gap", (zone, time) => {
    const wall = (at: number) => new Date(at + offsetAt(at, zone)).toISOString();
    let at = Date.UTC(2026, 0, 1) - offsetAt(Date.UTC(2026, 0, 1), zone) - 1;
    const dates: string[] = [];
    for (let day = 0; day < 365; day++) {
      const due: number | null = computeNextRun({ daily_time: time }, at, zone);
      expect(due).not.toBeNull();
      at = due ?? at;
      dates.push(wall(at).slice(0, 10));
      const isAfterGap = offsetAt(at, zone) > offsetAt(at - 60_000, zone);
      const isSkipped = wall(at - 60_000).slice(11, 16) < time && time < wall(at).slice(11, 16);
      const isMidnightGap = isAfterGap && time === "00:00";
      expect(wall(at).slice(11, 16) === time || (isAfterGap && (isSkipped || isMidnightGap))).toBe(true);
    }
    const calendar = Array.from({ length: 365 }, (_, i) =>
      new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10),
    );
    expect(dates).toEqual(calendar);
  });
});

describe("[F54] what is refused", () => {
  test.each([
    [{}, "exactly one"],
    [{ timezone: "UTC" }, "exactly one"],
    [null, "when"],
    ["every 5 minutes", "when"],
    [[5], "when"],
    [{ interval_minutes: 5, daily_time: "09:00" }, "interval_minutes and daily_time"],
    [{ interval_minutes: 5, daily_time: "09:00", cron: "* * * * *" }, "interval_minutes and daily_time and cron"],
    [{ every: 5 }, "no field every"],
    [{ interval_minutes: 0 }, "too often"],
    [{ interval_minutes: 0.5 }, "too often"],
    [{ interval_minutes: -5 }, "too often"],
    [{ interval_minutes: "5" }, "too often"],
    [{ interval_minutes: 1e9 }, "too long"],
    [{ daily_time: "25:00" }, '"25:00"'],
    [{ daily_time: "9:00" }, '"9:00"'],
    [{ daily_time: 9 }, '"9"'],
    [{ cron: "* * *" }, "five fields"],
    [{ cron: "" }, "five fields"],
    [{ cron: 5 }, "five fields"],
    [{ cron: "0 0 30 2 *" }, "never comes"],
    [{ cron: "0 0 L * *" }, '"L"'],
    [{ daily_time: "09:00", timezone: "Mars/Base" }, '"Mars/Base"'],
    [{ daily_time: "09:00", timezone: "" }, "time zone"],
    [{ interval_minutes: 5, timezone: 8 }, "time zone"],
  ])("%j", (config, words) => {
    const problem = findScheduleProblem(config);
    expect(problem).toContain(words);
    expect(problem).toMatch(/for example/i);
    expect(findScheduleProblem(config, "UTC", "zh")).toMatch(/例如/);
  });

  test("what is long is shown cut between characters", () => {
    expect(findScheduleProblem({ daily_time: `${"9".repeat(99)}😀` })).toContain(`"${"9".repeat(99)}\ufffd"`);
  });

  test("an unknown zone of the person is refused as one of the schedule", () => {
    expect(findScheduleProblem({ daily_time: "09:00" }, "Mars/Base")).toContain("Mars/Base");
  });

  test("every schedule of the corpus is taken, fits the schema and has a next run", () => {
    for (const [, means] of TEXTS) {
      const config = configOf(means);
      expect([config, findScheduleProblem(config)]).toEqual([config, null]);
      expect(scheduleConfigSchema.safeParse(config).success).toBe(true);
      expect(computeNextRun(config, 0)).toBeGreaterThan(0);
    }
  });

  test("whatever is taken fits the schema and never throws", () => {
    const random = randomFrom(SEED + 3);
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
        { length: between(random, 4, 6) },
        () => pieces[between(random, 0, pieces.length - 1)],
      ).join(" ");
      if (findScheduleProblem({ cron }) !== null) continue;
      expect(scheduleConfigSchema.safeParse({ cron }).success).toBe(true);
      expect([cron, computeNextRun({ cron }, 1.8e12)]).toEqual([cron, expect.any(Number)]);
    }
  });
});
