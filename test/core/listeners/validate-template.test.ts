import { describe, expect, test } from "vitest";
import { compileTemplate } from "../../../src/core/listeners/compile-template.ts";
import { findBlockers, computeReachability } from "../../../src/core/listeners/reachability.ts";
import { listRequiredInputs, findTemplateProblems } from "../../../src/core/listeners/validate-template.ts";
import { ONBOARDING } from "./onboarding.ts";
import { closing, configOf, listener, tasks, type GivenConfig } from "./playing.ts";

const AGENTS = new Set(["hr", "access", "it", "inventory", "email"]);
const good = (): GivenConfig => ({
  name: "Good",
  tasks: tasks("001", "002"),
  listeners: [listener("A", "001", "Running", "hr", "002"), closing("Z", "002", "Done")],
});
const wrong = (change: (config: GivenConfig) => void, agents: ReadonlySet<string> | null = AGENTS) => {
  const config = structuredClone(good());
  change(config);
  return findTemplateProblems(configOf(config), agents, (code) => (code.includes("(") ? null : "does not parse"));
};
const first = (config: GivenConfig) => {
  const [one] = config.listeners;
  if (one === undefined) throw new Error("No listener");
  return one;
};

describe("a template", () => {
  test("[F120] that is sound has no problems", () => {
    expect(findTemplateProblems(configOf(ONBOARDING), AGENTS)).toEqual([]);
    expect(wrong(() => {})).toEqual([]);
  });

  test.each<[string, (config: GivenConfig) => void, string, string]>([
    ["two tasks of one id", (c) => c.tasks.push(...tasks("002")), "tasks.2.task_id", "002 is there twice"],
    [
      "two listeners of one id",
      (c) => c.listeners.push(closing("A", "002", "Done")),
      "listeners.2.listener_id",
      "A is",
    ],
    ["an unknown main task", (c) => (c.main_task_id = "01"), "main_task_id", "There is no task 01. Is 001 meant?"],
    [
      "an unknown parent",
      (c) => (c.tasks[1] = { task_id: "002", name: "x", parent_task_id: "9" }),
      "tasks.1.parent_task_id",
      "9",
    ],
    [
      "an unknown trigger",
      (c) => (first(c).trigger_task_id = "001,0002"),
      "listeners.0.trigger_task_id",
      "0002. Is 002 meant?",
    ],
    ["no trigger", (c) => (first(c).trigger_task_id = " , "), "listeners.0.trigger_task_id", "names no task"],
    [
      "an unknown task in a condition",
      (c) => (first(c).trigger_condition = "Running && 0033.status == Done"),
      "listeners.0.trigger_condition",
      "Column 12: There is no task 0033",
    ],
    [
      "a condition that does not parse",
      (c) => (first(c).trigger_condition = "Running &&"),
      "listeners.0.trigger_condition",
      "Column 11: ends too early",
    ],
    [
      "an action condition that does not",
      (c) => (first(c).action_condition = "a +"),
      "listeners.0.action_condition",
      "Column 1",
    ],
    [
      "an unknown target",
      (c) => (first(c).success_output.task_id = "2"),
      "listeners.0.success_output.task_id",
      "Is 002 meant?",
    ],
    [
      "an unknown target of a failure",
      (c) => (first(c).failure_output = { task_id: "2", status: "Error" }),
      "listeners.0.failure_output.task_id",
      "Is 002 meant?",
    ],
    [
      "an unknown task in a prompt",
      (c) => (first(c).action_prompt = "for {021.context.name}"),
      "listeners.0.action_prompt",
      "There is no task 021",
    ],
    [
      "a mistaken placeholder",
      (c) => (first(c).action_prompt = 'for {001.contxt.name}, {name} and {"a": {}}'),
      "listeners.0.action_prompt",
      "{001.contxt.name} names nothing. Is {001.context.name} meant?",
    ],
    [
      "an unknown task in an output",
      (c) => (first(c).success_output.context = { x: ["{021.context.name}"] }),
      "listeners.0.success_output.context.x",
      "There is no task 021",
    ],
    [
      "an unknown agent",
      (c) => (first(c).agent_id = "emial"),
      "listeners.0.agent_id",
      "There is no agent emial. Is email meant?",
    ],
    ["no agent", (c) => (first(c).agent_id = null), "listeners.0.agent_id", "needs an agent"],
    ["no prompt", (c) => (first(c).action_prompt = " "), "listeners.0.action_prompt", "needs a prompt"],
    [
      "code that does not parse",
      (c) => (c.listeners[1] = { ...closing("Z", "002", "Done"), code_snippet: "=>" }),
      "listeners.1.code_snippet",
      "does not parse",
    ],
  ])("with %s is refused", (_, change, path, message) => {
    expect(wrong(change)).toEqual([{ path, message: expect.stringContaining(message) as string }]);
  });

  test("is not judged for its agents where they are unknown", () => {
    expect(wrong((config) => (first(config).agent_id = "nobody"), null)).toEqual([]);
  });

  test("whose listeners wait for one another names the circle", () => {
    const config = configOf({
      name: "A circle",
      tasks: tasks("001", "002", "003", "004"),
      listeners: [
        listener("A", "002,004", "002.status == Done && 004.status == Done", "hr", "003"),
        listener("B", "003", "Done", "hr", "002"),
        listener("C", "001", "Running", "hr", "004"),
        closing("Z", "002", "Done"),
      ],
    });
    expect(findTemplateProblems(config, null)).toEqual([
      {
        path: "listeners.0.trigger_condition",
        message: "These listeners wait for one another in a circle, so that none can ever fire: A → B → A.",
      },
      { path: "main_task_id", message: "The main task 001 can never be Done, as this can never fire: Z (“Done”)." },
    ]);
  });

  test("with a listener that waits for itself says so; one that somebody else helps is sound", () => {
    const self = good();
    self.listeners.push(listener("S", "003", "Done", "hr", "003"));
    self.tasks.push(...tasks("003"));
    expect(findTemplateProblems(configOf(self), null).map(({ message }) => message)).toEqual([
      "S waits for what it alone would do: it can never fire.",
    ]);
    self.listeners.push(listener("H", "002", "Done", "hr", "003"));
    expect(findTemplateProblems(configOf(self), null)).toEqual([]);
  });

  test("whose main task nothing makes Done is refused", () => {
    const config = good();
    config.listeners.pop();
    expect(findTemplateProblems(configOf(config), null)).toEqual([
      { path: "main_task_id", message: "No listener makes the main task 001 Done." },
    ]);
  });

  test.each([
    ["Error", "a failure without a way out makes its target Error"],
    ["!Done", "it is so from the first change"],
    ["002.context.level > 3", "what is known may be anything"],
  ])("may wait for %s: %s", (condition) => {
    const config = good();
    config.tasks.push(...tasks("003"));
    config.listeners.push(listener("E", "002", condition, "hr", "003"));
    expect(findTemplateProblems(configOf(config), null)).toEqual([]);
  });
});

test("the inputs of a template are the values that prompts use and no listener brings", () => {
  expect(listRequiredInputs(configOf(ONBOARDING))).toEqual(["name", "employee_id", "department", "email"]);
});

test("a task that keeps a listener from firing counts once, however often its conditions name it", () => {
  const condition = Array(500).fill("002.status == Done").join(" && ");
  const config = configOf({
    name: "Silent",
    tasks: tasks("001", "002"),
    listeners: [closing("A", "002", condition, "002"), closing("Z", "001", "Running")],
  });
  const compiled = compileTemplate(config);
  const [silent] = compiled.byTrigger.get("002") ?? [];
  expect(silent === undefined ? [] : findBlockers(silent, computeReachability(compiled))).toEqual(["002"]);
});
