import { describe, expect, test } from "vitest";
import type { Item, ItemMap } from "../../src/protocol/wire/items.ts";
import type { Plan, Task, TaskStatus } from "../../src/protocol/plans/task-plan.ts";
import { createFormatter } from "../../src/web/formatter.ts";
import {
  listPlanAgents,
  listInputTitles,
  isTaskActive,
  buildPreview,
  computeProgress,
  countTaskTokens,
} from "../../src/web/task-plan/plan-facts.ts";
import { buildTaskGraph, isDrawableGraph, computeLayers, type TaskGraph } from "../../src/web/task-plan/task-graph.ts";
import {
  isSpanIncomplete,
  observeTasks,
  computeTaskSpan,
  type ObservedTasks,
} from "../../src/web/task-plan/task-spans.ts";
import { getTaskStream } from "../../src/web/task-plan/task-streams.ts";

/** `c<a,b`: the task c, which depends on a and b. */
function tasksOf(...written: readonly string[]) {
  return written.map((text) => {
    const [task_id = "", needs = ""] = text.split("<");
    return { task_id, depends_on: needs === "" ? [] : needs.split(",") };
  });
}

const orderOf = ({ rows }: TaskGraph) => rows.map(({ task_id }) => task_id).join(" ");

describe("the picture of a plan", () => {
  test("a task stands one layer below the deepest that it needs", () => {
    const layers = computeLayers(tasksOf("d<c,a", "a", "b", "c<a,b"));
    expect(Object.fromEntries(layers)).toEqual({ a: 0, b: 0, c: 1, d: 2 });
  });

  test("every task comes after those that it needs, and else in the order of the plan", () => {
    expect(orderOf(buildTaskGraph(tasksOf("d<c", "b", "c<a", "a")))).toBe("b a c d");
  });

  test("unknown names and circles depend on nothing, and no task is lost", () => {
    const graph = buildTaskGraph(tasksOf("a<b", "b<a", "c<nobody", "d<d"));
    expect(graph.rows.map(({ task_id }) => task_id).toSorted()).toEqual(["a", "b", "c", "d"]);
    expect(computeLayers(tasksOf("a<b", "b<a"))).toEqual(
      new Map([
        ["b", 0],
        ["a", 1],
      ]),
    );
  });

  test("two side by side have a lane each, which end in the task that uses both", () => {
    const { rows, lanes } = buildTaskGraph(tasksOf("a", "b", "c<a,b"));
    expect(lanes).toBe(2);
    expect(rows.map(({ lane, isUsed }) => ({ lane, isUsed }))).toEqual([
      { lane: 0, isUsed: true },
      { lane: 1, isUsed: true },
      { lane: 0, isUsed: false },
    ]);
    expect(rows[1]?.passing).toEqual([{ lane: 0, source: "a" }]);
    expect(rows[2]?.incoming).toEqual([
      { lane: 0, source: "a" },
      { lane: 1, source: "b" },
    ]);
    expect(rows[2]?.passing).toEqual([]);
  });

  test("a line goes on past a task that uses it as long as another waits for it", () => {
    const { rows } = buildTaskGraph(tasksOf("a", "b<a", "c<a,b"));
    expect(rows[1]).toMatchObject({ lane: 1, incoming: [{ source: "a" }], passing: [{ lane: 0, source: "a" }] });
    expect(rows[2]?.incoming.map(({ source }) => source)).toEqual(["a", "b"]);
  });

  test("a task that nobody uses keeps no lane", () => {
    const { rows, lanes } = buildTaskGraph(tasksOf("a", "b", "c<b"));
    expect(lanes).toBe(1);
    expect(rows.map(({ passing }) => passing.length)).toEqual([0, 0, 0]);
  });

  test("no line ever runs through the picture of another task", () => {
    const written = ["a", "b", "c", "d<a", "e<a,b", "f<c,d", "g<e", "h<a,g", "i", "j<i,h", "k<b,j", "l<f,k"];
    const { rows } = buildTaskGraph(tasksOf(...written));
    for (const { lane, passing, incoming } of rows) {
      expect(passing.filter((line) => line.lane === lane)).toEqual([]);
      expect(incoming.filter((line) => line.lane === lane).length).toBeLessThan(2);
    }
    const drawn = rows.flatMap(({ task_id, incoming }) => incoming.map(({ source }) => `${task_id}<${source}`));
    const meant = tasksOf(...written).flatMap(({ task_id, depends_on }) => depends_on.map((id) => `${task_id}<${id}`));
    expect(drawn.toSorted()).toEqual(meant.toSorted());
  });

  test("lines are drawn where there are some, of up to twelve tasks", () => {
    const chain = (length: number) =>
      buildTaskGraph(tasksOf(...Array.from({ length }, (_, i) => (i === 0 ? "t0" : `t${i}<t${i - 1}`))));
    expect(isDrawableGraph(buildTaskGraph(tasksOf("a", "b")))).toBe(false);
    expect(isDrawableGraph(chain(12))).toBe(true);
    expect(isDrawableGraph(chain(13))).toBe(false);
    expect(isDrawableGraph(buildTaskGraph(tasksOf("a", "b", "c", "d", "e", "f", "g", "z<a,b,c,d,e,f,g")))).toBe(false);
  });
});

function task(id: string, status: TaskStatus, more: Partial<Task> = {}): Task {
  return {
    task_id: id,
    plan_id: "plan-1",
    conversation_id: "conv-1",
    thread_id: "th-1",
    title: `Task ${id}`,
    query: "q",
    agent_name: "assistant",
    depends_on: [],
    pattern: "once",
    handoff_from_super_agent: false,
    metadata: {},
    status,
    created_at: 0,
    ...more,
  };
}

describe("what a plan tells at a glance", () => {
  test("how far it is: a schedule that is set up is done, what was stopped is not", () => {
    const statuses: TaskStatus[] = ["completed", "scheduled", "failed", "cancelled", "waiting_input", "running"];
    const tasks = statuses.map((status, i) => task(String(i), status));
    expect(computeProgress(tasks)).toEqual({ total: 6, done: 2, failed: 2, waiting: 1, isOver: false });
    expect(computeProgress(tasks.slice(0, 4)).isOver).toBe(true);
    expect(tasks.filter(({ status }) => isTaskActive(status)).map(({ status }) => status)).toEqual([
      "waiting_input",
      "running",
    ]);
  });

  test("each agent once", () => {
    const tasks = ["b", "a", "b"].map((agent_name, i) => task(String(i), "pending", { agent_name }));
    expect(listPlanAgents({ tasks })).toEqual(["b", "a"]);
  });

  test("what the models used for one task, when it was told", () => {
    const call = { role: "agent:a", model_calls: 1, input_tokens: 100, output_tokens: 5 };
    const calls = [
      { ...call, task_id: "a" },
      { ...call, task_id: "b" },
      { ...call, task_id: "a" },
    ];
    const usage = { model_calls: 3, input_tokens: 300, output_tokens: 15, tasks: 2, duration_ms: 1 };
    expect(countTaskTokens({ ...usage, calls }, "a")).toBe(210);
    expect(countTaskTokens({ ...usage, calls }, "c")).toBeNull();
    expect(countTaskTokens(usage, "a")).toBeNull();
    expect(countTaskTokens(undefined, "a")).toBeNull();
  });

  test("whose results a task is given", () => {
    const tasks = [task("a", "pending"), task("b", "pending")];
    expect(listInputTitles({ depends_on: ["b", "nobody", "a"] }, tasks)).toEqual(["Task b", "Task a"]);
  });

  test.each([
    ["## The time\n\nIt is **late**\nMore", "It is late"],
    ["# It is late\n", "It is late"],
    ["---\n\n- `678 × 8776` is *5950128*", "678 × 8776 is 5950128"],
    ["1. snake_case stays, 2 * 3 * 4 too", "snake_case stays, 2 * 3 * 4 too"],
    ["\n\n", ""],
    ["字".repeat(200), `${"字".repeat(160)} …`],
  ])("%j begins with %j", (result, preview) => {
    expect(buildPreview(result)).toBe(preview);
  });
});

describe("the stream of a task", () => {
  const item = (id: string, more: Partial<Item> = {}): Item => ({
    item_id: id,
    seq: 1,
    event: "message_chunk",
    role: "agent",
    conversation_id: "conv-1",
    task_id: "a",
    payload: { content: id },
    metadata: {},
    ...more,
  });
  const itemsOf = (...items: readonly Item[]): ItemMap => new Map(items.map((each) => [each.item_id, each]));

  test("holds its own items, but not its end and no answers, which stand elsewhere", () => {
    const items = itemsOf(
      item("1"),
      item("2", { task_id: "b" }),
      item("3", { event: "task_failed" }),
      item("4", { event: "message", role: "user", metadata: { request_id: "req-1" } }),
      item("5", { event: "message" }),
      item("6", { event: "tool_call_completed", payload: { tool_name: "connect_agent" } }),
    );
    expect(getTaskStream(items, "a").map(({ item_id }) => item_id)).toEqual(["1", "5"]);
    expect(getTaskStream(items, "nobody")).toEqual([]);
  });

  test("stays the same list while another task speaks", () => {
    const [a, b] = [item("1"), item("2", { task_id: "b" })];
    const before = itemsOf(a, b);
    const streams = [getTaskStream(before, "a"), getTaskStream(before, "b")];
    const after = itemsOf(a, { ...b, payload: { content: "more" } });
    expect(getTaskStream(after, "a")).toBe(streams[0]);
    expect(getTaskStream(after, "b")).not.toBe(streams[1]);
  });
});

describe("how long a task took", () => {
  const planOf = (...tasks: Task[]): Plan => ({
    plan_id: "plan-1",
    conversation_id: "conv-1",
    thread_id: "th-1",
    user_id: "local",
    orig_query: "q",
    query: "q",
    reasoning: "",
    created_at: 0,
    tasks,
  });
  const seen = (...statuses: readonly TaskStatus[]): ObservedTasks =>
    statuses.reduce<ObservedTasks>(
      (sight, status, i) => observeTasks(sight, [{ task_id: "a", status }], i * 1_000),
      new Map(),
    );

  test("is seen by whoever is there, and the server is not asked", () => {
    const span = computeTaskSpan(task("a", "completed"), seen("pending", "running", "completed"), []);
    expect(span).toEqual({ from: 1_000, to: 2_000 });
    expect(isSpanIncomplete(task("a", "completed"), span)).toBe(false);
  });

  test("is asked of the server by whoever came later, and its word goes first", () => {
    const late = task("a", "completed");
    const span = computeTaskSpan(late, seen("completed"), []);
    expect([span, isSpanIncomplete(late, span)]).toEqual([{}, true]);
    const told = task("a", "completed", { started_at: 5, completed_at: 25 });
    expect(computeTaskSpan(late, seen("pending", "running", "completed"), [planOf(told)])).toEqual({ from: 5, to: 25 });
  });

  test("has no end while it runs, whatever was told of an earlier time", () => {
    const running = task("a", "running", { started_at: 7 });
    expect(computeTaskSpan(running, new Map(), [])).toEqual({ from: 7 });
    expect(computeTaskSpan(running, seen("pending", "running"), [])).toEqual({ from: 1_000 });
  });

  test("nothing is missing of what never began", () => {
    expect(isSpanIncomplete(task("a", "pending"), {})).toBe(false);
    expect(isSpanIncomplete(task("a", "scheduled"), {})).toBe(false);
    expect(isSpanIncomplete(task("a", "cancelled"), { to: 5 })).toBe(false);
  });

  test("what was stopped before it began took no time", () => {
    expect(computeTaskSpan(task("a", "cancelled"), seen("pending", "cancelled"), [])).toEqual({ to: 1_000 });
  });

  test("counts how often it began again, and stays the same while nothing changes", () => {
    const sight = seen("running", "retrying", "running", "retrying", "retrying");
    expect(sight.get("a")?.retries).toBe(2);
    expect(observeTasks(sight, [{ task_id: "a", status: "retrying" }], 9_000)).toBe(sight);
  });

  test("is written as people write it", () => {
    expect(createFormatter("en").duration(2_000)).toBe("2 sec");
  });
});
