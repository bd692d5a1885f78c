// Conversations exported as Markdown and JSON: complete, and safe against markup in their content.

import { expect, test } from "vitest";
import type { ConversationEvent, Frame } from "../../../src/protocol/wire/events.ts";
import type { Plan } from "../../../src/protocol/plans/task-plan.ts";
import { EMPTY_VIEW, foldFrames, type ConversationView } from "../../../src/protocol/wire/view.ts";
import {
  formatFencedBlock,
  preserveLineBreaks,
} from "../../../src/web/features/conversations/export/item-formatter.ts";
import {
  buildExportFileName,
  formatConversationJson,
  formatConversationMarkdown,
} from "../../../src/web/features/conversations/export/conversation-export.ts";
import "../load-messages.ts";

const CONVERSATION = {
  conversation_id: "conv-1",
  user_id: "ada",
  title: "Time and\n sums",
  status: "completed",
  created_at: Date.UTC(2026, 10, 21, 9),
  updated_at: Date.UTC(2026, 10, 21, 10),
} as const;

const THREAD_FIELDS = { conversation_id: "conv-1", thread_id: "th-1" };
const createTask = (n: number, depends_on: string[]) => ({
  task_id: `task-${n}`,
  plan_id: "plan-1",
  conversation_id: "conv-1",
  thread_id: "th-1",
  title: `Part ${n}`,
  query: `part ${n}`,
  agent_name: "assistant",
  depends_on,
  pattern: "once" as const,
  handoff_from_super_agent: false,
  metadata: {},
  status: "pending" as const,
  created_at: 0,
});
const PLAN: Plan = {
  plan_id: "plan-1",
  conversation_id: "conv-1",
  thread_id: "th-1",
  user_id: "ada",
  orig_query: "q",
  query: "q",
  reasoning: "",
  created_at: 0,
  tasks: [createTask(1, []), createTask(2, ["task-1"])],
};

let itemCount = 0;
const createItemId = () => `item-${(itemCount += 1)}`;
const createAgentFields = (task_id: string) => ({
  ...THREAD_FIELDS,
  task_id,
  agent_name: "assistant",
  role: "agent" as const,
});
const createAnswerEvent = (task_id: string, content: string): ConversationEvent => ({
  event: "message_chunk",
  data: { ...createAgentFields(task_id), item_id: createItemId(), payload: { content } },
});
const createToolCallEvent = (task_id: string, tool_arguments: string, result: string): ConversationEvent => ({
  event: "tool_call_completed",
  data: {
    ...createAgentFields(task_id),
    item_id: createItemId(),
    payload: {
      tool_call_id: "call-1",
      tool_name: "calc<b>",
      tool_arguments,
      tool_result: JSON.stringify([{ content: result }]),
    },
  },
});

const threadStarted: ConversationEvent = {
  event: "thread_started",
  data: {
    ...THREAD_FIELDS,
    task_id: "ask-1",
    role: "user",
    item_id: "item-q",
    payload: { content: "What is 6 × 7, and when?" },
  },
};
const planCreated: ConversationEvent = {
  event: "plan_created",
  data: { ...THREAD_FIELDS, role: "system", item_id: "item-plan", payload: { plan: PLAN } },
};
const done: ConversationEvent = {
  event: "done",
  data: {
    ...THREAD_FIELDS,
    role: "system",
    item_id: "item-done",
    metadata: { usage: { model_calls: 3, input_tokens: 1200, output_tokens: 45, tasks: 1, duration_ms: 5 } },
  },
};

function createView(events: readonly ConversationEvent[]): ConversationView {
  const frames = events.map((event, i) => ({ seq: i + 1, ...event }) as Frame);
  return foldFrames({ ...EMPTY_VIEW, conversation: CONVERSATION }, frames);
}

test("the Markdown export contains the title, messages, answers and usage", () => {
  const text = formatConversationMarkdown(createView([threadStarted, createAnswerEvent("ask-1", "It is *42*."), done]));
  expect(text).toMatch(/^# Time and sums\n\n/);
  expect(text).toContain("## You\n\nWhat is 6 × 7, and when?\n\n**assistant**\n\nIt is *42*.");
  expect(text).toContain("1 task, 3 model calls, 1,200 input tokens, 45 output tokens");
  expect(text.endsWith("\n")).toBe(true);
});

test("the Markdown export contains a task conversation, which has no user message", () => {
  const view = createView([createAnswerEvent("task-1", "It is *42*.")]);
  const text = formatConversationMarkdown({ ...view, conversation: { ...CONVERSATION, parent_id: "conv-0" } });
  expect(text).toContain("---\n\n**assistant**\n\nIt is *42*.");
  expect(text).not.toContain("## You");
});

test("the Markdown export lists the answer of each task once, in plan order, before the synthesis", () => {
  const events = [
    threadStarted,
    planCreated,
    createAnswerEvent("task-2", "SECOND"),
    createAnswerEvent("task-1", "FIRST"),
    createAnswerEvent("ask-1", "TOGETHER"),
    done,
  ];
  const text = formatConversationMarkdown(createView(events));
  expect(text).toContain("1. Part 1 (assistant): not started\n2. Part 2 (assistant, after 1): not started");
  const order = ["#### 1. Part 1", "FIRST", "#### 2. Part 2", "SECOND", "TOGETHER"].map((part) => text.indexOf(part));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(text.split("FIRST")).toHaveLength(2);
});

test("the Markdown export contains questions, answers, failures and reasoning", () => {
  const question: ConversationEvent = {
    event: "task_waiting",
    data: {
      ...createAgentFields("ask-1"),
      item_id: "item-asked",
      payload: {
        content: "May I?",
        request_id: "req-1",
        approval: { tool: "send_mail", arguments: { to: "grace@example.com" } },
      },
    },
  };
  const answered: ConversationEvent = {
    event: "message",
    data: {
      ...THREAD_FIELDS,
      task_id: "ask-1",
      role: "user",
      item_id: "item-answer",
      payload: { content: "approve" },
      metadata: { request_id: "req-1" },
    },
  };
  const failed: ConversationEvent = {
    event: "system_failed",
    data: {
      ...THREAD_FIELDS,
      role: "system",
      item_id: "item-f",
      payload: { content: "It broke.\nBadly.", code: "internal" },
    },
  };
  const reasoning: ConversationEvent = {
    event: "reasoning",
    data: { ...createAgentFields("ask-1"), item_id: "reasoning-1", payload: { content: "Hm." } },
  };
  const text = formatConversationMarkdown(createView([threadStarted, reasoning, question, answered, failed, done]));
  expect(text).toContain("<summary>Thought process</summary>\n\nHm.");
  expect(text).toContain("**Question from assistant:** May I?\n\nRequests approval to run send_mail with:");
  expect(text).toContain('"to": "grace@example.com"');
  expect(text).toContain("**You answered**\n\napprove");
  expect(text).toContain("> **Failed:** It broke.  \n> Badly.");
});

test("the content of a tool call cannot break out of its fence or details element", () => {
  const text = formatConversationMarkdown(
    createView([threadStarted, createToolCallEvent("ask-1", '{"a":"```"}', "x\n````\n</details># y"), done]),
  );
  expect(text).toContain("<summary>Tool: calc&lt;b&gt;</summary>");
  expect(text).toContain('````json\n{\n  "a": "```"\n}\n````');
  expect(text).toContain("`````\nx\n````\n</details># y\n`````");
});

test("a fence is longer than any fence inside it", () => {
  expect(formatFencedBlock("plain")).toBe("```\nplain\n```");
  expect(formatFencedBlock("a ``` b ````` c")).toBe("``````\na ``` b ````` c\n``````");
  expect(formatFencedBlock('{"a":1}')).toBe('```json\n{\n  "a": 1\n}\n```');
});

test("the Markdown export labels a scheduled run and shows its result as text", () => {
  const started: ConversationEvent = {
    ...threadStarted,
    data: { ...threadStarted.data, role: "system" },
  } as ConversationEvent;
  const component: ConversationEvent = {
    event: "component_generator",
    data: {
      ...createAgentFields("task-9"),
      item_id: createItemId(),
      payload: { component_type: "scheduled_task_result", content: JSON.stringify({ result: "6 × 7 = 42" }) },
    },
  };
  const text = formatConversationMarkdown(createView([started, component, done]));
  expect(text).toContain("## Scheduled run");
  expect(text).toContain("\n\n6 × 7 = 42\n\n");
});

test("the Markdown export is in Chinese for the language zh-CN", () => {
  const text = formatConversationMarkdown(createView([threadStarted, planCreated, done]), "zh-CN");
  expect(text).toContain("## 你");
  expect(text).toContain("### 计划");
  expect(text).toContain("2. Part 2（assistant，在 1 之后）：未开始");
});

test("an empty conversation without a title is exported as a valid document", () => {
  expect(formatConversationMarkdown(EMPTY_VIEW)).toBe("# Untitled conversation\n");
  expect(JSON.parse(formatConversationJson(EMPTY_VIEW))).toMatchObject({ conversation: null, items: [], threads: [] });
});

test("the JSON export states its format and contains the whole view", () => {
  const view = createView([
    threadStarted,
    planCreated,
    createAnswerEvent("task-1", "FIRST"),
    createToolCallEvent("task-2", "{}", "1"),
    done,
  ]);
  const exported = JSON.parse(formatConversationJson(view)) as Record<string, unknown>;
  expect(exported).toMatchObject({ format: "orrery.conversation", version: 1, seq: 5, conversation: CONVERSATION });
  expect(exported["items"]).toEqual(JSON.parse(JSON.stringify([...view.items.values()])));
  expect(exported["plans"]).toEqual(JSON.parse(JSON.stringify(view.plans)));
  expect(exported["threads"]).toEqual(JSON.parse(JSON.stringify(view.threads)));
});

test("export file names contain only characters that every file system accepts", () => {
  const day = new Date(2026, 10, 21);
  expect(buildExportFileName("Morning report", "md", day)).toBe("Morning report 2026-11-21.md");
  expect(buildExportFileName('..\\a/b:c*"<d>|?\u202e\u0000', "json", day)).toBe("a b c d 2026-11-21.json");
  expect(buildExportFileName("", "md", day)).toBe("conversation 2026-11-21.md");
  expect(buildExportFileName("😀".repeat(100), "md", day)).toBe(`${"😀".repeat(60)} 2026-11-21.md`);
  expect(buildExportFileName("报告。", "md", day)).toBe("报告。 2026-11-21.md");
});

test("the Markdown export shows the title and summary of a page and omits blank reasoning", () => {
  const page = { page_id: "page-1", page: { meta: { pageTitle: "Form 1A", summary: "How it\ndid" }, tabs: [] } };
  const component: ConversationEvent = {
    event: "component_generator",
    data: {
      ...createAgentFields("ask-1"),
      item_id: createItemId(),
      payload: { component_type: "page", content: JSON.stringify(page) },
    },
  };
  const reasoning: ConversationEvent = {
    event: "reasoning",
    data: { ...createAgentFields("ask-1"), item_id: createItemId(), payload: { content: " " } },
  };
  const text = formatConversationMarkdown(createView([threadStarted, reasoning, component, done]));
  expect(text).toContain("**Page: Form 1A**\n\nHow it did\n\n");
  expect(text).not.toContain("<details>");
});

test("the Markdown export keeps the line breaks of an answer", () => {
  const text = formatConversationMarkdown(
    createView([threadStarted, planCreated, createAnswerEvent("task-1", "Roses are red,\nviolets are blue"), done]),
  );
  expect(text).toContain("Roses are red,  \nviolets are blue");
});

test.each([
  "- a\n- b\n  1. c",
  "# a\nb",
  "Title\n===\n\nOther\n---",
  "| a |\n|---|\n| 1 |",
  "```js\na\nb\n```",
  "~~~\n```\na\nb\n~~~",
  "$$\na\n+b\n$$",
  "    a\n    b",
  "a\\\nb",
  "a\n\nb\n",
])("preserveLineBreaks leaves %j unchanged", (text) => {
  expect(preserveLineBreaks(text)).toBe(text);
});

test("preserveLineBreaks marks line breaks before and after a code block", () => {
  expect(preserveLineBreaks("a\nb\n```\nc\nd\n```\ne\nf")).toBe("a  \nb\n```\nc\nd\n```\ne  \nf");
});
