// Graphs of dependencies: finds cycles and runs tasks in dependency order.

/** The ids that each id depends on. */
export type DependencyGraph = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the ids of one cycle, with the first id repeated at the end, or null if the graph has none. Dependencies that
 * are not keys of the graph are ignored.
 */
export function findCycle(dependencies: DependencyGraph): string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const walk = (id: string): string[] | null => {
    const at = path.indexOf(id);
    if (at >= 0) return [...path.slice(at), id];
    if (done.has(id)) return null;
    path.push(id);
    for (const need of dependencies.get(id) ?? []) {
      const cycle = dependencies.has(need) ? walk(need) : null;
      if (cycle !== null) return cycle;
    }
    path.pop();
    done.add(id);
    return null;
  };
  for (const id of dependencies.keys()) {
    const cycle = walk(id);
    if (cycle !== null) return cycle;
  }
  return null;
}

/**
 * Runs each id as soon as all of its dependencies have ended; dependencies that are not keys are ignored. Starts ids in
 * the order of the map, at most `maxConcurrent` at a time. After the first rejection nothing starts any more; rejects
 * with it once all running tasks have ended. The ids of a cycle never start: then it rejects with an `Error` after the
 * other ids have ended.
 */
export async function runInDependencyOrder(
  dependencies: DependencyGraph,
  maxConcurrent: number,
  run: (id: string) => Promise<void>,
): Promise<void> {
  const waiting = new Set(dependencies.keys());
  const ended = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const isStartable = (id: string) =>
    (dependencies.get(id) ?? []).every((need) => ended.has(need) || !dependencies.has(need));
  for (;;) {
    const startable =
      failures.length > 0 ? [] : [...waiting].filter(isStartable).slice(0, maxConcurrent - running.size);
    for (const id of startable) {
      waiting.delete(id);
      const end = run(id).then(
        () => void ended.add(id),
        (thrown: unknown) => void failures.push(thrown),
      );
      running.set(
        id,
        end.finally(() => running.delete(id)),
      );
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  if (failures.length > 0) throw failures[0];
  if (waiting.size > 0) throw new Error(`Nothing can start: ${[...waiting].join(", ")}`);
}
