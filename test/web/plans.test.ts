// Plans in words, as they are drawn, and the forms by which they begin and go on.

import { describe, expect, test } from "vitest";
import config from "../../examples/onboarding/config.json" with { type: "json" };
import { listRequiredInputs as neededBy, findTemplateProblems } from "../../src/core/listeners/validate-template.ts";
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
import { sayIn, type UiLanguage } from "../../src/web/language.ts";
import { formatCondition, matchesAnyChange } from "../../src/web/workflows/format-condition.ts";
import {
  parseContextFields,
  parseExtraContext,
  listInputNames,
  buildResumeContext,
  formatContextValue,
  parseContextValue,
} from "../../src/web/workflows/context-form.ts";
import { toPlanInput } from "../../src/web/workflows/template-config.ts";
import { drawInstance, drawTemplate } from "../../src/web/workflows/drawn-workflow.ts";
import { EXAMPLE_TEMPLATE } from "../../src/web/workflows/example-template.ts";
import {
  listTaskListeners,
  layoutWorkflow,
  buildGraphTasks,
  listTriggers,
} from "../../src/web/workflows/listener-links.ts";
import { translateReason } from "../../src/web/workflows/translate-reason.ts";
import { getInstanceStatus } from "../../src/web/workflows/instance-status.ts";
import { WORDS } from "../../src/web/workflows/words.ts";

const NAMES: Readonly<Record<string, string>> = { "001": "Order", "002": "Invoice" };
const nameOf = (id: string) => NAMES[id] ?? id;

const inWords = (text: string, language: UiLanguage = "en", triggers: readonly string[] = ["002"]) =>
  formatCondition(text, { triggers, nameOf, say: sayIn(language, WORDS) });

function template(of: object): WorkflowTemplate {
  const made = { plan_id: "p", main_task_id: "001", version: 1, status: "draft", created_at: 0, updated_at: 0 };
  return workflowTemplateSchema.parse({ ...made, ...of });
}

describe("a condition in words", () => {
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
      "“Order”为已完成或者并非(“Invoice”为失败)",
    ],
    ["001.context.amount > 100", "amount of “Order” is more than 100", "“Order”的 amount 大于 100"],
    ['001.context.city == "New York"', "city of “Order” is “New York”", "“Order”的 city 为“New York”"],
    ["002.context.paid", "paid of “Invoice” is known", "“Invoice”的 paid 已知"],
    ["003.status == Done", "“003” is Done", "“003”为已完成"],
    [
      "(Done or Error) and 001.status == Done",
      "(“Invoice” is Done or “Invoice” is Failed) and “Order” is Done",
      "(“Invoice”为已完成或者“Invoice”为失败)并且“Order”为已完成",
    ],
    // As the server reads it: and binds closer than or, whichever stands first; either side may be the task.
    [
      "Done or Error and 001.status == Done",
      "“Invoice” is Done or (“Invoice” is Failed and “Order” is Done)",
      "“Invoice”为已完成或者(“Invoice”为失败并且“Order”为已完成)",
    ],
    ["Done == 001.status", "“Order” is Done", "“Order”为已完成"],
  ])("%s", (text, en, zh) => {
    expect([inWords(text), inWords(text, "zh-CN")]).toEqual([en, zh]);
  });

  test.each([
    ["<", "less than", "小于"],
    ["<=", "at most", "不大于"],
    [">", "more than", "大于"],
    [">=", "at least", "不小于"],
  ])("%s", (sign, en, zh) => {
    const text = `001.context.amount ${sign} 100`;
    expect(inWords(text)).toBe(`amount of “Order” is ${en} 100`);
    expect(inWords(text, "zh-CN")).toBe(`“Order”的 amount ${zh} 100`);
  });

  test("is meant of every trigger task when it names none", () => {
    expect(inWords("Done", "en", ["001", "002"])).toBe("“Order” and “Invoice” is Done");
  });

  test("what it does not understand is left to be shown as it is written", () => {
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
      expect([text, inWords(text)]).toEqual([text, null]);
  });

  test("what the server would refuse has no words", () => {
    for (const text of ["002.status", "1 == 1", "paid", "never and Done"])
      expect([text, inWords(text)]).toEqual([text, null]);
  });

  test("any change", () => {
    expect([" Any ", "true", "", "always"].map(matchesAnyChange)).toEqual([true, true, true, true]);
    expect(matchesAnyChange("Done")).toBe(false);
  });
});

describe("what a plan asks for", () => {
  test("is what the server finds as well", () => {
    for (const plan of [config.plan, EXAMPLE_TEMPLATE]) {
      const made = template(plan);
      expect(listInputNames(made)).toEqual(neededBy(workflowConfigSchema.parse(plan)));
    }
    expect(listInputNames(template(config.plan))).toEqual(["id", "name", "department", "email"]);
    expect(listInputNames(template(EXAMPLE_TEMPLATE))).toEqual(["seats"]);
  });

  test("is nothing that a listener makes, of the task itself or of the main one", () => {
    const [first, second] = EXAMPLE_TEMPLATE.listeners;
    const made = { ...first.success_output, task_id: "001", context: { seats: "{{result.seats}}" } };
    const plan = {
      ...EXAMPLE_TEMPLATE,
      listeners: [{ ...first, success_output: made, action_prompt: "{002.context.seats}" }, second],
    };
    expect([listInputNames(template(plan)), neededBy(workflowConfigSchema.parse(plan))]).toEqual([[], []]);
  });

  test("the example has no fault", () => {
    expect(findTemplateProblems(workflowConfigSchema.parse(EXAMPLE_TEMPLATE), new Set(["assistant"]))).toEqual([]);
  });

  test("a value is what was written: numbers as numbers, and what only looks like one as text", () => {
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

  test("a value that is shown in a field is the same value when it is read again", () => {
    for (const value of [12, 1e21, 1e-7, "Ann", "007", true, { a: [1] }, ["x"]])
      expect(parseContextValue(formatContextValue(value))).toEqual(value);
    expect([formatContextValue(null), formatContextValue(undefined)]).toEqual(["", ""]);
  });

  test("an empty field gives nothing", () => {
    expect(parseContextFields({ name: "Ann", seats: "12", note: "  " })).toEqual({ name: "Ann", seats: 12 });
  });

  test("further values are one object, and nothing else", () => {
    expect(parseExtraContext(" ")).toEqual({ kind: "context", context: {} });
    expect(parseExtraContext('{"a":[1]}')).toEqual({ kind: "context", context: { a: [1] } });
    for (const text of ["[1]", "null", "12", "{a:1}"])
      expect([text, parseExtraContext(text).kind]).toEqual([text, "wrong"]);
    expect(parseExtraContext('{"id":9007199254740993}')).toEqual({ kind: "inexact" });
    expect(parseExtraContext('{"id":"9007199254740993"}').kind).toBe("context");
  });

  test("what was missing is sent by task and name", () => {
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

describe("a plan as it is drawn", () => {
  const { tasks, listeners, mainId } = drawTemplate(template(config.plan));

  test("begins with its main task, follows its listeners, and ends with what nothing leads to", () => {
    const { rows } = layoutWorkflow(buildGraphTasks(tasks, listeners, mainId), mainId);
    expect(rows.map(({ task_id }) => task_id)).toEqual(["001", "002", "003", "005", "004", "006", "007"]);
    const last = rows.find(({ task_id }) => task_id === "006");
    expect(last?.incoming.map(({ source }) => source).toSorted()).toEqual(["004", "005"]);
  });

  test("each task has the listeners that change it", () => {
    const ids = (id: string) => listTaskListeners(listeners, id).map(({ listener_id }) => listener_id);
    expect([ids("001"), ids("002"), ids("006"), ids("007")]).toEqual([["L007"], ["L001"], ["L004"], []]);
  });

  test("a listener may look at several tasks", () => {
    expect(listTriggers({ trigger_task_id: " 004, 005；004 " })).toEqual(["004", "005"]);
  });

  test("the JSON of a template can be kept again", () => {
    const made = template(config.plan);
    expect(workflowConfigSchema.parse(toPlanInput(made))).toEqual(toPlanInput(made));
    expect(toPlanInput(made)).not.toHaveProperty("version");
  });
});

describe("an instance as it is drawn", () => {
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

  test("nothing is under way in one that was stopped", () => {
    const drawn = (status: WorkflowInstanceDetails["status"]) =>
      drawInstance({ ...running, status }, undefined, null).tasks.map(({ course }) => course?.status);
    expect([drawn("running"), drawn("cancelled")]).toEqual([
      ["Running", "Done"],
      ["Stopped", "Done"],
    ]);
  });

  test("a listener waits for an answer only as long as its question is open", () => {
    const drawn = (open: ReadonlySet<string> | null) =>
      drawInstance(running, undefined, open).listeners[0]?.course?.status;
    expect([drawn(null), drawn(new Set(["req-1"])), drawn(new Set())]).toEqual([
      "waiting_input",
      "waiting_input",
      "running",
    ]);
  });

  test("what only the template says is taken from it", () => {
    const [first] = drawInstance(running, template(EXAMPLE_TEMPLATE), null).listeners;
    expect(first?.written).toBeUndefined();
    const known = { ...running, listeners: [{ ...listener, listener_id: "L001" }] };
    expect(drawInstance(known, template(EXAMPLE_TEMPLATE), null).listeners[0]?.written?.success.status).toBe("Done");
  });
});

test("why a task stands as it does is said in the person's language where it is always the same", () => {
  const say = sayIn("zh-CN", WORDS);
  expect(translateReason(say, "The plan was started.")).toBe("计划已启动");
  expect(translateReason(say, "L001 went well.")).toBe("L001 已完成");
  expect(translateReason(say, "L001 failed: no such {card}.")).toBe("L001 失败：no such {card}.");
  expect(translateReason(say, "These values are missing: 001.seats.")).toBe("缺少以下值：001.seats");
  expect(translateReason(say, "L001 was stopped.")).toBe("L001 was stopped.");
});

describe("how an instance stands in a list", () => {
  const summary = {
    plan_instance_id: "inst-1",
    plan_id: "p",
    plan_version: 1,
    conversation_id: "conv-1",
    created_at: 1,
  };

  test.each([
    [{ status: "running", conversation_status: "active" }, "status_running"],
    [{ status: "running", conversation_status: "require_user_input" }, "waitsForYou"],
    [{ status: "cancelled", conversation_status: "completed" }, "status_cancelled"],
    // Its conversation has gone on.
    [{ status: "done", conversation_status: "require_user_input" }, "status_done"],
    [{ status: "error", conversation_status: "completed" }, "status_error"],
    [{ conversation_status: "completed" }, "ended"],
    [{}, "status_running"],
  ] as const)("%j is %s", (known, words) => {
    expect(getInstanceStatus({ ...summary, ...known })[0]).toBe(words);
  });
});
