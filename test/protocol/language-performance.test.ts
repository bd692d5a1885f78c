// Parsing a message blocks all requests of the same isolate, so it must be fast for any text.

import { expect, test } from "vitest";
import { parseConfirmation } from "../../src/language/schedules/schedule-confirmation.ts";
import { detectLanguage } from "../../src/language/detect-language.ts";
import { findPlaces } from "../../src/language/place-time-zones.ts";
import { findQuotations, trimPunctuation } from "../../src/language/text-spans.ts";
import { findSchedule } from "../../src/language/schedules/find-schedule.ts";
import { getCpuMs } from "../support/cpu-time.ts";

const READERS = {
  trimPunctuation,
  findQuotations,
  detectLanguage: (text: string) => detectLanguage(text),
  findPlaces,
  findSchedule: (text: string) => findSchedule(text, findQuotations(text)),
  parseConfirmation,
};

const LONG: readonly (readonly [keyof typeof READERS, string, string, string])[] = [
  ["trimPunctuation", "每", " ", "点b"],
  ["trimPunctuation", "a", ", ", "b"],
  ["trimPunctuation", "a", "–", "b"],
  ["findQuotations", "", "‘", ""],
  ["detectLanguage", "", "“", ""],
  ["findPlaces", "", "in Ab ", ""],
  ["findPlaces", "", "UTC+8 ", ""],
  ["findSchedule", "", " ", ""],
  ["findSchedule", "每", " ", "点b"],
  ["findSchedule", "", ",", ""],
  ["findSchedule", "", "1,", ""],
  ["findSchedule", "", "1-", ""],
  ["findSchedule", "每天", "1,", "点b"],
  ["findSchedule", "every day ", "at 9, ", "x"],
  ["findSchedule", "every day", " ", "!at 9pm"],
  ["findSchedule", "every day", ", ", "!at 9pm"],
  ["findSchedule", "", '"a" ', "every day at 9"],
  ["findSchedule", "", "mon,", "x"],
  ["parseConfirmation", "", " ", ""],
  ["parseConfirmation", "每", " ", "b"],
  ["parseConfirmation", "", "一", "x"],
  ["parseConfirmation", "", "嗯", "x"],
  ["parseConfirmation", "", "好的", "x"],
  ["parseConfirmation", "", "就这样就行", "x"],
  ["parseConfirmation", "", "please do it ", "x"],
];

test.each(LONG)("%s handles %j, then a long run of %j and %j quickly", (reader, lead, unit, tail) => {
  const text = lead + unit.repeat(200_000 / unit.length) + tail;
  const start = getCpuMs();
  READERS[reader](text);
  expect(getCpuMs() - start).toBeLessThan(700);
});
