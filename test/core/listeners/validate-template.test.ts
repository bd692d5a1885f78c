import { describe, expect, test } from "vitest";
import { compileTemplate } from "../../../src/core/listeners/compile-template.ts";
import { findBlockers, computeReachability } from "../../../src/core/listeners/reachability.ts";
import { listRequiredInputs, findTemplateProblems } from "../../../src/core/listeners/validate-template.ts";
import { ONBOARDING } from "./onboarding.ts";
import { codeListener, parseConfig, listener, tasks, type TemplateConfigInput } from "./instance-fixture.ts";

const AGENTS = new Set(["hr", "access", "it", "inventory", "email"]);
const createValidConfig = (): TemplateConfigInput => ({
  name: "Good",
  tasks: tasks("001", "002"),
  listeners: [listener("A", "001", "Running", "hr", "002"), codeListener("Z", "002", "Done")],
});
const findProblemsAfter = (
  change: (config: TemplateConfigInput) => void,
  agents: ReadonlySet<string> | null = AGENTS,
) => {
  const config = structuredClone(createValidConfig());
  change(config);
  return findTemplateProblems(parseConfig(config), agents, (code) => (code.includes("(") ? null : "does not parse"));
};
const getFirstListener = (config: TemplateConfigInput) => {
  const [one] = config.listeners;
  if (one === undefined) throw new Error("No listener");
  return one;
};

describe("template", () => {
  test("[F120] has no problems if it is valid", () => {
    expect(findTemplateProblems(parseConfig(ONBOARDING), AGENTS)).toEqual([]);
    expect(findProblemsAfter(() => {})).toEqual([]);
  });

  test.each<[string, (config: TemplateConfigInput) => void, string, string]>([
    ["two tasks with the same id", (c) => c.tasks.push(...tasks("002")), "tasks.2.task_id", "002 is there twice"],
    [
      "two listeners with the same id",
      (c) => c.listeners.push(codeListener("A", "002", "Done")),
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
      (c) => (getFirstListener(c).trigger_task_id = "001,0002"),
      "listeners.0.trigger_task_id",
      "0002. Is 002 meant?",
    ],
    [
      "no trigger",
      (c) => (getFirstListener(c).trigger_task_id = " , "),
      "listeners.0.trigger_task_id",
      "names no task",
    ],
    [
      "an unknown task in a condition",
      (c) => (getFirstListener(c).trigger_condition = "Running && 0033.status == Done"),
      "listeners.0.trigger_condition",
      "Column 12: There is no task 0033",
    ],
    [
      "a condition that does not parse",
      (c) => (getFirstListener(c).trigger_condition = "Running &&"),
      "listeners.0.trigger_condition",
      "Column 11: ends too early",
    ],
    [
      "an action condition that does not parse",
      (c) => (getFirstListener(c).action_condition = "a +"),
      "listeners.0.action_condition",
      "Column 1",
    ],
    [
      "an unknown target",
      (c) => (getFirstListener(c).success_output.task_id = "2"),
      "listeners.0.success_output.task_id",
      "Is 002 meant?",
    ],
    [
      "an unknown target of a failure output",
      (c) => (getFirstListener(c).failure_output = { task_id: "2", status: "Error" }),
      "listeners.0.failure_output.task_id",
      "Is 002 meant?",
    ],
    [
      "an unknown task in a prompt",
      (c) => (getFirstListener(c).action_prompt = "for {021.context.name}"),
      "listeners.0.action_prompt",
      "There is no task 021",
    ],
    [
      "a mistaken placeholder",
      (c) => (getFirstListener(c).action_prompt = 'for {001.contxt.name}, {name} and {"a": {}}'),
      "listeners.0.action_prompt",
      "{001.contxt.name} names nothing. Is {001.context.name} meant?",
    ],
    [
      "an unknown task in an output",
      (c) => (getFirstListener(c).success_output.context = { x: ["{021.context.name}"] }),
      "listeners.0.success_output.context.x",
      "There is no task 021",
    ],
    [
      "an unknown agent",
      (c) => (getFirstListener(c).agent_id = "emial"),
      "listeners.0.agent_id",
      "There is no agent emial. Is email meant?",
    ],
    ["no agent", (c) => (getFirstListener(c).agent_id = null), "listeners.0.agent_id", "needs an agent"],
    ["no prompt", (c) => (getFirstListener(c).action_prompt = " "), "listeners.0.action_prompt", "needs a prompt"],
    [
      "code that does not parse",
      (c) => (c.listeners[1] = { ...codeListener("Z", "002", "Done"), code_snippet: "=>" }),
      "listeners.1.code_snippet",
      "does not parse",
    ],
  ])("is rejected because of %s", (_, change, path, message) => {
    expect(findProblemsAfter(change)).toEqual([{ path, message: expect.stringContaining(message) as string }]);
  });

  test("is accepted with any agent if the agents are unknown", () => {
    expect(findProblemsAfter((config) => (getFirstListener(config).agent_id = "nobody"), null)).toEqual([]);
  });

  test("is rejected with the cycle of listeners that wait for one another", () => {
    const config = parseConfig({
      name: "A circle",
      tasks: tasks("001", "002", "003", "004"),
      listeners: [
        listener("A", "002,004", "002.status == Done && 004.status == Done", "hr", "003"),
        listener("B", "003", "Done", "hr", "002"),
        listener("C", "001", "Running", "hr", "004"),
        codeListener("Z", "002", "Done"),
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

  test("is rejected for a listener that triggers only itself, but not if another listener can trigger it", () => {
    const self = createValidConfig();
    self.listeners.push(listener("S", "003", "Done", "hr", "003"));
    self.tasks.push(...tasks("003"));
    expect(findTemplateProblems(parseConfig(self), null).map(({ message }) => message)).toEqual([
      "S waits for what it alone would do: it can never fire.",
    ]);
    self.listeners.push(listener("H", "002", "Done", "hr", "003"));
    expect(findTemplateProblems(parseConfig(self), null)).toEqual([]);
  });

  test("is rejected if no listener completes the main task", () => {
    const config = createValidConfig();
    config.listeners.pop();
    expect(findTemplateProblems(parseConfig(config), null)).toEqual([
      { path: "main_task_id", message: "No listener makes the main task 001 Done." },
    ]);
  });

  test.each([
    ["Error", "a failure without failure_output sets its target to Error"],
    ["!Done", "it holds from the first change on"],
    ["002.context.level > 3", "a context can contain any value"],
  ])("may use the condition %s: %s", (condition) => {
    const config = createValidConfig();
    config.tasks.push(...tasks("003"));
    config.listeners.push(listener("E", "002", condition, "hr", "003"));
    expect(findTemplateProblems(parseConfig(config), null)).toEqual([]);
  });
});

test("listRequiredInputs() returns the values that prompts use and no listener provides", () => {
  expect(listRequiredInputs(parseConfig(ONBOARDING))).toEqual(["name", "employee_id", "department", "email"]);
});

test("findBlockers() returns a blocking task once, however often its condition names it", () => {
  const condition = Array(500).fill("002.status == Done").join(" && ");
  const config = parseConfig({
    name: "Silent",
    tasks: tasks("001", "002"),
    listeners: [codeListener("A", "002", condition, "002"), codeListener("Z", "001", "Running")],
  });
  const compiled = compileTemplate(config);
  const [silent] = compiled.byTrigger.get("002") ?? [];
  expect(silent === undefined ? [] : findBlockers(silent, computeReachability(compiled))).toEqual(["002"]);
});
