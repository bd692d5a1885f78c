import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FAILURE_TRANSLATIONS, translateFailure } from "../../../src/protocol/language/failure-messages.ts";

const SRC = join(import.meta.dirname, "..", "..", "..", "src");
/** Where what fails in a conversation is put in words. */
const SOURCES = [
  "core/{agent-run,budget,complete-until-valid,plan-proposal,planning-outcome,planner,questions,create-task-schedule,task-segment,tick,turn-outcome}.ts",
  "core/listeners/{apply-change,instance-state-builder,end-instance,run-listener,instance-state,instance-recovery}.ts",
  "dispatch/*.ts",
  "models/{completion-builder,read-completion,model-errors}.ts",
  "durable/thread-run.ts",
  "agents/kit/{ask,run-failure,agent-limits,mcp,run-agent,tool-agent}.ts",
  "sandbox/worker-loader.ts",
];
/** Sentences there that are for a model, for the log, for whoever registers an agent, or of no failure. */
const OTHERS: ReadonlySet<string> = new Set([
  "Task completed without output.",
  "The model's answer broke off or made no sense; asking again.",
  "The arguments of {} are not JSON.",
  "The arguments of {} are wrong: {}",
  "There are no tasks and no reason: give tasks, or adequate false with a guidance_message.",
  "All right, nothing was set up.",
  "Scheduled: {}. Next run: {}.",
  "The schedule was deleted.",
  "No agent card was found there. {}",
  "The plan was started.",
  "The plan was resumed.",
  "The exchange is over.",
  "The agent needs more information.",
  "The endpoint sent an error.",
  "Something was thrown that is no error.",
  "What the message says under {} cannot be read.",
]);
const LITERAL = /"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
const CHOICE = /\$\{[^{}]*\? "([^"]*)" : "([^"]*)"\}/;

/** Every sentence in quotes, with `{}` for what varies. */
function sentencesIn(file: string): string[] {
  const lines = readFileSync(join(SRC, file), "utf8").split("\n");
  const code = lines.filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line)).join("\n");
  return [...code.matchAll(LITERAL)]
    .map((literal) => literal[1] ?? literal[2] ?? "")
    .flatMap((text) => [text.replace(CHOICE, "$1"), text.replace(CHOICE, "$2")])
    .map((text) => text.replaceAll(/\$\{[^}]*\}/g, "{}").replace(/ Please try again\.$/, ""))
    .filter((text) => /^(?:[A-Z][a-z]*|“\{\}”,) .*(?:\.|: \{\})$/.test(text) && !OTHERS.has(text));
}

describe("a failure is known in both languages", () => {
  test("every sentence of one, and no other", () => {
    const said = globSync(SOURCES, { cwd: SRC }).flatMap(sentencesIn);
    expect(Object.keys(FAILURE_TRANSLATIONS).toSorted()).toEqual([...new Set(said)].toSorted());
  });

  test.each(Object.entries(FAILURE_TRANSLATIONS))("%s", (english, chinese) => {
    const filled = (text: string) => {
      const values = ["7", "a (b) 。\nc", "8"];
      return text.replaceAll("{}", () => values.shift() ?? "");
    };
    expect(chinese).toMatch(/^[\u3000-\u9fff\uff00-\uffef“”{} \w.-]*[\u3400-\u9fff][^.]*(?:。|：\{\})$/);
    expect(translateFailure("zh", filled(english))).toBe(filled(chinese));
    expect(translateFailure("en", filled(english))).toBe(filled(english));
  });

  test("what may be tried again says so", () => {
    const said = translateFailure("zh", "The model said nothing for 60 seconds. Please try again.");
    expect(said).toBe("模型 60 秒没有回应。请再试一次。");
  });

  test.each([`Task a${" depends on a".repeat(60_000)}`, `No${" Please try again.".repeat(50_000)}`])(
    "words that would keep a search busy for long stay as they are",
    (words) => {
      const asked = performance.now();
      expect(translateFailure("zh", words)).toBe(words);
      expect(performance.now() - asked).toBeLessThan(100);
    },
  );

  test.each([
    "",
    "No such page.",
    "No such page. Please try again.",
    "So: The agent could not be reached.",
    "查不到。",
  ])("%j is the word of somebody else, and stays", (words) => {
    expect(translateFailure("zh", words)).toBe(words);
  });
});
