// The layout of the dependency graph of a plan: rows from top to bottom, with lanes for the lines. A lane belongs to
// one task from its row down to the last row that uses its result, so a line never passes through another task.

import type { Task } from "../../protocol/plan.ts";

export type Linked = Pick<Task, "task_id" | "depends_on">;

/** A line from above, in the lane of its source task. */
export type Line = { readonly lane: number; readonly source: string };

export type Row = {
  readonly task_id: string;
  /** 0 without dependencies, otherwise one more than the deepest dependency. */
  readonly layer: number;
  readonly lane: number;
  /** The lines that end here: its dependencies. */
  readonly incoming: readonly Line[];
  /** The lines that continue below; they may include incoming lines. */
  readonly passing: readonly Line[];
  /** True if a line begins here, because a later task uses its result. */
  readonly isUsed: boolean;
};

/** `lanes`: the number of lanes, at least 1. */
export type Graph = { readonly rows: readonly Row[]; readonly lanes: number };

const MAX_TASKS = 12;
const MAX_LANES = 6;

/** Returns true if lines help: there are some, but not so many that they are hard to follow. */
export function isDrawable({ rows, lanes }: Graph): boolean {
  return rows.length <= MAX_TASKS && lanes <= MAX_LANES && rows.some(({ isUsed }) => isUsed);
}

/** Lays out the tasks, dependencies first. Unknown ids and cycles are ignored. */
export function graphOf(tasks: readonly Linked[]): Graph {
  const layers = layersOf(tasks);
  const layerOf = (id: string) => layers.get(id) ?? 0;
  const ordered = tasks.toSorted((a, b) => layerOf(a.task_id) - layerOf(b.task_id));
  /** The later tasks that use the result of a task and have no row yet. */
  const users = new Map(tasks.map(({ task_id }) => [task_id, new Set<string>()]));
  for (const { task_id, depends_on } of ordered)
    for (const id of depends_on) if (layerOf(id) < layerOf(task_id)) users.get(id)?.add(task_id);
  /** The source task of the line in each lane; null for a free lane. */
  const lanes: (string | null)[] = [];
  const rows = ordered.map(({ task_id }) => {
    const incoming = linesIn(lanes).filter(({ source }) => users.get(source)?.delete(task_id));
    for (const { lane, source } of incoming) if (users.get(source)?.size === 0) lanes[lane] = null;
    const passing = linesIn(lanes);
    const free = lanes.indexOf(null);
    const lane = free === -1 ? lanes.length : free;
    const isUsed = (users.get(task_id)?.size ?? 0) > 0;
    lanes[lane] = isUsed ? task_id : null;
    return { task_id, layer: layerOf(task_id), lane, incoming, passing, isUsed };
  });
  return { rows, lanes: Math.max(1, lanes.length) };
}

function linesIn(lanes: readonly (string | null)[]): Line[] {
  return lanes.flatMap((source, lane) => (source === null ? [] : [{ lane, source }]));
}

/** Returns the layer of each task. A dependency that closes a cycle is ignored. */
export function layersOf(tasks: readonly Linked[]): ReadonlyMap<string, number> {
  const needs = new Map(tasks.map(({ task_id, depends_on }) => [task_id, depends_on]));
  const layers = new Map<string, number>();
  const layerOf = (id: string, above: ReadonlySet<string>): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    const path = new Set(above).add(id);
    const deeper = (needs.get(id) ?? []).filter((other) => needs.has(other) && !path.has(other));
    const layer = Math.max(-1, ...deeper.map((other) => layerOf(other, path))) + 1;
    layers.set(id, layer);
    return layer;
  };
  for (const { task_id } of tasks) layerOf(task_id, new Set());
  return layers;
}
