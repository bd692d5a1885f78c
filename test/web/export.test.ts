// A conversation as a file: nothing of it is lost, and nothing in it can break out of its place.

import { expect, test } from "vitest";
import type { ConversationEvent, Frame } from "../../src/protocol/wire/events.ts";
import type { Plan } from "../../src/protocol/plans/task-plan.ts";
import { EMPTY_VIEW, foldFrames, type ConversationView } from "../../src/protocol/wire/view.ts";
import { preserveLineBreaks } from "../../src/web/conversations/export/preserve-line-breaks.ts";
import { formatFencedBlock } from "../../src/web/conversations/export/item-formatter.ts";
import {
  buildExportFileName,
  formatConversationJson,
  formatConversationMarkdown,
} from "../../src/web/conversations/export/conversation-export.ts";

const CONVERSATION = {
  conversation_id: "conv-1",
  user_id: "ada",
  title: "Time and\n sums",
  status: "completed",
  created_at: Date.UTC(2026, 10, 21, 9),
  updated_at: Date.UTC(2026, 10, 21, 10),
} as const;

const IN = { conversation_id: "conv-1", thread_id: "th-1" };
const task = (n: number, depends_on: string[]) => ({
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
  tasks: [task(1, []), task(2, ["task-1"])],
};

let last = 0;
const item = () => `item-${(last += 1)}`;
const agent = (task_id: string) => ({ ...IN, task_id, agent_name: "assistant", role: "agent" as const });
const said = (task_id: string, content: string): ConversationEvent => ({
  event: "message_chunk",
  data: { ...agent(task_id), item_id: item(), payload: { content } },
});
const called = (task_id: string, tool_arguments: string, result: string): ConversationEvent => ({
  event: "tool_call_completed",
  data: {
    ...agent(task_id),
    item_id: item(),
    payload: {
      tool_call_id: "call-1",
      tool_name: "calc<b>",
      tool_arguments,
      tool_result: JSON.stringify([{ content: result }]),
    },
  },
});

const begun: ConversationEvent = {
  event: "thread_started",
  data: { ...IN, task_id: "ask-1", role: "user", item_id: "item-q", payload: { content: "What is 6 × 7, and when?" } },
};
const planned: ConversationEvent = {
  event: "plan_created",
  data: { ...IN, role: "system", item_id: "item-plan", payload: { plan: PLAN } },
};
const done: ConversationEvent = {
  event: "done",
  data: {
    ...IN,
    role: "system",
    item_id: "item-done",
    metadata: { usage: { model_calls: 3, input_tokens: 1200, output_tokens: 45, tasks: 1, duration_ms: 5 } },
  },
};

function viewOf(events: readonly ConversationEvent[]): ConversationView {
  const frames = events.map((event, i) => ({ seq: i + 1, ...event }) as Frame);
  return foldFrames({ ...EMPTY_VIEW, conversation: CONVERSATION }, frames);
}

test("tells a conversation from its title to what it used", () => {
  const text = formatConversationMarkdown(viewOf([begun, said("ask-1", "It is *42*."), done]));
  expect(text).toMatch(/^# Time and sums\n\n/);
  expect(text).toContain("## You\n\nWhat is 6 × 7, and when?\n\n**assistant**\n\nIt is *42*.");
  expect(text).toContain("1 task, 3 model calls, 1,200 tokens in, 45 out");
  expect(text.endsWith("\n")).toBe(true);
});

test("tells the work on one task, which no message began", () => {
  const view = viewOf([said("task-1", "It is *42*.")]);
  const text = formatConversationMarkdown({ ...view, conversation: { ...CONVERSATION, parent_id: "conv-0" } });
  expect(text).toContain("---\n\n**assistant**\n\nIt is *42*.");
  expect(text).not.toContain("## You");
});

test("puts what the tasks of a plan said under them, in the order of the plan, once", () => {
  const events = [begun, planned, said("task-2", "SECOND"), said("task-1", "FIRST"), said("ask-1", "TOGETHER"), done];
  const text = formatConversationMarkdown(viewOf(events));
  expect(text).toContain("1. Part 1 (assistant): to do\n2. Part 2 (assistant, after 1): to do");
  const order = ["#### 1. Part 1", "FIRST", "#### 2. Part 2", "SECOND", "TOGETHER"].map((part) => text.indexOf(part));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(text.split("FIRST")).toHaveLength(2);
});

test("tells questions, answers, failures and what was thought", () => {
  const asked: ConversationEvent = {
    event: "task_waiting",
    data: {
      ...agent("ask-1"),
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
      ...IN,
      task_id: "ask-1",
      role: "user",
      item_id: "item-answer",
      payload: { content: "approve" },
      metadata: { request_id: "req-1" },
    },
  };
  const failed: ConversationEvent = {
    event: "system_failed",
    data: { ...IN, role: "system", item_id: "item-f", payload: { content: "It broke.\nBadly.", code: "internal" } },
  };
  const thought: ConversationEvent = {
    event: "reasoning",
    data: { ...agent("ask-1"), item_id: "reasoning-1", payload: { content: "Hm." } },
  };
  const text = formatConversationMarkdown(viewOf([begun, thought, asked, answered, failed, done]));
  expect(text).toContain("<summary>Reasoning</summary>\n\nHm.");
  expect(text).toContain("**Question** (assistant): May I?\n\nAsks for leave to run send_mail with:");
  expect(text).toContain('"to": "grace@example.com"');
  expect(text).toContain("**You answered**\n\napprove");
  expect(text).toContain("> **Failed**: It broke.  \n> Badly.");
});

test("nothing in a tool call breaks out of its fence or its fold", () => {
  const text = formatConversationMarkdown(
    viewOf([begun, called("ask-1", '{"a":"```"}', "x\n````\n</details># y"), done]),
  );
  expect(text).toContain("<summary>Tool: calc&lt;b&gt;</summary>");
  expect(text).toContain('````json\n{\n  "a": "```"\n}\n````');
  expect(text).toContain("`````\nx\n````\n</details># y\n`````");
});

test("fences are longer than any inside", () => {
  expect(formatFencedBlock("plain")).toBe("```\nplain\n```");
  expect(formatFencedBlock("a ``` b ````` c")).toBe("``````\na ``` b ````` c\n``````");
  expect(formatFencedBlock('{"a":1}')).toBe('```json\n{\n  "a": 1\n}\n```');
});

test("what a scheduled run brought is text, and the run is called so", () => {
  const started: ConversationEvent = { ...begun, data: { ...begun.data, role: "system" } } as ConversationEvent;
  const brought: ConversationEvent = {
    event: "component_generator",
    data: {
      ...agent("task-9"),
      item_id: item(),
      payload: { component_type: "scheduled_task_result", content: JSON.stringify({ result: "6 × 7 = 42" }) },
    },
  };
  const text = formatConversationMarkdown(viewOf([started, brought, done]));
  expect(text).toContain("## Scheduled run");
  expect(text).toContain("\n\n6 × 7 = 42\n\n");
});

test("speaks Chinese to those who do", () => {
  const text = formatConversationMarkdown(viewOf([begun, planned, done]), "zh-CN");
  expect(text).toContain("## 你");
  expect(text).toContain("### 计划");
  expect(text).toContain("2. Part 2 (assistant, 在 1 之后): 待执行");
});

test("a conversation without a title or anything in it is still a document", () => {
  expect(formatConversationMarkdown(EMPTY_VIEW)).toBe("# Untitled conversation\n");
  expect(JSON.parse(formatConversationJson(EMPTY_VIEW))).toMatchObject({ conversation: null, items: [], threads: [] });
});

test("the JSON names its form and holds all there is", () => {
  const view = viewOf([begun, planned, said("task-1", "FIRST"), called("task-2", "{}", "1"), done]);
  const kept = JSON.parse(formatConversationJson(view)) as Record<string, unknown>;
  expect(kept).toMatchObject({ format: "orrery.conversation", version: 1, seq: 5, conversation: CONVERSATION });
  expect(kept["items"]).toEqual(JSON.parse(JSON.stringify([...view.items.values()])));
  expect(kept["plans"]).toEqual(JSON.parse(JSON.stringify(view.plans)));
  expect(kept["threads"]).toEqual(JSON.parse(JSON.stringify(view.threads)));
});

test("names of files hold what every file system takes", () => {
  const day = new Date(2026, 10, 21);
  expect(buildExportFileName("Morning report", "md", day)).toBe("Morning report 2026-11-21.md");
  expect(buildExportFileName('..\\a/b:c*"<d>|?\u202e\u0000', "json", day)).toBe("a b c d 2026-11-21.json");
  expect(buildExportFileName("", "md", day)).toBe("conversation 2026-11-21.md");
  expect(buildExportFileName("😀".repeat(100), "md", day)).toBe(`${"😀".repeat(60)} 2026-11-21.md`);
  expect(buildExportFileName("报告。", "md", day)).toBe("报告。 2026-11-21.md");
});

test("names a page instead of telling its JSON, and leaves out reasoning without words", () => {
  const page = { page_id: "page-1", page: { meta: { pageTitle: "Form 1A", summary: "How it\ndid" }, tabs: [] } };
  const made: ConversationEvent = {
    event: "component_generator",
    data: { ...agent("ask-1"), item_id: item(), payload: { component_type: "page", content: JSON.stringify(page) } },
  };
  const thought: ConversationEvent = {
    event: "reasoning",
    data: { ...agent("ask-1"), item_id: item(), payload: { content: " " } },
  };
  const text = formatConversationMarkdown(viewOf([begun, thought, made, done]));
  expect(text).toContain("**Page: Form 1A**\n\nHow it did\n\n");
  expect(text).not.toContain("<details>");
});

test("lines of what was said stay lines for who reads the file as Markdown", () => {
  const text = formatConversationMarkdown(
    viewOf([begun, planned, said("task-1", "Roses are red,\nviolets are blue"), done]),
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
])("%j is kept as it is", (text) => {
  expect(preserveLineBreaks(text)).toBe(text);
});

test("a line before and after code is still one", () => {
  expect(preserveLineBreaks("a\nb\n```\nc\nd\n```\ne\nf")).toBe("a  \nb\n```\nc\nd\n```\ne  \nf");
});
