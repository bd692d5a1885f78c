import { expect, test } from "vitest";
import { createFormatter } from "../../../src/web/ui/format/formatter.ts";

test("durations and relative times follow the rules of the language", () => {
  expect(createFormatter("en").duration(400)).toBe("0.4 sec");
  expect(createFormatter("en").duration(3)).toBe("< 0.1 sec");
  expect(createFormatter("en").duration(185_000)).toBe("3 min 5 sec");
  expect([59_400, 59_700, 119_700].map((ms) => createFormatter("en").duration(ms))).toEqual([
    "59 sec",
    "1 min",
    "2 min",
  ]);
  expect(createFormatter("zh-CN").duration(12_000)).toBe("12秒");
  expect(createFormatter("en").relativeTime(180_000, 0)).toBe("in 3 minutes");
  expect(createFormatter("zh-CN").relativeTime(0, 86_400_000)).toBe("昨天");
});

test("tomorrow is the next calendar day", () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
  const distance = (to: number, now: number) => createFormatter("en").relativeTime(to, now);
  expect(distance(at(24, 0), at(22, 23))).toBe("in 2 days");
  expect(distance(at(23, 23), at(22, 0))).toBe("tomorrow");
  expect(distance(at(20, 23), at(22, 1))).toBe("2 days ago");
  expect(distance(at(22, 23), at(22, 0))).toBe("in 23 hours");
});

test("a distance of a month or a year is a number, because the next calendar month or year may differ", () => {
  const distance = (to: Date, now: Date) => createFormatter("en").relativeTime(to.getTime(), now.getTime());
  expect(distance(new Date(2028, 1, 29), new Date(2026, 10, 24))).toBe("in 1 year");
  expect(distance(new Date(2027, 2, 2), new Date(2027, 0, 31))).toBe("in 1 month");
  expect(distance(new Date(2026, 11, 1), new Date(2027, 0, 31))).toBe("2 months ago");
});
