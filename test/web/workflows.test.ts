// Workflows: conditions as text, graphs of templates and instances, and the forms that start and resume them.

import { describe, expect, test } from "vitest";
import config from "../../examples/onboarding/config.json" with { type: "json" };
import { listRequiredInputs, findTemplateProblems } from "../../src/core/listeners/validate-template.ts";
import {
  instanceListenerSchema,
  instanceTaskSchema,
  type WorkflowInstanceDetails,
} from "../../src/protocol/workflows/workflow-instance.ts";
import {
  workflowConfigSchema,
  workflowTemplateSchema,
  type WorkflowTemplate,
} from "../../src/protocol/workflows/workflow-template.ts";
import { getMessages, type UiLanguage } from "../../src/web/session/language.ts";
import { formatCondition, matchesAnyChange } from "../../src/web/features/workflows/diagram/format-condition.ts";
import {
  parseContextFields,
  parseExtraContext,
  listInputNames,
  buildResumeContext,
  formatContextValue,
  parseContextValue,
} from "../../src/web/features/workflows/context-form.ts";
import { EXAMPLE_WORKFLOW } from "../../src/protocol/workflows/example-workflow.ts";
import { toPlanInput } from "../../src/web/features/workflows/templates/template-config.ts";
import {
  drawInstance,
  drawTemplate,
  listTaskListeners,
  layoutWorkflow,
  buildGraphTasks,
  listTriggers,
  formatStatusReason,
  replaceListenerId,
} from "../../src/web/features/workflows/diagram/drawn-workflow.ts";
import { getInstanceStatus } from "../../src/web/features/workflows/instance-status.ts";
import "./load-messages.ts";

const NAMES: Readonly<Record<string, string>> = { "001": "Order", "002": "Invoice" };
const getTaskName = (id: string) => NAMES[id] ?? id;

const describeCondition = (text: string, language: UiLanguage = "en", triggers: readonly string[] = ["002"]) =>
  formatCondition(text, { triggers, getTaskName, t: getMessages(language, "workflows") });

function template(of: object): WorkflowTemplate {
  const defaults = { plan_id: "p", main_task_id: "001", version: 1, status: "draft", created_at: 0, updated_at: 0 };
  return workflowTemplateSchema.parse({ ...defaults, ...of });
}

describe("formatted condition", () => {
  test.each([
    ["002.status == Done", "“Invoice” is Done", "“Invoice”为已完成"],
    ["001.status==Running", "“Order” is Running", "“Order”为进行中"],
    ["001.status != completed", "“Order” is not Done", "“Order”不为已完成"],
    ["Done", "“Invoice” is Done", "“Invoice”为已完成"],
    ["status == Error", "“Invoice” is Failed", "“Invoice”为失败"],
    ["002 == Done", "“Invoice” is Done", "“Invoice”为已完成"],
    [
      "001.status == Done && 002.status == Done",
      "“Order” is Done and “Invoice” is Done",
      "“Order”为已完成并且“Invoice”为已完成",
    ],
    [
      "001.status == Done or not (002.status = Error)",
      "“Order” is Done or not (“Invoice” is Failed)",
      "“Order”为已完成或者并非（“Invoice”为失败）",
    ],
    ["001.context.amount > 100", "amount of “Order” is greater than 100", "“Order”的 amount 大于 100"],
    ['001.context.city == "New York"', "city of “Order” is “New York”", "“Order”的 city 为“New York”"],
    ["002.context.paid", "paid of “Invoice” is set", "“Invoice”的 paid 已有值"],
    ["003.status == Done", "“003” is Done", "“003”为已完成"],
    [
      "(Done or Error) and 001.status == Done",
      "(“Invoice” is Done or “Invoice” is Failed) and “Order” is Done",
      "（“Invoice”为已完成或者“Invoice”为失败）并且“Order”为已完成",
    ],
    // As on the server, `and` binds closer than `or`, and the task may be on either side.
    [
      "Done or Error and 001.status == Done",
      "“Invoice” is Done or (“Invoice” is Failed and “Order” is Done)",
      "“Invoice”为已完成或者（“Invoice”为失败并且“Order”为已完成）",
    ],
    ["Done == 001.status", "“Order” is Done", "“Order”为已完成"],
  ])("is correct in both languages: %s", (text, en, zh) => {
    expect([describeCondition(text), describeCondition(text, "zh-CN")]).toEqual([en, zh]);
  });

  test.each([
    ["<", "less than", "小于"],
    ["<=", "at most", "不大于"],
    [">", "greater than", "大于"],
    [">=", "at least", "不小于"],
  ])("names the operator %s in both languages", (sign, en, zh) => {
    const text = `001.context.amount ${sign} 100`;
    expect(describeCondition(text)).toBe(`amount of “Order” is ${en} 100`);
    expect(describeCondition(text, "zh-CN")).toBe(`“Order”的 amount ${zh} 100`);
  });

  test("refers to every trigger task if it names none", () => {
    expect(describeCondition("Done", "en", ["001", "002"])).toBe("“Order” and “Invoice” is Done");
  });

  test("is null for a condition that cannot be parsed", () => {
    for (const text of [
      "",
      "002.status ==",
      "(002.status == Done",
      "002.status == Done)",
      "002.status < Done",
      "a b",
      "'open",
      "x == 1 &&",
      "#",
      "Done Done",
      "x".repeat(501),
    ])
      expect([text, describeCondition(text)]).toEqual([text, null]);
  });

  test("is null for a condition that the server would reject", () => {
    for (const text of ["002.status", "1 == 1", "paid", "never and Done"])
      expect([text, describeCondition(text)]).toEqual([text, null]);
  });

  test("is recognized as one that matches any change", () => {
    expect([" Any ", "true", "", "always"].map(matchesAnyChange)).toEqual([true, true, true, true]);
    expect(matchesAnyChange("Done")).toBe(false);
  });
});

describe("workflow inputs", () => {
  test("equal the required inputs that the server finds", () => {
    for (const plan of [config.plan, EXAMPLE_WORKFLOW]) {
      const workflow = template(plan);
      expect(listInputNames(workflow)).toEqual(listRequiredInputs(workflowConfigSchema.parse(plan)));
    }
    expect(listInputNames(template(config.plan))).toEqual(["id", "name", "department", "email"]);
    expect(listInputNames(template(EXAMPLE_WORKFLOW))).toEqual(["seats"]);
  });

  test("exclude values that a listener produces in its own task or the main task", () => {
    const [first, second] = EXAMPLE_WORKFLOW.listeners;
    const output = { ...first.success_output, task_id: "001", context: { seats: "{{result.seats}}" } };
    const plan = {
      ...EXAMPLE_WORKFLOW,
      listeners: [{ ...first, success_output: output, action_prompt: "{002.context.seats}" }, second],
    };
    expect([listInputNames(template(plan)), listRequiredInputs(workflowConfigSchema.parse(plan))]).toEqual([[], []]);
  });

  test("have no problems in the example template", () => {
    expect(findTemplateProblems(workflowConfigSchema.parse(EXAMPLE_WORKFLOW), new Set(["assistant"]))).toEqual([]);
  });

  test("are parsed as numbers, JSON or text without loss", () => {
    const read = [
      "12",
      "-3.5",
      " 7 ",
      "007",
      "+49 30",
      "true",
      "wahr",
      '{"a":1}',
      "[1,2]",
      "{open",
      "1e9",
      "12345678901234567890",
      "1.10",
      "[12345678901234567890]",
    ];
    expect(read.map(parseContextValue)).toEqual([
      12,
      -3.5,
      7,
      "007",
      "+49 30",
      true,
      "wahr",
      { a: 1 },
      [1, 2],
      "{open",
      "1e9",
      "12345678901234567890",
      "1.10",
      "[12345678901234567890]",
    ]);
  });

  test("are unchanged after they are formatted and parsed again", () => {
    for (const value of [12, 1e21, 1e-7, "Ann", "007", true, { a: [1] }, ["x"]])
      expect(parseContextValue(formatContextValue(value))).toEqual(value);
    expect([formatContextValue(null), formatContextValue(undefined)]).toEqual(["", ""]);
  });

  test("omit empty fields", () => {
    expect(parseContextFields({ name: "Ann", seats: "12", note: "  " })).toEqual({ name: "Ann", seats: 12 });
  });

  test("accept extra values only as one JSON object with exact numbers", () => {
    expect(parseExtraContext(" ")).toEqual({ kind: "context", context: {} });
    expect(parseExtraContext('{"a":[1]}')).toEqual({ kind: "context", context: { a: [1] } });
    for (const text of ["[1]", "null", "12", "{a:1}"])
      expect([text, parseExtraContext(text).kind]).toEqual([text, "wrong"]);
    expect(parseExtraContext('{"id":9007199254740993}')).toEqual({ kind: "inexact" });
    expect(parseExtraContext('{"id":"9007199254740993"}').kind).toBe("context");
  });

  test("are sent by task and name when a held instance is resumed", () => {
    const missing = [
      { task_id: "001", name: "department" },
      { task_id: "002", name: "level" },
      { task_id: "001", name: "seats" },
    ];
    const given: Record<string, string> = { department: "工程部", level: " ", seats: "3" };
    expect(buildResumeContext(missing, ({ name }) => given[name] ?? "")).toEqual({
      "001": { department: "工程部", seats: 3 },
    });
  });
});

describe("drawn template", () => {
  const { tasks, listeners, mainId } = drawTemplate(template(config.plan));

  test("begins with the main task, follows the listeners and ends with unreachable tasks", () => {
    const { rows } = layoutWorkflow(buildGraphTasks(tasks, listeners, mainId), mainId);
    expect(rows.map(({ task_id }) => task_id)).toEqual(["001", "002", "003", "005", "004", "006", "007"]);
    const last = rows.find(({ task_id }) => task_id === "006");
    expect(last?.incoming.map(({ source }) => source).toSorted()).toEqual(["004", "005"]);
  });

  test("lists the listeners that change each task", () => {
    const ids = (id: string) => listTaskListeners(listeners, id).map(({ listener_id }) => listener_id);
    expect([ids("001"), ids("002"), ids("006"), ids("007")]).toEqual([["L007"], ["L001"], ["L004"], []]);
  });

  test("accepts several trigger tasks of a listener", () => {
    expect(listTriggers({ trigger_task_id: " 004, 005；004 " })).toEqual(["004", "005"]);
  });

  test("is converted to valid JSON input without the version", () => {
    const workflow = template(config.plan);
    expect(workflowConfigSchema.parse(toPlanInput(workflow))).toEqual(toPlanInput(workflow));
    expect(toPlanInput(workflow)).not.toHaveProperty("version");
  });
});

describe("drawn instance", () => {
  const of = { is_main_task: true, name: "Order", context: {}, status_trace: [] };
  const task = instanceTaskSchema.parse({ ...of, task_id: "001", status: "Running" });
  const done = instanceTaskSchema.parse({ ...of, task_id: "002", status: "Done" });
  const listener = instanceListenerSchema.parse({
    listener_id: "L1",
    trigger_task_id: "001",
    trigger_condition: "Any",
    agent_id: "hr",
    target_task_id: "002",
    status: "waiting_input",
    attempts: 1,
    request_id: "req-1",
    tools: [],
  });
  const running: WorkflowInstanceDetails = {
    plan_instance_id: "inst",
    plan_id: "p",
    plan_version: 1,
    name: "Orders",
    main_task_id: "001",
    conversation_id: "conv",
    thread_id: "th",
    status: "running",
    started_at: 0,
    waiting_for_resume: false,
    tasks: [task, done],
    listeners: [listener],
    log: [],
  };

  test("shows running tasks of a cancelled instance as stopped", () => {
    const drawn = (status: WorkflowInstanceDetails["status"]) =>
      drawInstance({ ...running, status }, undefined, null).tasks.map(({ execution }) => execution?.status);
    expect([drawn("running"), drawn("cancelled")]).toEqual([
      ["Running", "Done"],
      ["Stopped", "Done"],
    ]);
  });

  test("shows a listener as waiting only while its question is open", () => {
    const drawn = (open: ReadonlySet<string> | null) =>
      drawInstance(running, undefined, open).listeners[0]?.execution?.status;
    expect([drawn(null), drawn(new Set(["req-1"])), drawn(new Set())]).toEqual([
      "waiting_input",
      "waiting_input",
      "running",
    ]);
  });

  test("takes the configuration of a listener from the template", () => {
    const [first] = drawInstance(running, template(EXAMPLE_WORKFLOW), null).listeners;
    expect(first?.definition).toBeUndefined();
    const known = { ...running, listeners: [{ ...listener, listener_id: "L001" }] };
    expect(drawInstance(known, template(EXAMPLE_WORKFLOW), null).listeners[0]?.definition?.success.status).toBe("Done");
  });
});

test("replaceListenerId replaces the id of a listener with its agent and task", () => {
  const names = new Map([["L001", "Assistant (Order)"]]);
  expect(replaceListenerId("L001 failed: L001 has no {card}.", names)).toBe(
    "Assistant (Order) failed: L001 has no {card}.",
  );
  expect(replaceListenerId("L001", names)).toBe("Assistant (Order)");
  expect(replaceListenerId("L002 succeeded.", names)).toBe("L002 succeeded.");
  expect(replaceListenerId("", names)).toBe("");
  expect(formatStatusReason("Error", "L001 failed.", names)).toBe("Assistant (Order) failed.");
  expect(formatStatusReason("Done", "L001 succeeded.", names)).toBe("");
});

describe("instance status in the list", () => {
  const summary = {
    plan_instance_id: "inst-1",
    plan_id: "p",
    plan_version: 1,
    conversation_id: "conv-1",
    created_at: 1,
  };

  test.each([
    [{ status: "running", conversation_status: "active" }, "status_running"],
    [{ status: "running", conversation_status: "require_user_input" }, "needsInput"],
    [{ status: "cancelled", conversation_status: "completed" }, "status_cancelled"],
    // The conversation may continue after the instance ends.
    [{ status: "done", conversation_status: "require_user_input" }, "status_done"],
    [{ status: "error", conversation_status: "completed" }, "status_error"],
    [{ conversation_status: "completed" }, "ended"],
    [{}, "status_running"],
  ] as const)("of %j is %s", (known, words) => {
    expect(getInstanceStatus({ ...summary, ...known })[0]).toBe(words);
  });
});
