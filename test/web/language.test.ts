import { IntlMessageFormat } from "intl-messageformat";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { sayIn, setLanguage, type Words } from "../../src/web/language.ts";
import { createFormatter } from "../../src/web/formatter.ts";
import { getPreference } from "../../src/web/preference.ts";
import { toUserError } from "../../src/web/user-error.ts";

const WEB = join(import.meta.dirname, "..", "..", "src", "web");
const files = readdirSync(WEB, { recursive: true, encoding: "utf8" }).filter((file) =>
  /(^|[\\/])words\.ts$/.test(file),
);

describe.each(files)("%s", async (file) => {
  const { WORDS } = (await import(join(WEB, file))) as { WORDS: Words<string> };

  test("has the same sentences in both languages", () => {
    expect(Object.keys(WORDS["zh-CN"]).toSorted()).toEqual(Object.keys(WORDS.en).toSorted());
  });

  test("can be read, and names the same values in both languages", () => {
    for (const name of Object.keys(WORDS.en))
      expect(valuesOf(WORDS["zh-CN"][name] ?? ""), name).toEqual(valuesOf(WORDS.en[name] ?? ""));
  });

  test("a count is written alike in both languages", () => {
    for (const [name, text] of Object.entries(WORDS.en)) {
      for (const [, value = ""] of text.matchAll(/\{(\w+), plural/g)) {
        const values = Object.fromEntries(valuesOf(text).map((one) => [one, one === value ? 1_234 : "-"]));
        expect(sayIn("zh-CN", WORDS)(name, values), name).not.toContain("1234");
      }
    }
  });

  test("Chinese has its own punctuation", () => {
    const western = /\p{Script=Han}[:;,(!?]|\)\p{Script=Han}|\}[:;(]/u;
    expect(Object.values(WORDS["zh-CN"]).filter((text) => western.test(text))).toEqual([]);
  });

  test("Chinese has no sentence left in English", () => {
    const english = Object.entries(WORDS["zh-CN"]).filter(([name, text]) => text === WORDS.en[name] && / /.test(text));
    expect(english).toEqual([]);
  });
});

test("sentences count as the language does", () => {
  const words = { en: { n: "{n, plural, one {# task} other {# tasks}}" }, "zh-CN": { n: "{n} 个任务" } };
  expect(sayIn("en", words)("n", { n: 1 })).toBe("1 task");
  expect(sayIn("en", words)("n", { n: 1200 })).toBe("1,200 tasks");
  expect(sayIn("zh-CN", words)("n", { n: 2 })).toBe("2 个任务");
});

test("that the server is away is said in the person's language, and its own words stay as they are", () => {
  const away = new Fault("unavailable", "http://localhost:1 cannot be reached.", { cause: new TypeError() });
  const busy = new Fault("unavailable", "Come back later.");
  onTestFinished(() => getPreference("language").set(null));
  setLanguage("zh-CN");
  expect(toUserError(away)).toEqual({ code: "unavailable", message: "无法连接到服务器。" });
  expect(toUserError(busy).message).toBe("Come back later.");
  setLanguage("en");
  expect(toUserError(away).message).toBe("The server cannot be reached.");
});

test("what a sentence quotes turns nothing around it, and an emoji stays whole", () => {
  const words = { en: { n: "“{title}” is deleted." }, "zh-CN": { n: "" } };
  expect(sayIn("en", words)("n", { title: "\u202egnp.exe" })).toBe("“\\u202egnp.exe” is deleted.");
  expect(sayIn("en", words)("n", { title: "👨‍👩‍👧 a\nb" })).toBe("“👨‍👩‍👧 a\nb” is deleted.");
});

test("times and spans are written as the language does", () => {
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

test("tomorrow is the next day of the calendar", () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
  const distance = (to: number, now: number) => createFormatter("en").relativeTime(to, now);
  expect(distance(at(24, 0), at(22, 23))).toBe("in 2 days");
  expect(distance(at(23, 23), at(22, 0))).toBe("tomorrow");
  expect(distance(at(20, 23), at(22, 1))).toBe("2 days ago");
  expect(distance(at(22, 23), at(22, 0))).toBe("in 23 hours");
});

test("a month and a year away are told as numbers: the next of the calendar may be another", () => {
  const distance = (to: Date, now: Date) => createFormatter("en").relativeTime(to.getTime(), now.getTime());
  expect(distance(new Date(2028, 1, 29), new Date(2026, 10, 24))).toBe("in 1 year");
  expect(distance(new Date(2027, 2, 2), new Date(2027, 0, 31))).toBe("in 1 month");
  expect(distance(new Date(2026, 11, 1), new Date(2027, 0, 31))).toBe("2 months ago");
});

type Element = {
  readonly type: number;
  readonly value?: string;
  readonly options?: Record<string, { value: Element[] }>;
};

function valuesOf(sentence: string): string[] {
  const names = new Set<string>();
  const walk = (elements: readonly Element[]) => {
    for (const { type, value, options = {} } of elements) {
      if (type !== LITERAL && value !== undefined) names.add(value);
      for (const option of Object.values(options)) walk(option.value);
    }
  };
  walk(new IntlMessageFormat(sentence, "en").getAst() as Element[]);
  return [...names].toSorted();
}
const LITERAL = 0;
