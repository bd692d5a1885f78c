// The rules of the language of the source code that a program can check. CONTRIBUTING.md states them for people.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { VERBS } from "./support/verbs.ts";

const SRC = join(import.meta.dirname, "..", "src");
// A running wrangler keeps temporary files in the folder `.wrangler` beside its configuration.
const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !/\.gen\.ts$|\.wrangler/.test(path))
  .map((path) => ({ path: path.replaceAll("\\", "/"), text: readFileSync(join(SRC, path), "utf8") }));

const COMMENT = /\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm;
const FREE_RELATIVE = /^(What|Who|Whoever|Whom|Whose|Those|Of|Whether)\b/;
/** Names that the language, a library or a convention gives, and the public names of the agent kit. */
const GIVEN_NAMES = new Set([
  "groupBy",
  "signIn",
  "requireSignIn",
  "SignIn",
  "dayOf",
  "dateOf",
  "html",
  "mcpTools",
  "tool",
  "toolAgent",
  "rehypeDirection",
  "rehypeRestrict",
]);
/** The functions of an operator table are named like the operators, and those of the engine like the language's own. */
const OPERATORS = /^sandbox\/isolate\//;

const isGiven = (entry: string): boolean => GIVEN_NAMES.has(entry.split(" ")[0] ?? "");

/** Returns the sentences of all comments. */
function listSentences(text: string): string[] {
  return [...text.matchAll(COMMENT)].flatMap(([comment]) =>
    comment
      .replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)/gm, "")
      .replace(/\*\/$/, "")
      .replaceAll(/\s+/g, " ")
      .trim()
      .split(/(?<=[.;:])\s+(?=[A-Z])/),
  );
}

/** Returns the names that a pattern captures in a file, with the file for the report. */
function listNames(pattern: RegExp, files = sources): string[] {
  return files.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([, name = ""]) => `${name} (${path})`));
}

/** Returns the entries that occur more than `limit` times, with the places. */
function listRepeated(entries: readonly (readonly [name: string, place: string])[], limit: number): string[] {
  const places = Map.groupBy(entries, ([name]) => name);
  return [...places]
    .filter(([, found]) => found.length > limit)
    .map(([name, found]) => `${name}: ${found.map(([, place]) => place).join(", ")}`);
}

describe("source code", () => {
  test("has no comment sentence that begins with a free relative clause", () => {
    const found = sources.flatMap(({ path, text }) =>
      listSentences(text).flatMap((sentence) => (FREE_RELATIVE.test(sentence) ? [`${path}: ${sentence}`] : [])),
    );
    expect(found).toEqual([]);
  });

  test("has no function whose name ends with a preposition", () => {
    const names = listNames(/\bfunction\*?\s+([A-Za-z_$][\w$]*)/g);
    const found = names.filter((name) => /^\w*[a-z](?:Of|In|For|By) /.test(name));
    expect(found.filter((name) => !isGiven(name))).toEqual([]);
  });

  test("exports only functions whose name begins with a verb", () => {
    const files = sources.filter(({ path }) => !OPERATORS.test(path));
    const names = listNames(/^export (?:async )?function\*? *([a-z][\w$]*)/gm, files);
    const found = names.filter((name) => !VERBS.has(/^[a-z]+/.exec(name)?.[0] ?? "") && !isGiven(name));
    expect(found, "Begin with a verb, or add the verb to test/support/verbs.ts").toEqual([]);
  });

  test("declares every exported type name once", () => {
    const types = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?(?:abstract )?(?:type|interface|class) ([A-Z]\w*)/gm)].map(
        ([, name = ""]) => [name, path] as const,
      ),
    );
    expect(listRepeated(types, 1)).toEqual([]);
  });

  test("has no type or file called manager, service, helper, implementation, base or utilities", () => {
    const vague = /(?:Manager|Service|Helper|Helpers|Impl|Base|Utils|Util)$/;
    const types = listNames(/^(?:export )?(?:abstract )?(?:type|interface|class) ([A-Z]\w*)/gm);
    const files = sources.filter(({ path }) => /(?:manager|service|helpers?|impl|base|utils?)\.tsx?$/.test(path));
    expect(types.filter((name) => vague.test(name.split(" ")[0] ?? ""))).toEqual([]);
    expect(files.map(({ path }) => path)).toEqual([]);
  });

  test("uses a file name at most three times", () => {
    const files = sources.map(({ path }) => [basename(path), path] as const);
    expect(listRepeated(files, 3).filter((entry) => !/^(?:index|agent|tools?|types)\.tsx?:/.test(entry))).toEqual([]);
  });

  test("begins every module that declares a class or a module variable with a header", () => {
    const stateful = /^(?:export )?(?:abstract )?class |^let |^const \w+ = new (?:Map|WeakMap|Set)\(\)/m;
    const found = sources.filter(({ text }) => stateful.test(text) && !text.startsWith("// "));
    expect(found.map(({ path }) => path)).toEqual([]);
  });
});

describe("glossary", () => {
  const text = readFileSync(join(SRC, "..", "docs", "glossary.md"), "utf8");
  const rows = [...text.matchAll(/^\| ([^|]+) \| [^|]+ \| `(\w+)` \| `([^`]+)` \| [^|]+ \|$/gm)].map(
    ([, term = "", type = "", file = ""]) => ({ term, type, file }),
  );

  test("defines at most 90 terms, each once", () => {
    expect(rows.length).toBeGreaterThan(60);
    expect(rows.length).toBeLessThanOrEqual(90);
    expect(new Set(rows.map(({ term }) => term)).size).toBe(rows.length);
  });

  test.each(rows)("names the file that declares $type for $term", ({ type, file }) => {
    const source = readFileSync(join(SRC, "..", file), "utf8");
    expect(source).toMatch(new RegExp(`\\b(?:type|interface|class) ${type}\\b`));
  });
});
