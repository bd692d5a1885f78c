// Tool calls and components, which are shown from texts of tools and agents.

import { createElement, type ComponentType, type PropsWithChildren } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import { Router } from "wouter";
import type { Item } from "../../../src/protocol/wire/items.ts";
import { ComponentView } from "../../../src/web/features/conversations/items/component-view.tsx";
import { decodeBytes, sanitizeFileName } from "../../../src/web/features/conversations/items/attached-file.tsx";
import { JsonView } from "../../../src/web/ui/format/json-view.tsx";
import { ToolCallStep } from "../../../src/web/features/conversations/items/tool-call-step.tsx";
import {
  formatIdentifier,
  isToolFailure,
  parseToolResult,
  parseTable,
  summarizeArguments,
} from "../../../src/web/features/conversations/state/step-values.ts";
import "../load-messages.ts";

/** There is no server that could list the agents. */
vi.mock("../../../src/web/features/agents/use-agents.ts", () => ({ useAgentNames: () => (name: string) => name }));

const createItem = (event: Item["event"], payload: Item["payload"], metadata: Item["metadata"] = {}): Item => ({
  item_id: "item-1",
  seq: 1,
  event,
  role: "agent",
  conversation_id: "conv-1",
  thread_id: "th-1",
  payload,
  metadata,
});

/** Links need a router. */
const HomeRouter: ComponentType<PropsWithChildren<{ ssrPath: string }>> = Router as never;

const renderComponent = (component_type: string, content: unknown, metadata = {}) => {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const item = createItem("component_generator", { component_type, content: text }, metadata);
  return renderToStaticMarkup(createElement(HomeRouter, { ssrPath: "/" }, createElement(ComponentView, { item })));
};

const renderToolCall = (payload: Item["payload"], isRunning = false) =>
  renderToStaticMarkup(createElement(ToolCallStep, { item: createItem("tool_call_started", payload), isRunning }));

describe("tool results", () => {
  test("are parsed part by part, and kept as JSON or text in any other format", () => {
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
  ])("are checked for a failure: %s", (content, expected) => {
    expect(isToolFailure(parseToolResult(JSON.stringify([{ content }])))).toBe(expected);
  });
});

describe("tool calls", () => {
  test.each([
    ['{"limit":3,"query":"rain in Oslo"}', "rain in Oslo"],
    ['{"a":12,"b":34}', "a: 12, b: 34"],
    ['{"list":[1]}', ""],
    ["{}", ""],
    ["half of {", "half of {"],
  ])("with the arguments %s have the summary %j", (args, expected) => {
    expect(summarizeArguments(args)).toBe(expected);
  });

  test("have readable names", () => {
    expect(formatIdentifier("read_guestbook")).toBe("Read guestbook");
    expect(formatIdentifier("getWeatherNow")).toBe("Get weather now");
    expect(formatIdentifier("__")).toBe("__");
    expect(formatIdentifier("查询天气")).toBe("查询天气");
  });

  test("show their status and arguments", () => {
    const toolCall = { tool_name: "get_time", tool_arguments: '{"city":"Oslo"}' };
    expect(renderToolCall(toolCall, true)).toContain("Running");
    expect(renderToolCall({ ...toolCall, tool_result: '[{"content":"12:00"}]' })).toContain("Done");
    expect(renderToolCall({ ...toolCall, tool_result: '[{"content":"{\\"isError\\":true}"}]' })).toContain("Failed");
    expect(renderToolCall(toolCall)).not.toMatch(/Running|Done|Failed/);
    expect(renderToolCall(toolCall)).toContain("Oslo");
  });

  test("render with missing or wrong fields", () => {
    expect(renderToolCall({})).toContain("aria-expanded");
    expect(renderToolCall({ tool_name: 7, tool_arguments: {}, tool_result: [] })).toContain("aria-expanded");
  });
});

describe("components", () => {
  test("show a handoff with a link to another conversation", () => {
    const markup = renderComponent("subagent_conversation", {
      conversation_id: "conv-2",
      agent_name: "clock",
      phase: "start",
    });
    expect(markup).toContain("clock");
    expect(markup).toContain('href="/c/conv-2"');
    const ownConversation = renderComponent("subagent_conversation", {
      conversation_id: "conv-1",
      agent_name: "clock",
      phase: "end",
    });
    expect(ownConversation).not.toContain("href");
  });

  test("show the progress of the toolsmith", () => {
    const markup = renderComponent("toolsmith_progress", {
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

  test("show a schedule and the result of a run", () => {
    const next_run_at = Date.now() + 3_700_000;
    const content = {
      task_id: "task-1",
      task_title: "Time",
      task_status: "scheduled",
      schedule_status: "active",
      next_run_at,
    };
    expect(renderComponent("scheduled_task_controller", content)).toContain("in 1 hour");
    expect(renderComponent("scheduled_task_controller", content)).toContain('href="/schedules/task-1"');
    expect(renderComponent("scheduled_task_controller", { ...content, next_run_at: 1e99 })).toContain("Time");
    const run = { schedule_id: "task-1", status: "completed", result: "It is nine.", due_at: 1_795_265_727_606 };
    const markup = renderComponent("scheduled_task_result", run, { task_title: "Time" });
    expect(markup).toContain("Result: Time");
    expect(markup).toContain("It is nine.");
  });

  test("show a page with its figures and a workflow instance", () => {
    const page = {
      meta: { pageTitle: "Scores", summary: "Of a term" },
      tabs: [{ blocks: [{ type: "kpi_grid", data: [{ label: "Mean", value: "74.2" }] }] }],
    };
    expect(renderComponent("page", { page_id: "page-1", page })).toMatch(
      /Scores.*Of a term.*Mean.*74\.2.*href="\/pages\/page-1"/,
    );
    expect(renderComponent("page", { page_id: null, page })).not.toContain("href");
    const instance = { plan_instance_id: "inst-1", name: "Dinner", status: "error", waiting_for_resume: true };
    expect(renderComponent("plan_instance_link", instance)).toMatch(
      /Dinner.*Failed.*On hold.*href="\/instances\/inst-1"/,
    );
  });

  test("show the status of workflow tasks and listeners", () => {
    expect(renderComponent("plan_task", { name: "Seats", status: "NotStarted" })).toContain("Not started");
    expect(renderComponent("plan_listener", { listener_id: "L001", status: "waiting_input" })).toContain(
      "Needs your input",
    );
    expect(renderComponent("plan_listener", { listener_id: "L001", status: "constructor" })).toContain("constructor");
  });

  test("show data as a table if it is a list of flat objects", () => {
    expect(renderComponent("data", [{ a: 1, b: "x" }, { a: 2 }])).toContain("<table>");
    expect(renderComponent("data", { a: { b: 1 } })).not.toContain("<table>");
    const numbers = renderComponent("data", [{ year: 2026, share: 0.00004, mass: 1.67262, paid: false }]);
    for (const text of ["2026", "0.00004", "1.67262", "false"]) expect(numbers).toContain(`>${text}</td>`);
    expect(parseTable([{ a: [1] }])).toBe(null);
    expect(parseTable([{ a: null }])?.columns).toEqual(["a"]);
  });

  test("offer a file as a download or a web link, with a safe name", () => {
    expect(renderComponent("file", { name: "a.html", media_type: "text/html", bytes: "PGI+" })).not.toContain("href");
    expect(renderComponent("file", { name: "a", url: "https://a.example/x" })).toContain('href="https://a.example/x"');
    for (const url of ["javascript:alert(1)", "data:text/html,x", "//evil.example/x"])
      expect(renderComponent("file", { name: "a", url })).not.toContain("href");
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

  test.each(TYPES)("of type %j render with wrong content", (type) => {
    for (const content of WRONG) expect(renderComponent(type, content)).not.toBe("");
  });
});

describe("JSON view", () => {
  const renderJson = (value: unknown) => renderToStaticMarkup(createElement(JsonView, { value }));

  test("shows invisible characters", () => {
    expect(renderJson({ "a\u202e": "b\u200b" })).toMatch(/a\\u202e.*b\\u200b/);
  });

  test("renders only a bounded part of a large value", () => {
    const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) as unknown;
    expect(renderJson(deep).length).toBeLessThan(20_000);
    expect(renderJson(Array.from({ length: 100_000 }, (_, i) => ({ i }))).length).toBeLessThan(100_000);
    expect(renderJson("x".repeat(1_000_000)).length).toBeLessThan(5_000);
  });
});
