import { IntlMessageFormat } from "intl-messageformat";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Fault } from "../../src/protocol/wire/fault.ts";
import {
  formatMessageSource,
  getLanguage,
  setLanguage,
  type MessageNamespace,
} from "../../src/web/session/language.ts";
import en from "../../src/web/messages/en.json";
import zh from "../../src/web/messages/zh.json";
import { getPreference } from "../../src/web/session/preference.ts";
import { toUserError } from "../../src/web/session/user-error.ts";

const WEB = join(import.meta.dirname, "..", "..", "src", "web");
const NAMESPACES = Object.keys(en) as MessageNamespace[];

describe.each(NAMESPACES)("messages of %s", (namespace) => {
  const english = Object.entries<string>(en[namespace]);
  const chinese: Readonly<Record<string, string>> = zh[namespace];

  test("exist in both languages", () => {
    expect(Object.keys(zh)).toEqual(Object.keys(en));
    expect(Object.keys(chinese)).toEqual(english.map(([key]) => key));
  });

  test("are valid, with the same placeholders in both languages", () => {
    for (const [key, text] of english)
      expect(listPlaceholders(chinese[key] ?? ""), key).toEqual(listPlaceholders(text));
  });

  test("have exactly the plural forms of their language", () => {
    for (const [key, text] of english) {
      for (const forms of listPluralForms(text)) expect(forms, key).toEqual(["one", "other"]);
      for (const forms of listPluralForms(chinese[key] ?? "")) expect(forms, key).toEqual(["other"]);
    }
  });

  test("group the digits of a count in both languages", () => {
    for (const [key, text] of english) {
      for (const [, value = ""] of text.matchAll(/\{(\w+), plural/g)) {
        const values = Object.fromEntries(listPlaceholders(text).map((name) => [name, name === value ? 1_234 : "-"]));
        expect(formatMessageSource(chinese[key] ?? "", "zh-CN", values), key).not.toContain("1234");
      }
    }
  });

  test("have full-width punctuation in Chinese, and spaces between Chinese and Latin letters or digits", () => {
    const western = /\p{Script=Han}[:;,(!?.]|[:;,)!?]\p{Script=Han}|\}[:;(]/u;
    const joined = /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u;
    expect(Object.entries(chinese).filter(([, text]) => western.test(text) || joined.test(text))).toEqual([]);
  });

  test("are translated", () => {
    expect(
      Object.entries(chinese).filter(([key, text]) =>
        isUntranslated(text, english.find(([name]) => name === key)?.[1]),
      ),
    ).toEqual([]);
    expect(english.filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([]);
  });

  test("follow the style of the product", () => {
    const wrongEnglish = / …|\.\.\.|\bPlans\b|[Pp]lan template|\w'\w/;
    expect(english.filter(([, text]) => wrongEnglish.test(text))).toEqual([]);
    expect(Object.entries(chinese).filter(([, text]) => /您|\.\.\.| …|计划模板/.test(text))).toEqual([]);
  });
});

/** A sentence that is the same in both languages. Single words may be names. */
function isUntranslated(chinese: string, english: string | undefined): boolean {
  const words = chinese.replaceAll(/\{[^}]*\}/g, "");
  return chinese === english && /[A-Za-z]+ [A-Za-z]+/.test(words);
}

describe("keys", () => {
  const files = readdirSync(WEB, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(WEB, file), "utf8"));

  test("all messages are used", () => {
    const unused = NAMESPACES.flatMap((namespace) => {
      const source = files.filter((text) => namesNamespace(text, namespace)).join("\n");
      const patterns = listKeyPatterns(source);
      return Object.keys(en[namespace])
        .filter(
          (key) =>
            !new RegExp(`(?<!\\w\\[|[!=]== |case )"${key}"`).test(source) &&
            !patterns.some((pattern) => pattern.test(key)),
        )
        .filter((key) => COMPUTED_KEYS[namespace]?.split(" ").includes(key) !== true)
        .map((key) => `${namespace}.${key}`);
    });
    expect(unused).toEqual([]);
  });

  test("all used messages exist", () => {
    const uses = files.flatMap((text) =>
      [...text.matchAll(/const (\w+) = (?:useMessages\(|getMessages\([^;]*?, )"\w+"\)/g)]
        .flatMap(([, name = ""]) => [...text.matchAll(new RegExp(`(?<![\\w.])${name}\\(([^()]*)`, "g"))])
        .flatMap(([, argument = ""]) => [...(argument.split(", {")[0] ?? "").matchAll(/(?<![!=]== |\[)"(\w+)"/g)])
        .map(([, key = ""]) => ({ text, key })),
    );
    expect(uses.length).toBeGreaterThan(500);
    const missing = uses.filter(
      ({ text, key }) => !NAMESPACES.some((name) => namesNamespace(text, name) && key in en[name]),
    );
    expect(missing.map(({ key }) => key)).toEqual([]);
  });
});

/** Keys that are values of data: statuses, kinds, names of areas. */
const COMPUTED_KEYS: Partial<Record<MessageNamespace, string>> = {
  shell: "agents schedules tools pages workflows offline unreachable",
  conversations: "today yesterday week older",
  taskPlan:
    "scheduled direct_response single_agent multi_agent needs_planning executed_and_verified verification_failed executed_but_unverified verification_exception cancelled completed no_verification_tool pending retrying running",
  question: "required object integer json number sending sent",
  schedules: "failed cancelled minutesWrong timeWrong textWrong delivered retrying gone completed running skipped",
  workflows: "Running Retrying Pending Error ended Done and or",
  tools: "datetime calendar math other failed completed text",
  pages: "success error running",
  blocks: "up down warning success error easy medium hard neutral",
  datasets: "integer date datetime boolean text number",
  dialogs: "system light dark",
  agents: "plan",
  chat: "planning summing thinking verifying waiting",
};

function namesNamespace(source: string, namespace: string): boolean {
  return new RegExp(`(?:useMessages\\(|getMessages\\([^;]*?, |Translate<|UiMessageKey<)"${namespace}"`).test(source);
}

/** Returns a pattern for each key that is written as a template literal, such as `role_${name}`. */
function listKeyPatterns(source: string): RegExp[] {
  const templates = [...source.matchAll(/(?<![\w.])t\w*\(`([^`]*)`/g)].map(([, template = ""]) => template);
  return templates.map((template) => new RegExp(`^${template.replaceAll(/\$\{[^}]*\}/g, ".+")}$`));
}

test("a plural follows the rules of the language", () => {
  const [english, chinese] = ["{n, plural, one {# task} other {# tasks}}", "{n, number} 个任务"];
  expect(formatMessageSource(english, "en", { n: 1 })).toBe("1 task");
  expect(formatMessageSource(english, "en", { n: 1200 })).toBe("1,200 tasks");
  expect(formatMessageSource(chinese, "zh-CN", { n: 2 })).toBe("2 个任务");
});

test("an unreachable server is described in the current language, other errors by the server", async () => {
  const unreachable = new Fault("unavailable", "http://localhost:1 cannot be reached.", { cause: new TypeError() });
  onTestFinished(() => getPreference("language").set(null));
  await setLanguage("zh-CN");
  expect(toUserError(unreachable)).toEqual({ code: "unavailable", message: "无法连接服务器。" });
  expect(toUserError(new Fault("unavailable", "Come back later.")).message).toBe("Come back later.");
  await setLanguage("en");
  expect(toUserError(unreachable).message).toBe("Can’t reach the server.");
});

test("the latest of several language changes wins", async () => {
  onTestFinished(() => getPreference("language").set(null));
  await Promise.all([setLanguage("zh-CN"), setLanguage("en")]);
  expect([getLanguage(), getPreference("language").get()]).toEqual(["en", "en"]);
});

test("a value cannot change the direction of its message, and an emoji stays whole", () => {
  expect(formatMessageSource("“{title}” deleted", "en", { title: "\u202egnp.exe" })).toBe("“\\u202egnp.exe” deleted");
  expect(formatMessageSource("“{title}” deleted", "en", { title: "👨‍👩‍👧 a\nb" })).toBe("“👨‍👩‍👧 a\nb” deleted");
});

type MessageElement = {
  readonly type: number;
  readonly value?: string;
  readonly options?: Record<string, { value: MessageElement[] }>;
};
const LITERAL = 0;
const PLURAL = 6;

function listPlaceholders(message: string): string[] {
  const names = listElements(message).flatMap(({ type, value }) =>
    type === LITERAL || value === undefined ? [] : value,
  );
  return [...new Set(names)].toSorted();
}

/** Returns the forms of each plural of the message, without exact numbers such as `=0`. */
function listPluralForms(message: string): string[][] {
  return listElements(message)
    .filter(({ type }) => type === PLURAL)
    .map(({ options = {} }) => Object.keys(options).filter((form) => !form.startsWith("=")));
}

/** Returns the elements of a message and of all its plural forms. */
function listElements(message: string): MessageElement[] {
  const collect = (elements: readonly MessageElement[]): MessageElement[] =>
    elements.flatMap((element) => [
      element,
      ...Object.values(element.options ?? {}).flatMap(({ value }) => collect(value)),
    ]);
  return collect(new IntlMessageFormat(message, "en").getAst() as MessageElement[]);
}
