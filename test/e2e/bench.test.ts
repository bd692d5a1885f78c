import { beforeAll, describe, expect, it } from "vitest";
import { runBench } from "../../bench/bench.ts";
import { withMaximum, quantile, withMaximumRatio, withMinimumRatio, type Figure } from "../../bench/figure.ts";
import { formatTable } from "../../bench/table.ts";
import { isLongRun } from "../support/run-length.ts";
import { countExpectedChars, parseWorkload, formatWorkload } from "../../bench/workload.ts";

const MEASUREMENTS = ["turns", "rows", "schedules", "tools", "size"] as const;
const MIN_FIGURES = 31;

// In the short form, `test/durable/rows-written.test.ts` holds the limits of rows.
describe.runIf(isLongRun)("benchmark", () => {
  let figures: readonly Figure[] = [];
  const findFigure = (figureName: string) => figures.find(({ name }) => name === figureName)?.orrery ?? NaN;
  // Use one environment for all measurements: its build and start take longer than most of them.
  beforeAll(async () => {
    ({ figures } = await runBench({ isQuick: true, measurements: MEASUREMENTS, log: () => undefined }));
  }, 240_000);

  it("measures a finite value for every figure", () => {
    expect(figures.length).toBeGreaterThanOrEqual(MIN_FIGURES);
    // CPU time is only known on Linux.
    const unknown = figures.filter(({ orrery, bare = 0 }) => !Number.isFinite(orrery) || !Number.isFinite(bare));
    expect(unknown.filter(({ name }) => !name.includes("CPU"))).toEqual([]);
  });

  it("measures turns", () => {
    expect(findFigure("direct answer: whole turn")).toBeGreaterThan(0);
    expect(findFigure("two-task plan: whole turn")).toBeGreaterThan(
      findFigure("direct answer: message to acknowledgement"),
    );
  });

  it("measures written rows", () => {
    expect(findFigure("direct answer: rows written")).toBeGreaterThan(0);
    // The sub-conversations of a plan are listed in the directory. The meter must count these rows.
    expect(findFigure("two-task plan: rows in the directory")).toBeGreaterThan(0);
  });

  it("measures schedules, tool searches and the size of the Worker", () => {
    expect(findFigure("50 schedules due at once: fired in the first minute")).toBe(50);
    expect(findFigure("50 schedules due at once: completed in the first minute")).toBe(50);
    expect(findFigure("search among 100 tools, with as many of other users: p50")).toBeGreaterThan(0);
    expect(findFigure("the Worker, gzipped")).toBeGreaterThan(0);
  });
});

describe("benchmark table", () => {
  const figure = { name: "turn", unit: "ms", orrery: 12, bare: 10 };

  it("computes whether targets are met", () => {
    expect(withMaximum(11, figure).target?.isMet).toBe(false);
    expect(withMaximumRatio(1.3, figure).target?.isMet).toBe(true);
    expect(withMaximumRatio(1.1, figure).target?.isMet).toBe(false);
    expect(withMinimumRatio(1.3, { ...figure, orrery: 7 }).target?.isMet).toBe(false);
    expect(withMinimumRatio(1.3, { ...figure, orrery: 8 }).target?.isMet).toBe(true);
  });

  it("contains both sides, their ratio and the verdict", () => {
    const [, , row] = formatTable([withMaximumRatio(1.3, figure)]).split("\n");
    expect(row?.split("|").map((cell) => cell.trim())).toEqual([
      "",
      "turn, ms",
      "12",
      "10",
      "1.2 ×",
      "≤ 1.3 ×",
      "met",
      "",
    ]);
  });

  it("marks targets of unmeasured values as unknown", () => {
    const [, , row] = formatTable([withMaximumRatio(1.3, { ...figure, orrery: NaN })]).split("\n");
    expect(row).toContain("unknown");
    expect(quantile([], 0.5)).toBeNaN();
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
  });
});

describe("workload", () => {
  it("is parsed from its formatted text", () => {
    const workload = { kind: "plan", tokens: 200, paceMs: 50 } as const;
    expect(parseWorkload(formatWorkload(workload))).toEqual(workload);
    expect(countExpectedChars(workload)).toBe(6 * (2 * 200 + 20));
    expect(() => parseWorkload("hello")).toThrow("No workload");
  });
});
