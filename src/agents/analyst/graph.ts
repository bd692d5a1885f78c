// Graphs of dependencies: finds cycles and runs tasks in dependency order.

/** The ids that each id depends on. */
export type Needs = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the ids of one cycle, with the first id repeated at the end, or null if the graph has none. Dependencies that
 * are not keys of the graph are ignored.
 */
export function circleIn(needs: Needs): string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const walk = (id: string): string[] | null => {
    const at = path.indexOf(id);
    if (at >= 0) return [...path.slice(at), id];
    if (done.has(id)) return null;
    path.push(id);
    for (const need of needs.get(id) ?? []) {
      const circle = needs.has(need) ? walk(need) : null;
      if (circle !== null) return circle;
    }
    path.pop();
    done.add(id);
    return null;
  };
  for (const id of needs.keys()) {
    const circle = walk(id);
    if (circle !== null) return circle;
  }
  return null;
}

/**
 * Runs each id as soon as all of its dependencies have ended. Starts ids in the order of the map, at most
 * `maxConcurrent` at a time. After the first rejection nothing starts any more; rejects with it once all running tasks
 * have ended. The graph must have no cycle: throws an `Error` if no id can start.
 */
export async function sideBySide(needs: Needs, most: number, run: (id: string) => Promise<void>): Promise<void> {
  const waiting = new Set(needs.keys());
  const ended = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const isFree = (id: string) => (needs.get(id) ?? []).every((need) => ended.has(need) || !needs.has(need));
  for (;;) {
    const free = failures.length > 0 ? [] : [...waiting].filter(isFree).slice(0, most - running.size);
    for (const id of free) {
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
