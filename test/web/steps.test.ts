// What is read out of the texts of tools and components.

import { createElement, type ComponentType, type PropsWithChildren } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import { Router } from "wouter";
import type { Item } from "../../src/protocol/wire/items.ts";
import { ComponentView } from "../../src/web/steps/component-view.tsx";
import { decodeBytes, sanitizeFileName } from "../../src/web/steps/file-content.ts";
import { JsonView } from "../../src/web/steps/json-view.tsx";
import { ToolCallStep } from "../../src/web/steps/tool-call-step.tsx";
import {
  formatIdentifier,
  isToolFailure,
  parseToolResult,
  parseTable,
  summarizeArguments,
} from "../../src/web/steps/step-values.ts";

/** Without a server there are no agents to look up. */
vi.mock("../../src/web/chat/use-agent-names.ts", () => ({ useAgentNames: () => (name: string) => name }));

const itemOf = (event: Item["event"], payload: Item["payload"], metadata: Item["metadata"] = {}): Item => ({
  item_id: "item-1",
  seq: 1,
  event,
  role: "agent",
  conversation_id: "conv-1",
  thread_id: "th-1",
  payload,
  metadata,
});

/** What has links stands somewhere. */
const AtHome: ComponentType<PropsWithChildren<{ ssrPath: string }>> = Router as never;

const component = (component_type: string, content: unknown, metadata = {}) => {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const item = itemOf("component_generator", { component_type, content: text }, metadata);
  return renderToStaticMarkup(createElement(AtHome, { ssrPath: "/" }, createElement(ComponentView, { item })));
};

const call = (payload: Item["payload"], isRunning = false) =>
  renderToStaticMarkup(createElement(ToolCallStep, { item: itemOf("tool_call_started", payload), isRunning }));

describe("results of tools", () => {
  test("are unpacked part by part, and left alone when they are anything else", () => {
    expect(parseToolResult('[{"content":"{\\"a\\":1}"},{"content":"words"}]')).toEqual([
      { kind: "json", value: { a: 1 } },
      { kind: "text", text: "words" },
    ]);
    expect(parseToolResult("[1,2]")).toEqual([{ kind: "json", value: [1, 2] }]);
    expect(parseToolResult("[]")).toEqual([{ kind: "json", value: [] }]);
    expect(parseToolResult("{broken")).toEqual([{ kind: "text", text: "{broken" }]);
  });

  test.each([
    ['{"isError":true}', true],
    ['{"error":"no"}', true],
    ['{"success":false}', true],
    ['{"status":"error"}', true],
    ["Error: no such file", true],
    ['{"error":null,"result":1}', false],
    ['{"errors":0}', false],
    ["No errors", false],
    ["0", false],
  ])("%s says whether it failed", (content, expected) => {
    expect(isToolFailure(parseToolResult(JSON.stringify([{ content }])))).toBe(expected);
  });
});

describe("calls of tools", () => {
  test.each([
    ['{"limit":3,"query":"rain in Oslo"}', "rain in Oslo"],
    ['{"a":12,"b":34}', "a: 12, b: 34"],
    ['{"list":[1]}', ""],
    ["{}", ""],
    ["half of {", "half of {"],
  ])("%s tells %j", (args, expected) => {
    expect(summarizeArguments(args)).toBe(expected);
  });

  test("have their names in words", () => {
    expect(formatIdentifier("read_guestbook")).toBe("Read guestbook");
    expect(formatIdentifier("getWeatherNow")).toBe("Get weather now");
    expect(formatIdentifier("__")).toBe("__");
    expect(formatIdentifier("查询天气")).toBe("查询天气");
  });

  test("show how they stand", () => {
    const asked = { tool_name: "get_time", tool_arguments: '{"city":"Oslo"}' };
    expect(call(asked, true)).toContain("Running");
    expect(call({ ...asked, tool_result: '[{"content":"12:00"}]' })).toContain("Done");
    expect(call({ ...asked, tool_result: '[{"content":"{\\"isError\\":true}"}]' })).toContain("Failed");
    expect(call(asked)).not.toMatch(/Running|Done|Failed/);
    expect(call(asked)).toContain("Oslo");
  });

  test("without anything that they should have are still shown", () => {
    expect(call({})).toContain("aria-expanded");
    expect(call({ tool_name: 7, tool_arguments: {}, tool_result: [] })).toContain("aria-expanded");
  });
});

describe("components", () => {
  test("an agent that takes over, with its conversation", () => {
    const markup = component("subagent_conversation", {
      conversation_id: "conv-2",
      agent_name: "clock",
      phase: "start",
    });
    expect(markup).toContain("clock");
    expect(markup).toContain('href="/c/conv-2"');
    const here = component("subagent_conversation", { conversation_id: "conv-1", agent_name: "clock", phase: "end" });
    expect(here).not.toContain("href");
  });

  test("how tools are made", () => {
    const markup = component("toolsmith_progress", {
      current: 2,
      total: 2,
      subtasks: [
        { id: "1", description: "Multiply", category: "math", status: "completed", result: "12", tool: "multiply" },
        { id: "2", description: "Add", category: "math", status: "running" },
      ],
    });
    expect(markup).toContain("1 of 2 done");
    expect(markup).toContain('href="/tools/multiply"');
    expect(markup).toContain("Running");
  });

  test("a schedule and what a run of it brought", () => {
    const next_run_at = Date.now() + 3_700_000;
    const content = {
      task_id: "task-1",
      task_title: "Time",
      task_status: "scheduled",
      schedule_status: "active",
      next_run_at,
    };
    expect(component("scheduled_task_controller", content)).toContain("in 1 hour");
    expect(component("scheduled_task_controller", content)).toContain('href="/schedules/task-1"');
    expect(component("scheduled_task_controller", { ...content, next_run_at: 1e99 })).toContain("Time");
    const run = { schedule_id: "task-1", status: "completed", result: "It is nine.", due_at: 1_795_265_727_606 };
    const markup = component("scheduled_task_result", run, { task_title: "Time" });
    expect(markup).toContain("Result of Time");
    expect(markup).toContain("It is nine.");
  });

  test("a page with its figures, and a plan's instance", () => {
    const page = {
      meta: { pageTitle: "Scores", summary: "Of a term" },
      tabs: [{ blocks: [{ type: "kpi_grid", data: [{ label: "Mean", value: "74.2" }] }] }],
    };
    expect(component("page", { page_id: "page-1", page })).toMatch(
      /Scores.*Of a term.*Mean.*74\.2.*href="\/pages\/page-1"/,
    );
    expect(component("page", { page_id: null, page })).not.toContain("href");
    const instance = { plan_instance_id: "inst-1", name: "Dinner", status: "error", waiting_for_resume: true };
    expect(component("plan_instance_link", instance)).toMatch(/Dinner.*Failed.*Waits.*href="\/instances\/inst-1"/);
  });

  test("how the tasks and the listeners of a plan stand, in words", () => {
    expect(component("plan_task", { name: "Seats", status: "NotStarted" })).toContain("Not started");
    expect(component("plan_listener", { listener_id: "L001", status: "waiting_input" })).toContain("Asks you");
    expect(component("plan_listener", { listener_id: "L001", status: "constructor" })).toContain("constructor");
  });

  test("data as a table where it is one", () => {
    expect(component("data", [{ a: 1, b: "x" }, { a: 2 }])).toContain("<table>");
    expect(component("data", { a: { b: 1 } })).not.toContain("<table>");
    const numbers = component("data", [{ year: 2026, share: 0.00004, mass: 1.67262, paid: false }]);
    for (const text of ["2026", "0.00004", "1.67262", "false"]) expect(numbers).toContain(`>${text}</td>`);
    expect(parseTable([{ a: [1] }])).toBe(null);
    expect(parseTable([{ a: null }])?.columns).toEqual(["a"]);
  });

  test("a file is bytes to keep, and leads nowhere but to the web", () => {
    expect(component("file", { name: "a.html", media_type: "text/html", bytes: "PGI+" })).not.toContain("href");
    expect(component("file", { name: "a", url: "https://a.example/x" })).toContain('href="https://a.example/x"');
    for (const url of ["javascript:alert(1)", "data:text/html,x", "//evil.example/x"])
      expect(component("file", { name: "a", url })).not.toContain("href");
    expect(sanitizeFileName("../../etc/pass\u202ewd:x")).toBe("pass_u202ewd_x");
    expect(sanitizeFileName(".bashrc")).toBe("bashrc");
    expect(decodeBytes("%")).toBe(null);
  });

  const TYPES = [
    "subagent_conversation",
    "toolsmith_progress",
    "scheduled_task_controller",
    "scheduled_task_result",
    "page",
    "plan_instance",
    "plan_instance_link",
    "plan_task",
    "plan_value",
    "plan_listener",
    "data",
    "file",
    "toString",
    "",
  ];
  const WRONG = [
    "",
    "not JSON",
    "{broken",
    "null",
    "[]",
    "7",
    "{}",
    '{"page":7,"subtasks":[null,7,{"status":9}],"name":{}}',
  ];

  test.each(TYPES)("%j with wrong contents is shown all the same", (type) => {
    for (const content of WRONG) expect(component(type, content)).not.toBe("");
  });
});

describe("JSON", () => {
  const show = (value: unknown) => renderToStaticMarkup(createElement(JsonView, { value }));

  test("shows what cannot be seen", () => {
    expect(show({ "a\u202e": "b\u200b" })).toMatch(/a\\u202e.*b\\u200b/);
  });

  test("costs what is open", () => {
    const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) as unknown;
    expect(show(deep).length).toBeLessThan(20_000);
    expect(show(Array.from({ length: 100_000 }, (_, i) => ({ i }))).length).toBeLessThan(100_000);
    expect(show("x".repeat(1_000_000)).length).toBeLessThan(5_000);
  });
});
