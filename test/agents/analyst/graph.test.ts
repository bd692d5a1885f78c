import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findCycle, runInDependencyOrder } from "../../../src/agents/analyst/dependency-graph.ts";

const needs = (graph: Record<string, string[]>) => new Map(Object.entries(graph));

test.each([
  [{ a: [], b: ["a"], c: ["a", "b"] }, null],
  [{ a: ["a"] }, ["a", "a"]],
  [{ a: ["b"], b: ["c"], c: ["a"] }, ["a", "b", "c", "a"]],
  [{ x: [], a: ["b", "x"], b: ["a"] }, ["a", "b", "a"]],
  [{ a: ["nobody"] }, null],
])("%j has the circle %j", (graph, circle) => {
  expect(findCycle(needs(graph as Record<string, string[]>))).toEqual(circle);
});

test("what needs nothing of one another runs side by side, at most so many at once", async () => {
  let running = 0;
  let most = 0;
  const started: string[] = [];
  await runInDependencyOrder(needs({ a: [], b: [], c: [], d: ["a", "b"] }), 2, async (id) => {
    started.push(id);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
  });
  expect(started).toEqual(["a", "b", "c", "d"]);
  expect(most).toBe(2);
});

test("nothing starts after a failure, and it is told once the rest has ended", async () => {
  const log: string[] = [];
  const work = runInDependencyOrder(needs({ a: [], b: [], c: ["a"], d: ["b"] }), 5, async (id) => {
    log.push(`${id} starts`);
    await new Promise((resolve) => setTimeout(resolve, id === "a" ? 1 : 10));
    log.push(`${id} ends`);
    if (id === "a") throw new Error("a broke");
  });
  await expect(work).rejects.toThrow("a broke");
  expect(log).toEqual(["a starts", "b starts", "a ends", "b ends"]);
});

test("whatever the graph, all run once and after what they need", async () => {
  const graphs = fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 4 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(graphs, fc.integer({ min: 1, max: 4 }), async (edges, most) => {
      const graph = new Map(edges.map((to, i) => [String(i), to.filter((n) => n < i).map(String)]));
      const ended: string[] = [];
      await runInDependencyOrder(graph, most, async (id) => {
        expect(graph.get(id)?.every((need) => ended.includes(need))).toBe(true);
        await Promise.resolve();
        ended.push(id);
      });
      expect(ended.toSorted()).toEqual([...graph.keys()].toSorted());
    }),
  );
});
