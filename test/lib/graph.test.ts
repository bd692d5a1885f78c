import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findCycle, runInDependencyOrder } from "../../src/lib/graph.ts";

const createGraph = (graph: Record<string, string[]>) => new Map(Object.entries(graph));

test.each([
  [{ a: [], b: ["a"], c: ["a", "b"] }, null],
  [{ a: ["a"] }, ["a", "a"]],
  [{ a: ["b"], b: ["c"], c: ["a"] }, ["a", "b", "c", "a"]],
  [{ x: [], a: ["b", "x"], b: ["a"] }, ["a", "b", "a"]],
  [{ a: ["nobody"] }, null],
])("%j contains the cycle %j", (graph, cycle) => {
  expect(findCycle(createGraph(graph as Record<string, string[]>))).toEqual(cycle);
});

test("runInDependencyOrder runs independent nodes in parallel, up to its limit", async () => {
  let running = 0;
  let peak = 0;
  const started: string[] = [];
  await runInDependencyOrder(createGraph({ a: [], b: [], c: [], d: ["a", "b"] }), 2, async (id) => {
    started.push(id);
    peak = Math.max(peak, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
  });
  expect(started).toEqual(["a", "b", "c", "d"]);
  expect(peak).toBe(2);
});

test("runInDependencyOrder starts nothing after a failure and rejects when the running nodes have ended", async () => {
  const log: string[] = [];
  const work = runInDependencyOrder(createGraph({ a: [], b: [], c: ["a"], d: ["b"] }), 5, async (id) => {
    log.push(`${id} starts`);
    await new Promise((resolve) => setTimeout(resolve, id === "a" ? 1 : 10));
    log.push(`${id} ends`);
    if (id === "a") throw new Error("a broke");
  });
  await expect(work).rejects.toThrow("a broke");
  expect(log).toEqual(["a starts", "b starts", "a ends", "b ends"]);
});

test("runInDependencyOrder runs each node of any graph once and after its dependencies", async () => {
  const graphs = fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 4 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(graphs, fc.integer({ min: 1, max: 4 }), async (edges, limit) => {
      const graph = new Map(edges.map((to, i) => [String(i), to.filter((n) => n < i).map(String)]));
      const ended: string[] = [];
      await runInDependencyOrder(graph, limit, async (id) => {
        expect(graph.get(id)?.every((dependency) => ended.includes(dependency))).toBe(true);
        await Promise.resolve();
        ended.push(id);
      });
      expect(ended.toSorted()).toEqual([...graph.keys()].toSorted());
    }),
  );
});
