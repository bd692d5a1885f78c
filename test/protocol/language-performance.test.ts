// A message holds up all who share its isolate for as long as it takes to read.

import { expect, test } from "vitest";
import { parseConfirmation, removeConfirmationWords } from "../../src/protocol/language/schedule-confirmation.ts";
import { detectLanguage } from "../../src/protocol/language/detect-language.ts";
import { findPlaces } from "../../src/protocol/language/place-time-zones.ts";
import { findQuotations, trimPunctuation } from "../../src/protocol/language/text-spans.ts";
import { parseTimeOfDay, findSchedule } from "../../src/protocol/language/find-schedule.ts";
import { cpuMs } from "../support/cpu-time.ts";

const READERS = {
  tidy: trimPunctuation,
  quotations: findQuotations,
  languageOf: (text: string) => detectLanguage(text),
  placesIn: findPlaces,
  readClock: parseTimeOfDay,
  readTiming: (text: string) => findSchedule(text, findQuotations(text)),
  readConfirmation: parseConfirmation,
  withoutConfirmation: (text: string) => removeConfirmationWords(text, []),
};

const LONG: readonly (readonly [keyof typeof READERS, string, string, string])[] = [
  ["tidy", "每", " ", "点b"],
  ["tidy", "a", ", ", "b"],
  ["tidy", "a", "–", "b"],
  ["quotations", "", "‘", ""],
  ["languageOf", "", "“", ""],
  ["placesIn", "", "in Ab ", ""],
  ["placesIn", "", "UTC+8 ", ""],
  ["readClock", "每天", " ", "点b"],
  ["readTiming", "", " ", ""],
  ["readTiming", "每", " ", "点b"],
  ["readTiming", "", ",", ""],
  ["readTiming", "", "1,", ""],
  ["readTiming", "", "1-", ""],
  ["readTiming", "每天", "1,", "点b"],
  ["readTiming", "every day ", "at 9, ", "x"],
  ["readTiming", "every day", " ", "!at 9pm"],
  ["readTiming", "every day", ", ", "!at 9pm"],
  ["readTiming", "", '"a" ', "every day at 9"],
  ["readTiming", "", "mon,", "x"],
  ["readConfirmation", "", " ", ""],
  ["readConfirmation", "每", " ", "b"],
  ["readConfirmation", "", "一", "x"],
  ["readConfirmation", "", "嗯", "x"],
  ["readConfirmation", "", "好的", "x"],
  ["readConfirmation", "", "就这样就行", "x"],
  ["readConfirmation", "", "please do it ", "x"],
  ["withoutConfirmation", "", "和我", "x"],
  ["withoutConfirmation", "", "a(yes) ", "every day at 9, yes"],
];

test.each(LONG)("%s reads %j, a long row of %j and %j at once", (reader, lead, unit, tail) => {
  const text = lead + unit.repeat(200_000 / unit.length) + tail;
  const start = cpuMs();
  READERS[reader](text);
  expect(cpuMs() - start).toBeLessThan(700);
});
