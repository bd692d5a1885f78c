// The layout of the dependency graph of a plan: rows from top to bottom, with lanes for the lines. A lane belongs to
// one task from its row down to the last row that uses its result, so a line never passes through another task.

import type { Task } from "../../../../protocol/plans/task-plan.ts";

export type GraphTask = Pick<Task, "task_id" | "depends_on">;

/** A line from above, in the lane of its source task. */
export type GraphLine = { readonly lane: number; readonly source: string };

export type GraphRow = {
  readonly task_id: string;
  /** 0 without dependencies, otherwise one more than the deepest dependency. */
  readonly layer: number;
  readonly lane: number;
  /** The lines that end here: its dependencies. */
  readonly incoming: readonly GraphLine[];
  /** The lines that continue below; they may include incoming lines. */
  readonly passing: readonly GraphLine[];
  /** True if a line begins here, because a later task uses its result. */
  readonly isUsed: boolean;
};

/** `lanes`: the number of lanes, at least 1. */
export type TaskGraph = { readonly rows: readonly GraphRow[]; readonly lanes: number };

const MAX_DRAWN_TASKS = 12;
const MAX_DRAWN_LANES = 6;

/** Returns true if there are lines and at most `MAX_DRAWN_TASKS` tasks and `MAX_DRAWN_LANES` lanes. */
export function isDrawableGraph({ rows, lanes }: TaskGraph): boolean {
  return rows.length <= MAX_DRAWN_TASKS && lanes <= MAX_DRAWN_LANES && rows.some(({ isUsed }) => isUsed);
}

/**
 * Lays out the tasks, dependencies first and otherwise in their order. Dependencies on unknown ids, and those that
 * close a cycle, are ignored.
 */
export function buildTaskGraph(tasks: readonly GraphTask[]): TaskGraph {
  const layers = computeLayers(tasks);
  const getLayer = (id: string) => layers.get(id) ?? 0;
  const ordered = tasks.toSorted((a, b) => getLayer(a.task_id) - getLayer(b.task_id));
  /** The later tasks that use the result of a task and have no row yet. */
  const consumers = new Map(tasks.map(({ task_id }) => [task_id, new Set<string>()]));
  for (const { task_id, depends_on } of ordered)
    for (const id of depends_on) if (getLayer(id) < getLayer(task_id)) consumers.get(id)?.add(task_id);
  /** The source task of the line in each lane; null for a free lane. */
  const lanes: (string | null)[] = [];
  const rows = ordered.map(({ task_id }) => {
    const incoming = listLines(lanes).filter(({ source }) => consumers.get(source)?.delete(task_id));
    for (const { lane, source } of incoming) if (consumers.get(source)?.size === 0) lanes[lane] = null;
    const passing = listLines(lanes);
    const free = lanes.indexOf(null);
    const lane = free === -1 ? lanes.length : free;
    const isUsed = (consumers.get(task_id)?.size ?? 0) > 0;
    lanes[lane] = isUsed ? task_id : null;
    return { task_id, layer: getLayer(task_id), lane, incoming, passing, isUsed };
  });
  return { rows, lanes: Math.max(1, lanes.length) };
}

function listLines(lanes: readonly (string | null)[]): GraphLine[] {
  return lanes.flatMap((source, lane) => (source === null ? [] : [{ lane, source }]));
}

/** Returns the layer of each task; see `GraphRow`. A dependency on an unknown id or that closes a cycle is ignored. */
export function computeLayers(tasks: readonly GraphTask[]): ReadonlyMap<string, number> {
  const needs = new Map(tasks.map(({ task_id, depends_on }) => [task_id, depends_on]));
  const layers = new Map<string, number>();
  const computeLayer = (id: string, above: ReadonlySet<string>): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    const path = new Set(above).add(id);
    const deeper = (needs.get(id) ?? []).filter((other) => needs.has(other) && !path.has(other));
    const layer = Math.max(-1, ...deeper.map((other) => computeLayer(other, path))) + 1;
    layers.set(id, layer);
    return layer;
  };
  for (const { task_id } of tasks) computeLayer(task_id, new Set());
  return layers;
}
