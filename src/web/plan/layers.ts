// Where the tasks of a plan stand, and the lines between them: rows from top to bottom with lanes beside them. A lane
// belongs to one task from its row down to the last one that uses its result, so no line ever runs through a stranger.

import type { Task } from "../../protocol/plan.ts";

export type Linked = Pick<Task, "task_id" | "depends_on">;

/** A line that comes from above, in the lane of the task that it belongs to. */
export type Line = { readonly lane: number; readonly source: string };

export type Row = {
  readonly task_id: string;
  /** 0: it needs nothing. Otherwise one more than the deepest task that it needs. */
  readonly layer: number;
  readonly lane: number;
  /** The lines that end here: whose results it uses. */
  readonly incoming: readonly Line[];
  /** The lines that go on below, some of the incoming ones among them. */
  readonly passing: readonly Line[];
  /** A line begins here. */
  readonly isUsed: boolean;
};

/** `lanes`: how many stand side by side where it is widest. */
export type Graph = { readonly rows: readonly Row[]; readonly lanes: number };

const MAX_TASKS = 12;
const MAX_LANES = 6;

/** Whether lines help: more of them would be a thicket, and without any there is nothing to see. */
export function isDrawable({ rows, lanes }: Graph): boolean {
  return rows.length <= MAX_TASKS && lanes <= MAX_LANES && rows.some(({ isUsed }) => isUsed);
}

/** The tasks, those before which others have to be done first. Unknown names and circles count as no dependency. */
export function graphOf(tasks: readonly Linked[]): Graph {
  const layers = layersOf(tasks);
  const layerOf = (id: string) => layers.get(id) ?? 0;
  const ordered = tasks.toSorted((a, b) => layerOf(a.task_id) - layerOf(b.task_id));
  /** Who still waits for the result of a task. */
  const users = new Map(tasks.map(({ task_id }) => [task_id, new Set<string>()]));
  for (const { task_id, depends_on } of ordered)
    for (const id of depends_on) if (layerOf(id) < layerOf(task_id)) users.get(id)?.add(task_id);
  /** By lane, whose line runs there. */
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
