import { expect, test } from "vitest";
import { paintColoured, paintPlain } from "../../scripts/ask/paint.ts";
import { createPrinter } from "../../scripts/ask/printer.ts";
import type { ConversationEvent, Frame } from "../../src/protocol/wire/events.ts";
import type { Plan, Task } from "../../src/protocol/plans/task-plan.ts";

const thread = { conversation_id: "conv-1", role: "agent", item_id: "item-1", thread_id: "th-1" } as const;
const createEventData = (agent: string, task = "task-1") => ({ ...thread, agent_name: agent, task_id: task });

const createChunk = (agent: string, task: string, content: string): ConversationEvent => ({
  event: "message_chunk",
  data: { ...createEventData(agent, task), payload: { content } },
});
const createTaskEnd = (agent: string, task: string): ConversationEvent => ({
  event: "task_completed",
  data: createEventData(agent, task),
});

test("printer buffers the text of a concurrent task until the streaming task completes", () => {
  const text = printEvents([
    createChunk("Clock", "task-1", "It is "),
    createChunk("Echo", "task-2", "hello"),
    createChunk("Clock", "task-1", "noon."),
    createChunk("Echo", "task-2", " there"),
    createTaskEnd("Clock", "task-1"),
    createChunk("Echo", "task-2", "."),
    createTaskEnd("Echo", "task-2"),
  ]);
  expect(text).toBe("Clock: It is noon.\n✓ Clock: Look\nEcho: hello there.\n✓ Echo: Think\n");
});

test("printer writes a message as a separate line that does not interrupt the text of another task", () => {
  const createMessage = (content: string): ConversationEvent => ({
    event: "message",
    data: { ...createEventData("Echo", "task-2"), payload: { content } },
  });
  const text = printEvents([
    createChunk("Clock", "task-1", "It is "),
    createMessage("Looking …"),
    createChunk("Clock", "task-1", "noon."),
    createTaskEnd("Clock", "task-1"),
    createMessage("Found."),
    createChunk("Echo", "task-2", "hello"),
  ]);
  expect(text).toBe("Clock: It is noon.\n✓ Clock: Look\nEcho: Looking …\nEcho: Found.\nEcho: hello");
});

test("printer writes buffered text before other events of its task and at the end of the thread", () => {
  const beginning = [createChunk("Clock", "task-1", "It is "), createChunk("Echo", "task-2", "hello")];
  const ended = [...beginning, createTaskEnd("Echo", "task-2"), createChunk("Clock", "task-1", "noon.")];
  expect(printEvents(ended)).toBe("Clock: It is \nEcho: hello\n✓ Echo: Think\nClock: noon.");
  const done: ConversationEvent = { event: "done", data: { ...thread, item_id: "item-9" } };
  expect(printEvents([...beginning, done])).toBe("Clock: It is \nEcho: hello\ndone\n");
});

test("printer lists the tasks of a plan with their agents and dependencies", () => {
  const text = printEvents([{ event: "plan_created", data: { ...thread, payload: { plan: PLAN } } }]);
  expect(text).toBe("Plan\n  1. Look (Finder)\n  2. Think (Thinker, after 1)\n");
});

test("printer writes a tool call as two truncated lines, with its arguments and its result", () => {
  const call = { tool_call_id: "call-1", tool_name: "find", tool_arguments: `{"q":"${"x".repeat(300)}"}` };
  const text = printEvents([
    { event: "tool_call_started", data: { ...createEventData("Finder"), payload: call } },
    {
      event: "tool_call_completed",
      data: { ...createEventData("Finder"), payload: { ...call, tool_result: `[{"content":"a\\nb"},{"n":1}]` } },
    },
  ]);
  const [first = "", second] = text.split("\n");
  expect(first).toMatch(/^⚙ Finder calls find \{"q":"x+…$/);
  expect(first.length).toBeLessThanOrEqual(140);
  expect(second).toBe('⚙ find → a b {"n":1}');
});

test("printer escapes control sequences for the terminal in all texts", () => {
  const call = { tool_call_id: "call-1", tool_name: "find", tool_arguments: "{}" };
  const events: ConversationEvent[] = [
    createChunk("Clock", "task-1", "a\u001b[2J\u001b"),
    createChunk("Clock", "task-1", "]0;b\u0007 c\rd \u{1F468}\u200d\u{1F469}\tשלום"),
    {
      event: "tool_call_completed",
      data: {
        ...createEventData("Finder"),
        payload: { ...call, tool_result: JSON.stringify([{ content: "\u009b5m" }]) },
      },
    },
  ];
  const words = "a\\u001b[2J\\u001b]0;b\\u0007 c\nd \u{1F468}\u200d\u{1F469}\tשלום";
  expect(printEvents(events)).toBe(`Clock: ${words}\n⚙ find → \\u009b5m\n`);
  const print = createPrinter(paintColoured);
  const [first] = events.map((event, i) => print({ seq: i + 1, ...event }));
  expect(first).toBe("\u001b[1mClock:\u001b[0m a\\u001b[2J\\u001b");
});

test("printer writes a failure during streamed text on a separate line", () => {
  const text = printEvents([
    { event: "message_chunk", data: { ...createEventData("Clock"), payload: { content: "It is" } } },
    { event: "task_failed", data: { ...createEventData("Clock"), payload: { content: "It stopped." } } },
  ]);
  expect(text).toBe("Clock: It is\n✗ Clock failed: It stopped.\n");
});

test("printer writes each status of the tasks of a workflow instance once", () => {
  const createInstanceEvent = (...statuses: readonly string[]): ConversationEvent => {
    const tasks = statuses.map((status, i) => ({ task_id: `00${i + 1}`, name: `Task ${i + 1}`, status }));
    const content = JSON.stringify({ plan_instance_id: "inst-1", name: "Onboarding", status: "running", tasks });
    return {
      event: "component_generator",
      data: { ...createEventData("onboarding"), payload: { component_type: "plan_instance_link", content } },
    };
  };
  const text = printEvents([
    createInstanceEvent("Running", "NotStarted"),
    createInstanceEvent("Running", "Done"),
    createInstanceEvent("Running", "Done"),
    createInstanceEvent("Done", "Done"),
  ]);
  expect(text).toBe("▤ Onboarding (inst-1)\n▤ Task 1: Running\n▤ Task 2: Done\n▤ Task 1: Done\n");
});

test("printer writes pages and schedules with their URLs once per change", () => {
  const createComponentEvent = (component_type: string, item_id: string, content: object): ConversationEvent => ({
    event: "component_generator",
    data: { ...createEventData("Maker"), item_id, payload: { component_type, content: JSON.stringify(content) } },
  });
  const page = { meta: { pageTitle: "Scores" } };
  const schedule = { task_id: "task-1", task_title: "Roll a die", schedule_status: "active" };
  const text = printEvents([
    createComponentEvent("page", "item-1", { page_id: null, page }),
    createComponentEvent("page", "item-1", { page_id: "page-1", page }),
    createComponentEvent("page", "item-1", { page_id: "page-1", page }),
    createComponentEvent("scheduled_task_controller", "item-2", schedule),
    createComponentEvent("scheduled_task_controller", "item-2", { ...schedule, next_run_at: 1 }),
    createComponentEvent("scheduled_task_controller", "item-2", { ...schedule, schedule_status: "paused" }),
    createComponentEvent("chart", "item-3", {}),
    createComponentEvent("chart", "item-3", {}),
  ]);
  expect(text).toBe(
    "▤ page: Scores, http://localhost:1/pages/page-1\n" +
      "▤ schedule: Roll a die (active), http://localhost:1/schedules/task-1\n" +
      "▤ schedule: Roll a die (paused), http://localhost:1/schedules/task-1\n" +
      "▤ Maker made a component: chart\n",
  );
});

test("printer takes the title of a task from the plan of an earlier frame", () => {
  const events: ConversationEvent[] = [
    { event: "plan_created", data: { ...thread, payload: { plan: PLAN } } },
    { event: "task_started", data: createEventData("Finder", "task-1") },
  ];
  const text = printEvents(events, []);
  expect(text.split("\n").at(-2)).toBe("▸ Finder: Look");
});

test("printer labels the answer to a question as the user's", () => {
  const data = { ...createEventData("assistant"), role: "user", payload: { content: "yes" } } as const;
  expect(printEvents([{ event: "message", data }])).toBe("You: yes\n");
});

test("printer names components of unknown types and with invalid content", () => {
  const createComponentEvent = (component_type: string): ConversationEvent => ({
    event: "component_generator",
    data: { ...createEventData("Maker"), payload: { component_type, content: "{" } },
  });
  expect(printEvents([createComponentEvent("chart"), createComponentEvent("plan_task")])).toBe(
    "▤ Maker made a component: chart\n▤ Maker made a component: plan_task\n",
  );
});

test("printer writes a verification as a summary and one line per task", () => {
  const entry = { agent_id: "hr", task_id: "002", task_name: "Register", response: "", tools_used: [] };
  const results = [
    { ...entry, status: "executed_and_verified", verified: true },
    { ...entry, agent_id: "it", status: "verification_failed", verified: false, reason: "look answered: nothing" },
  ];
  const payload = { summary: "1 of 2 tasks verified.", results };
  const text = printEvents([{ event: "verification_completed", data: { ...thread, payload } }]);
  expect(text).toBe(
    "Verification 1 of 2 tasks verified.\n  ✓ hr: Register\n  ✗ it: Register (look answered: nothing)\n",
  );
  const invalid = { summary: "Odd.", results: [{ something: 1 }] };
  expect(printEvents([{ event: "verification_completed", data: { ...thread, payload: invalid } }])).toBe(
    "Verification Odd.\n",
  );
});

test("printer writes the usage in the last line", () => {
  const usage = { model_calls: 1, input_tokens: 20, output_tokens: 3, tasks: 2, duration_ms: 1234 };
  const text = printEvents([{ event: "done", data: { ...thread, metadata: { usage } } }]);
  expect(text).toBe("done: 2 tasks, 1 model call, 20 tokens in, 3 out, 1.23 s\n");
});

function printEvents(events: readonly ConversationEvent[], before: readonly Plan[] = [PLAN]): string {
  const print = createPrinter(paintPlain, "http://localhost:1");
  return events.map((event, index) => print({ seq: index + 1, ...event } as Frame, before)).join("");
}

function createTask(id: string, title: string, agent: string, dependsOn: string[]): Task {
  return {
    task_id: id,
    plan_id: "plan-1",
    conversation_id: "conv-2",
    thread_id: "th-1",
    title,
    query: title,
    agent_name: agent,
    depends_on: dependsOn,
    pattern: "once",
    handoff_from_super_agent: false,
    metadata: {},
    status: "pending",
    created_at: 1,
  };
}

const PLAN: Plan = {
  plan_id: "plan-1",
  conversation_id: "conv-1",
  thread_id: "th-1",
  user_id: "local",
  orig_query: "do",
  query: "do",
  reasoning: "",
  created_at: 1,
  tasks: [createTask("task-1", "Look", "Finder", []), createTask("task-2", "Think", "Thinker", ["task-1"])],
};
