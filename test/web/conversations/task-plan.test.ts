import { describe, expect, test } from "vitest";
import type { Item, ItemMap } from "../../../src/protocol/wire/items.ts";
import type { Plan, Task, TaskStatus } from "../../../src/protocol/plans/task-plan.ts";
import { createFormatter } from "../../../src/web/ui/format/formatter.ts";
import {
  listPlanAgents,
  listInputTitles,
  isTaskActive,
  buildPreview,
  computeProgress,
  countTaskTokens,
  getTaskStream,
} from "../../../src/web/features/conversations/task-plan/plan-facts.ts";
import {
  buildTaskGraph,
  isDrawableGraph,
  computeLayers,
  type TaskGraph,
} from "../../../src/web/features/conversations/task-plan/task-graph.ts";
import {
  isSpanIncomplete,
  observeTasks,
  computeTaskSpan,
  type ObservedTasks,
} from "../../../src/web/features/conversations/task-plan/task-spans.ts";

/** Parses tasks: `c<a,b` is the task c, which depends on a and b. */
function parseTasks(...notation: readonly string[]) {
  return notation.map((text) => {
    const [task_id = "", needs = ""] = text.split("<");
    return { task_id, depends_on: needs === "" ? [] : needs.split(",") };
  });
}

const formatOrder = ({ rows }: TaskGraph) => rows.map(({ task_id }) => task_id).join(" ");

describe("task graph", () => {
  test("places a task one layer below its deepest dependency", () => {
    const layers = computeLayers(parseTasks("d<c,a", "a", "b", "c<a,b"));
    expect(Object.fromEntries(layers)).toEqual({ a: 0, b: 0, c: 1, d: 2 });
  });

  test("orders tasks after their dependencies and otherwise in plan order", () => {
    expect(formatOrder(buildTaskGraph(parseTasks("d<c", "b", "c<a", "a")))).toBe("b a c d");
  });

  test("ignores unknown dependencies and cycles and keeps every task", () => {
    const graph = buildTaskGraph(parseTasks("a<b", "b<a", "c<nobody", "d<d"));
    expect(graph.rows.map(({ task_id }) => task_id).toSorted()).toEqual(["a", "b", "c", "d"]);
    expect(computeLayers(parseTasks("a<b", "b<a"))).toEqual(
      new Map([
        ["b", 0],
        ["a", 1],
      ]),
    );
  });

  test("gives parallel tasks separate lanes that end in the task that depends on both", () => {
    const { rows, lanes } = buildTaskGraph(parseTasks("a", "b", "c<a,b"));
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

  test("continues a line past a dependent task while another task still needs it", () => {
    const { rows } = buildTaskGraph(parseTasks("a", "b<a", "c<a,b"));
    expect(rows[1]).toMatchObject({ lane: 1, incoming: [{ source: "a" }], passing: [{ lane: 0, source: "a" }] });
    expect(rows[2]?.incoming.map(({ source }) => source)).toEqual(["a", "b"]);
  });

  test("frees the lane of a task without dependents", () => {
    const { rows, lanes } = buildTaskGraph(parseTasks("a", "b", "c<b"));
    expect(lanes).toBe(1);
    expect(rows.map(({ passing }) => passing.length)).toEqual([0, 0, 0]);
  });

  test("never draws a line through another task", () => {
    const notation = ["a", "b", "c", "d<a", "e<a,b", "f<c,d", "g<e", "h<a,g", "i", "j<i,h", "k<b,j", "l<f,k"];
    const { rows } = buildTaskGraph(parseTasks(...notation));
    for (const { lane, passing, incoming } of rows) {
      expect(passing.filter((line) => line.lane === lane)).toEqual([]);
      expect(incoming.filter((line) => line.lane === lane).length).toBeLessThan(2);
    }
    const drawnEdges = rows.flatMap(({ task_id, incoming }) => incoming.map(({ source }) => `${task_id}<${source}`));
    const expectedEdges = parseTasks(...notation).flatMap(({ task_id, depends_on }) =>
      depends_on.map((id) => `${task_id}<${id}`),
    );
    expect(drawnEdges.toSorted()).toEqual(expectedEdges.toSorted());
  });

  test("is drawable only with edges, at most twelve tasks and few lanes", () => {
    const chain = (length: number) =>
      buildTaskGraph(parseTasks(...Array.from({ length }, (_, i) => (i === 0 ? "t0" : `t${i}<t${i - 1}`))));
    expect(isDrawableGraph(buildTaskGraph(parseTasks("a", "b")))).toBe(false);
    expect(isDrawableGraph(chain(12))).toBe(true);
    expect(isDrawableGraph(chain(13))).toBe(false);
    expect(isDrawableGraph(buildTaskGraph(parseTasks("a", "b", "c", "d", "e", "f", "g", "z<a,b,c,d,e,f,g")))).toBe(
      false,
    );
  });
});

function createTask(id: string, status: TaskStatus, more: Partial<Task> = {}): Task {
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

describe("plan facts", () => {
  test("count a scheduled task as done and a cancelled task as not done", () => {
    const statuses: TaskStatus[] = ["completed", "scheduled", "failed", "cancelled", "waiting_input", "running"];
    const tasks = statuses.map((status, i) => createTask(String(i), status));
    expect(computeProgress(tasks)).toEqual({ total: 6, done: 2, failed: 2, waiting: 1, isOver: false });
    expect(computeProgress(tasks.slice(0, 4)).isOver).toBe(true);
    expect(tasks.filter(({ status }) => isTaskActive(status)).map(({ status }) => status)).toEqual([
      "waiting_input",
      "running",
    ]);
  });

  test("list each agent once", () => {
    const tasks = ["b", "a", "b"].map((agent_name, i) => createTask(String(i), "pending", { agent_name }));
    expect(listPlanAgents({ tasks })).toEqual(["b", "a"]);
  });

  test("sum the tokens of one task, or return null if they are unknown", () => {
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

  test("list the titles of the tasks whose results a task gets", () => {
    const tasks = [createTask("a", "pending"), createTask("b", "pending")];
    expect(listInputTitles({ depends_on: ["b", "nobody", "a"] }, tasks)).toEqual(["Task b", "Task a"]);
  });

  test.each([
    ["## The time\n\nIt is **late**\nMore", "It is late"],
    ["# It is late\n", "It is late"],
    ["---\n\n- `678 × 8776` is *5950128*", "678 × 8776 is 5950128"],
    ["1. snake_case stays, 2 * 3 * 4 too", "snake_case stays, 2 * 3 * 4 too"],
    ["\n\n", ""],
    ["字".repeat(200), `${"字".repeat(160)} …`],
  ])("reduce %j to the preview %j", (result, preview) => {
    expect(buildPreview(result)).toBe(preview);
  });
});

describe("task stream", () => {
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
  const createItemMap = (...items: readonly Item[]): ItemMap => new Map(items.map((each) => [each.item_id, each]));

  test("contains the items of its task without the end, answers and handoffs", () => {
    const items = createItemMap(
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

  test("keeps its identity while another task changes", () => {
    const [a, b] = [item("1"), item("2", { task_id: "b" })];
    const before = createItemMap(a, b);
    const streams = [getTaskStream(before, "a"), getTaskStream(before, "b")];
    const after = createItemMap(a, { ...b, payload: { content: "more" } });
    expect(getTaskStream(after, "a")).toBe(streams[0]);
    expect(getTaskStream(after, "b")).not.toBe(streams[1]);
  });
});

describe("task span", () => {
  const createPlan = (...tasks: Task[]): Plan => ({
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
  const observeStatuses = (...statuses: readonly TaskStatus[]): ObservedTasks =>
    statuses.reduce<ObservedTasks>(
      (observed, status, i) => observeTasks(observed, [{ task_id: "a", status }], i * 1_000),
      new Map(),
    );

  test("is complete from observed status changes", () => {
    const span = computeTaskSpan(createTask("a", "completed"), observeStatuses("pending", "running", "completed"), []);
    expect(span).toEqual({ from: 1_000, to: 2_000 });
    expect(isSpanIncomplete(createTask("a", "completed"), span)).toBe(false);
  });

  test("is incomplete without observed changes, and uses the times of the server first", () => {
    const late = createTask("a", "completed");
    const span = computeTaskSpan(late, observeStatuses("completed"), []);
    expect([span, isSpanIncomplete(late, span)]).toEqual([{}, true]);
    const reported = createTask("a", "completed", { started_at: 5, completed_at: 25 });
    expect(computeTaskSpan(late, observeStatuses("pending", "running", "completed"), [createPlan(reported)])).toEqual({
      from: 5,
      to: 25,
    });
  });

  test("has no end while the task runs, and the observed start has priority", () => {
    const running = createTask("a", "running", { started_at: 7 });
    expect(computeTaskSpan(running, new Map(), [])).toEqual({ from: 7 });
    expect(computeTaskSpan(running, observeStatuses("pending", "running"), [])).toEqual({ from: 1_000 });
  });

  test("is not incomplete for a task that never started", () => {
    expect(isSpanIncomplete(createTask("a", "pending"), {})).toBe(false);
    expect(isSpanIncomplete(createTask("a", "scheduled"), {})).toBe(false);
    expect(isSpanIncomplete(createTask("a", "cancelled"), { to: 5 })).toBe(false);
  });

  test("has no start if the task was cancelled before it started", () => {
    expect(computeTaskSpan(createTask("a", "cancelled"), observeStatuses("pending", "cancelled"), [])).toEqual({
      to: 1_000,
    });
  });

  test("counts retries, and the observation keeps its identity without changes", () => {
    const observed = observeStatuses("running", "retrying", "running", "retrying", "retrying");
    expect(observed.get("a")?.retries).toBe(2);
    expect(observeTasks(observed, [{ task_id: "a", status: "retrying" }], 9_000)).toBe(observed);
  });

  test("is formatted as a duration", () => {
    expect(createFormatter("en").duration(2_000)).toBe("2 sec");
  });
});
