// The rules of the message catalogue. Each rule is a function over catalogues and sources that returns the violations; it
// runs on the real catalogue and on a copy with a planted fault, which it must find.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, test } from "vitest";
import { AGENT_MESSAGES, formatAgentMessage } from "../../src/language/agent-messages.ts";
import mainEn from "../../src/language/messages/en.json" with { type: "json" };
import mainZh from "../../src/language/messages/zh.json" with { type: "json" };
import { createMessage, formatMessage } from "../../src/language/messages.ts";

const en = { ...AGENT_MESSAGES.en, ...mainEn };
const zh = { ...AGENT_MESSAGES.zh, ...mainZh };

type Catalogue = Readonly<Record<string, string>>;
/** The text of each source file by its path. */
type Sources = Readonly<Record<string, string>>;
type CatalogueInput = { readonly en: Catalogue; readonly zh: Catalogue; readonly sources: Sources };

const SRC = join(import.meta.dirname, "..", "..", "src");
/** Literals of the form of a key that are fields, files or events. */
const OTHER_NAMES: ReadonlySet<string> = new Set([
  "mcp.headers",
  "mcp.url",
  "schedule.run",
  "tool.js",
  "webhook.secret",
  "webhook.url",
]);
/** Stands for a placeholder in the text of a sentence. */
const GAP = "\u25A1";

/** The keys of the sentences that are formatted without MessageFormat. */
const AGENT_KEYS = Object.keys(AGENT_MESSAGES.en) as (keyof typeof AGENT_MESSAGES.en)[];

/** Calls with a literal key: `createMessage` with a flat literal object or without parameters, or `createFault`. */
const CALLS = [
  /createMessage\(\s*"([\w.]+)"(?:,\s*\{([^{}]*)\},?\s*\)|,?\s*\))/g,
  /createFault\(\s*"\w+",\s*"([\w.]+)"/g,
];

/** The web application has its own catalogue. */
function readSources(): Sources {
  const files = globSync("**/*.ts", { cwd: SRC }).filter((file) => !/^web[\\/]/.test(file));
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(SRC, file), "utf8")]));
}

type AstElement = ReturnType<IntlMessageFormat["getAst"]>[number];

/** Returns the names of the placeholders, sorted, also of nested ones. Throws if the sentence does not parse. */
function listPlaceholders(sentence: string, language: string): string[] {
  const listNames = (elements: readonly AstElement[]): string[] =>
    elements.flatMap((element) => {
      const nested =
        "options" in element ? Object.values(element.options).flatMap(({ value }) => listNames(value)) : [];
      return "value" in element && typeof element.value === "string" && element.type !== 0
        ? [element.value, ...nested]
        : nested;
    });
  return [...new Set(listNames(new IntlMessageFormat(sentence, language).getAst()))].toSorted();
}

/** Returns the texts that a sentence may show, with `GAP` for each placeholder, one per option of a choice. */
function listShownTexts(sentence: string): string[] {
  const render = (elements: readonly AstElement[]): string[] => {
    const options = elements.flatMap((element) =>
      "options" in element ? Object.values(element.options).flatMap(({ value }) => render(value)) : [],
    );
    return [elements.map((element) => (element.type === 0 ? element.value : GAP)).join(""), ...options];
  };
  return render(new IntlMessageFormat(sentence, "zh").getAst());
}

/** Returns the string literals of a source that may be keys. */
function listLiterals(text: string): readonly string[] {
  return text.match(/(?<=")[a-z]\w*(?:\.[a-z]\w*)?(?=")/gi) ?? [];
}

/** Returns the text without the name of the field at its start. */
function removeFieldName(text: string): string {
  return text.replace(/^[\w.\u25A1]+: /, "");
}

const RULES = {
  "both catalogues have the same keys": ({ en: first, zh: second }: CatalogueInput) => [
    ...Object.keys(first).filter((key) => !(key in second)),
    ...Object.keys(second).filter((key) => !(key in first)),
  ],

  "every sentence parses and has the same placeholders in both languages": ({ en: first, zh: second }) =>
    Object.keys(first).filter((key) => {
      try {
        const names = listPlaceholders(first[key] ?? "", "en");
        return names.join() !== listPlaceholders(second[key] ?? "", "zh").join();
      } catch {
        return true;
      }
    }),

  "every key is used in a source": ({ en: first, sources }) => {
    const literals = new Set(Object.values(sources).flatMap(listLiterals));
    const isComputed = (area: string, name: string): boolean =>
      Object.values(sources).some((text) => text.includes(`\`${area}.\${`) && text.includes(`"${name}"`));
    return Object.keys(first).filter((key) => {
      const [area = "", name = ""] = key.split(".");
      return !literals.has(key) && !isComputed(area, name);
    });
  },

  "every key in a source exists": ({ en: first, sources }) => {
    const areas = new Set(Object.keys(first).flatMap((key) => (key.includes(".") ? key.split(".").slice(0, 1) : [])));
    const isKey = (text: string): boolean =>
      text.includes(".") && areas.has(text.split(".")[0] ?? "") && !OTHER_NAMES.has(text);
    const literals = new Set(Object.values(sources).flatMap(listLiterals));
    return [...literals].filter((text) => isKey(text) && !(text in first));
  },

  "every call passes the parameters of its sentence": ({ en: first, sources }) =>
    Object.values(sources)
      .flatMap((text) => CALLS.flatMap((call) => [...text.matchAll(call)]))
      .flatMap(([, key = "", given]) => {
        if (!(key in first) || given?.includes("...") === true) return [];
        const names = new Set((given ?? "").split(",").map((member) => member.split(":")[0]?.trim()));
        return listPlaceholders(first[key] ?? "", "en").every((name) => names.has(name)) ? [] : [key];
      }),

  "every Chinese entry is Chinese": ({ zh: second }) =>
    Object.keys(second).filter((key) => {
      const text = listShownTexts(second[key] ?? "").join("");
      return /\p{Script=Latin}{2}/u.test(removeFieldName(text)) && !/\p{Script=Han}/u.test(text);
    }),

  "every Chinese entry has full-width punctuation": ({ zh: second }) =>
    Object.keys(second).filter((key) =>
      listShownTexts(second[key] ?? "").some((text) =>
        /\p{Script=Han}(?:[,;:!?()"']| \(|\.(?!\w))|[,;:!?()"'] ?\p{Script=Han}/u.test(removeFieldName(text)),
      ),
    ),

  "every Chinese entry has a space between Chinese and Latin letters or digits": ({ zh: second }) =>
    Object.keys(second).filter((key) =>
      listShownTexts(second[key] ?? "").some((text) => /\p{Script=Han}[a-z0-9]|[a-z0-9]\p{Script=Han}/iu.test(text)),
    ),
} satisfies Record<string, (input: CatalogueInput) => string[]>;
type Rule = keyof typeof RULES;

const REAL: CatalogueInput = { en, zh, sources: readSources() };

/** One fault per rule, with the violation that the rule must report. */
const FAULTS: Readonly<Record<Rule, readonly { change: Partial<CatalogueInput>; found: string }[]>> = {
  "both catalogues have the same keys": [
    { change: { en: { ...en, "turn.extra": "Extra." } }, found: "turn.extra" },
    { change: { zh: { ...zh, "turn.extra": "多余。" } }, found: "turn.extra" },
  ],
  "every sentence parses and has the same placeholders in both languages": [
    { change: { en: { ...en, "agent.silent": "Silent for {seconds" } }, found: "agent.silent" },
    { change: { zh: { ...zh, "agent.silent": "智能体没有响应。" } }, found: "agent.silent" },
    { change: { zh: { ...zh, "agent.silent": "智能体 {second, number} 秒没有响应。" } }, found: "agent.silent" },
  ],
  "every key is used in a source": [
    { change: { en: { ...en, "turn.unused": "Unused." } }, found: "turn.unused" },
    { change: { en: { ...en, "pageExport.unused": "Unused" } }, found: "pageExport.unused" },
  ],
  "every key in a source exists": [
    { change: { sources: { "a.ts": 'createMessage("turn.missing")' } }, found: "turn.missing" },
  ],
  "every call passes the parameters of its sentence": [
    { change: { sources: { "a.ts": 'createMessage("agent.silent")' } }, found: "agent.silent" },
    { change: { sources: { "a.ts": 'createMessage("agent.silent", { second, limit: 1 })' } }, found: "agent.silent" },
    { change: { sources: { "a.ts": 'createFault("conflict", "agent.silent", { field })' } }, found: "agent.silent" },
  ],
  "every Chinese entry is Chinese": [
    { change: { zh: { ...zh, "turn.cancelled": en["turn.cancelled"] } }, found: "turn.cancelled" },
  ],
  "every Chinese entry has full-width punctuation": [
    { change: { zh: { ...zh, "turn.cancelled": "你已取消." } }, found: "turn.cancelled" },
    { change: { zh: { ...zh, "turn.cancelled": "请回答 (是), 或者否。" } }, found: "turn.cancelled" },
    { change: { zh: { ...zh, "turn.cancelled": '任务"a"已取消。' } }, found: "turn.cancelled" },
  ],
  "every Chinese entry has a space between Chinese and Latin letters or digits": [
    { change: { zh: { ...zh, "turn.cancelled": "请检查JSON。" } }, found: "turn.cancelled" },
  ],
};

describe("the message catalogue", () => {
  test.each(Object.keys(RULES) as Rule[])("%s", (rule) => {
    expect(RULES[rule](REAL)).toEqual([]);
  });

  describe.each(Object.keys(FAULTS) as Rule[])("the rule that %s", (rule) => {
    test.each(FAULTS[rule])("finds a planted fault: $found", ({ change, found }) => {
      expect(RULES[rule]({ ...REAL, ...change })).toContain(found);
    });
  });
});

describe("formatMessage()", () => {
  test("formats nested messages, enumerations, consecutive sentences and numbers in the language", () => {
    const reason = createMessage("model.rateLimited");
    const failed = createMessage("agent.errorResponse", { reason });
    expect(formatMessage("en", failed)).toBe(
      "The agent returned an error: The model endpoint is rate-limited. Try again in a minute.",
    );
    expect(formatMessage("zh", failed)).toBe("智能体返回错误：模型服务限流，请一分钟后重试。");
    const missing = createMessage("workflow.valuesMissing", { names: ["a.x", "b.y"] });
    expect(formatMessage("en", missing)).toBe("These values are missing: a.x, b.y.");
    expect(formatMessage("zh", missing)).toBe("缺少以下值：a.x、b.y。");
    expect(formatMessage("en", [missing, missing])).toBe(
      `${formatMessage("en", missing)} ${formatMessage("en", missing)}`,
    );
    expect(formatMessage("zh", [missing, missing])).toBe(formatMessage("zh", missing).repeat(2));
    expect(formatMessage("en", createMessage("agent.silent", { seconds: 1 }))).toMatch(/for 1 second\.$/);
    expect(formatMessage("en", createMessage("turn.tokenLimit", { limit: 100_000 }))).toContain("100,000 tokens");
  });

  test.each(["", "No such page.", "{braces} and 'quotes'", "查不到。"])("returns the string %j unchanged", (text) => {
    expect(formatMessage("zh", text)).toBe(text);
  });

  test("throws if a parameter is missing", () => {
    expect(() => formatMessage("en", createMessage("agent.silent"))).toThrow("seconds");
  });
});

describe("formatAgentMessage()", () => {
  test.each(AGENT_KEYS)("formats %s like formatMessage()", (key) => {
    const names = listPlaceholders(en[key], "en");
    const params = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
    for (const language of ["en", "zh"] as const)
      expect(formatAgentMessage(language, key, params)).toBe(formatMessage(language, createMessage(key, params)));
  });
});
