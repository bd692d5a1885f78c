import { expect, test } from "vitest";
import { coloured, plain } from "../../scripts/ask/paint.ts";
import { createPrinter } from "../../scripts/ask/printer.ts";
import type { ConversationEvent, Frame } from "../../src/protocol/wire/events.ts";
import type { Plan, Task } from "../../src/protocol/plans/task-plan.ts";

const thread = { conversation_id: "conv-1", role: "agent", item_id: "item-1", thread_id: "th-1" } as const;
const of = (agent: string, task = "task-1") => ({ ...thread, agent_name: agent, task_id: task });

const says = (agent: string, task: string, content: string): ConversationEvent => ({
  event: "message_chunk",
  data: { ...of(agent, task), payload: { content } },
});
const ends = (agent: string, task: string): ConversationEvent => ({ event: "task_completed", data: of(agent, task) });

test("words of one agent run on; what another says at the same time begins a line of its own when that one is done", () => {
  const text = printed([
    says("Clock", "task-1", "It is "),
    says("Echo", "task-2", "hello"),
    says("Clock", "task-1", "noon."),
    says("Echo", "task-2", " there"),
    ends("Clock", "task-1"),
    says("Echo", "task-2", "."),
    ends("Echo", "task-2"),
  ]);
  expect(text).toBe("Clock: It is noon.\n✓ Clock: Look\nEcho: hello there.\n✓ Echo: Think\n");
});

test("a remark is a line of its own, which does not break into what another says", () => {
  const remarks = (content: string): ConversationEvent => ({
    event: "message",
    data: { ...of("Echo", "task-2"), payload: { content } },
  });
  const text = printed([
    says("Clock", "task-1", "It is "),
    remarks("Looking …"),
    says("Clock", "task-1", "noon."),
    ends("Clock", "task-1"),
    remarks("Found."),
    says("Echo", "task-2", "hello"),
  ]);
  expect(text).toBe("Clock: It is noon.\n✓ Clock: Look\nEcho: Looking …\nEcho: Found.\nEcho: hello");
});

test("who waits to be heard is heard before anything else is said of its work, and at the end", () => {
  const beginning = [says("Clock", "task-1", "It is "), says("Echo", "task-2", "hello")];
  const ended = [...beginning, ends("Echo", "task-2"), says("Clock", "task-1", "noon.")];
  expect(printed(ended)).toBe("Clock: It is \nEcho: hello\n✓ Echo: Think\nClock: noon.");
  const done: ConversationEvent = { event: "done", data: { ...thread, item_id: "item-9" } };
  expect(printed([...beginning, done])).toBe("Clock: It is \nEcho: hello\ndone\n");
});

test("a plan shows its tasks, their agents and what they wait for", () => {
  const text = printed([{ event: "plan_created", data: { ...thread, payload: { plan: PLAN } } }]);
  expect(text).toBe("Plan\n  1. Look (Finder)\n  2. Think (Thinker, after 1)\n");
});

test("a tool call is one line with its arguments and one with its result, both cut", () => {
  const call = { tool_call_id: "call-1", tool_name: "find", tool_arguments: `{"q":"${"x".repeat(300)}"}` };
  const text = printed([
    { event: "tool_call_started", data: { ...of("Finder"), payload: call } },
    {
      event: "tool_call_completed",
      data: { ...of("Finder"), payload: { ...call, tool_result: `[{"content":"a\\nb"},{"n":1}]` } },
    },
  ]);
  const [first = "", second] = text.split("\n");
  expect(first).toMatch(/^⚙ Finder calls find \{"q":"x+…$/);
  expect(first.length).toBeLessThanOrEqual(140);
  expect(second).toBe('⚙ find → a b {"n":1}');
});

test("nothing that is said commands the terminal, however it is wrapped", () => {
  const call = { tool_call_id: "call-1", tool_name: "find", tool_arguments: "{}" };
  const told: ConversationEvent[] = [
    says("Clock", "task-1", "a\u001b[2J\u001b"),
    says("Clock", "task-1", "]0;b\u0007 c\rd \u{1F468}\u200d\u{1F469}\tשלום"),
    {
      event: "tool_call_completed",
      data: { ...of("Finder"), payload: { ...call, tool_result: JSON.stringify([{ content: "\u009b5m" }]) } },
    },
  ];
  const words = "a\\u001b[2J\\u001b]0;b\\u0007 c\nd \u{1F468}\u200d\u{1F469}\tשלום";
  expect(printed(told)).toBe(`Clock: ${words}\n⚙ find → \\u009b5m\n`);
  const print = createPrinter(coloured);
  const [first] = told.map((event, i) => print({ seq: i + 1, ...event }));
  expect(first).toBe("\u001b[1mClock:\u001b[0m a\\u001b[2J\\u001b");
});

test("a failure in the middle of a sentence starts on a line of its own", () => {
  const text = printed([
    { event: "message_chunk", data: { ...of("Clock"), payload: { content: "It is" } } },
    { event: "task_failed", data: { ...of("Clock"), payload: { content: "It stopped." } } },
  ]);
  expect(text).toBe("Clock: It is\n✗ Clock failed: It stopped.\n");
});

test("how a plan goes is told task by task, each status once", () => {
  const told = (...statuses: readonly string[]): ConversationEvent => {
    const tasks = statuses.map((status, i) => ({ task_id: `00${i + 1}`, name: `Task ${i + 1}`, status }));
    const content = JSON.stringify({ plan_instance_id: "inst-1", name: "Onboarding", status: "running", tasks });
    return {
      event: "component_generator",
      data: { ...of("onboarding"), payload: { component_type: "plan_instance_link", content } },
    };
  };
  const text = printed([
    told("Running", "NotStarted"),
    told("Running", "Done"),
    told("Running", "Done"),
    told("Done", "Done"),
  ]);
  expect(text).toBe("▤ Onboarding (inst-1)\n▤ Task 1: Running\n▤ Task 2: Done\n▤ Task 1: Done\n");
});

test("a page and a schedule are told with where they are, each once as long as nothing changes", () => {
  const made = (component_type: string, item_id: string, content: object): ConversationEvent => ({
    event: "component_generator",
    data: { ...of("Maker"), item_id, payload: { component_type, content: JSON.stringify(content) } },
  });
  const page = { meta: { pageTitle: "Scores" } };
  const schedule = { task_id: "task-1", task_title: "Roll a die", schedule_status: "active" };
  const text = printed([
    made("page", "item-1", { page_id: null, page }),
    made("page", "item-1", { page_id: "page-1", page }),
    made("page", "item-1", { page_id: "page-1", page }),
    made("scheduled_task_controller", "item-2", schedule),
    made("scheduled_task_controller", "item-2", { ...schedule, next_run_at: 1 }),
    made("scheduled_task_controller", "item-2", { ...schedule, schedule_status: "paused" }),
    made("chart", "item-3", {}),
    made("chart", "item-3", {}),
  ]);
  expect(text).toBe(
    "▤ page: Scores, http://localhost:1/pages/page-1\n" +
      "▤ schedule: Roll a die (active), http://localhost:1/schedules/task-1\n" +
      "▤ schedule: Roll a die (paused), http://localhost:1/schedules/task-1\n" +
      "▤ Maker made a component: chart\n",
  );
});

test("a task has its title from the plan that was told before it", () => {
  const events: ConversationEvent[] = [
    { event: "plan_created", data: { ...thread, payload: { plan: PLAN } } },
    { event: "task_started", data: of("Finder", "task-1") },
  ];
  const text = printed(events, []);
  expect(text.split("\n").at(-2)).toBe("▸ Finder: Look");
});

test("an answer to a question is the person's", () => {
  const data = { ...of("assistant"), role: "user", payload: { content: "yes" } } as const;
  expect(printed([{ event: "message", data }])).toBe("You: yes\n");
});

test("a component that nobody knows is named, also one that calls itself a plan", () => {
  const made = (component_type: string): ConversationEvent => ({
    event: "component_generator",
    data: { ...of("Maker"), payload: { component_type, content: "{" } },
  });
  expect(printed([made("chart"), made("plan_task")])).toBe(
    "▤ Maker made a component: chart\n▤ Maker made a component: plan_task\n",
  );
});

test("a verification is a line in words and one for each task", () => {
  const entry = { agent_id: "hr", task_id: "002", task_name: "Register", response: "", tools_used: [] };
  const results = [
    { ...entry, status: "executed_and_verified", verified: true },
    { ...entry, agent_id: "it", status: "verification_failed", verified: false, reason: "look answered: nothing" },
  ];
  const payload = { summary: "1 of 2 tasks verified.", results };
  const text = printed([{ event: "verification_completed", data: { ...thread, payload } }]);
  expect(text).toBe(
    "Verification 1 of 2 tasks verified.\n  ✓ hr: Register\n  ✗ it: Register (look answered: nothing)\n",
  );
  const odd = { summary: "Odd.", results: [{ something: 1 }] };
  expect(printed([{ event: "verification_completed", data: { ...thread, payload: odd } }])).toBe("Verification Odd.\n");
});

test("the last line tells the usage", () => {
  const usage = { model_calls: 1, input_tokens: 20, output_tokens: 3, tasks: 2, duration_ms: 1234 };
  const text = printed([{ event: "done", data: { ...thread, metadata: { usage } } }]);
  expect(text).toBe("done: 2 tasks, 1 model call, 20 tokens in, 3 out, 1.23 s\n");
});

function printed(events: readonly ConversationEvent[], before: readonly Plan[] = [PLAN]): string {
  const print = createPrinter(plain, "http://localhost:1");
  return events.map((event, index) => print({ seq: index + 1, ...event } as Frame, before)).join("");
}

function task(id: string, title: string, agent: string, dependsOn: string[]): Task {
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
  tasks: [task("task-1", "Look", "Finder", []), task("task-2", "Think", "Thinker", ["task-1"])],
};
