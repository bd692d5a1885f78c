import { beforeAll, describe, expect, it } from "vitest";
import { bench } from "../../bench/bench.ts";
import { atMost, quantile, withinFactor, withinShare, type Figure } from "../../bench/figure.ts";
import { tableOf } from "../../bench/table.ts";
import { expectedChars, wishIn, worded } from "../../bench/wish.ts";

const MEASURED = ["turns", "rows", "schedules", "tools", "size"] as const;
const LEAST_FIGURES = 31;

describe("the bench measures both sides and finds a number for each of", () => {
  let figures: readonly Figure[] = [];
  const figure = (wanted: string) => figures.find(({ name }) => name === wanted)?.orrery ?? NaN;
  // All of them in one laboratory: building and starting it takes longer than most.
  beforeAll(async () => {
    ({ figures } = await bench({ isQuick: true, only: MEASURED, say: () => undefined }));
  }, 240_000);

  it("all that is asked for", () => {
    expect(figures.length).toBeGreaterThanOrEqual(LEAST_FIGURES);
    // CPU time can be told on Linux alone.
    const unknown = figures.filter(({ orrery, bare = 0 }) => !Number.isFinite(orrery) || !Number.isFinite(bare));
    expect(unknown.filter(({ name }) => !name.includes("CPU"))).toEqual([]);
  });

  it("turns", () => {
    expect(figure("direct answer: whole turn")).toBeGreaterThan(0);
    expect(figure("two-task plan: whole turn")).toBeGreaterThan(figure("direct answer: message to acknowledgement"));
  });

  it("rows", () => {
    expect(figure("direct answer: rows written")).toBeGreaterThan(0);
    // A plan has sub-conversations, which are listed: a meter that sees none of it is broken.
    expect(figure("two-task plan: rows in the directory")).toBeGreaterThan(0);
  });

  it("schedules, tools and the size", () => {
    expect(figure("50 schedules due at once: fired in the first minute")).toBe(50);
    expect(figure("50 schedules due at once: completed in the first minute")).toBe(50);
    expect(figure("search among 100 tools, beside as many of others: p50")).toBeGreaterThan(0);
    expect(figure("the Worker, gzipped")).toBeGreaterThan(0);
  });
});

describe("the table", () => {
  const figure = { name: "turn", unit: "ms", orrery: 12, bare: 10 };

  it("says which aims were met", () => {
    expect(atMost(11, figure).aim?.isMet).toBe(false);
    expect(withinFactor(1.3, figure).aim?.isMet).toBe(true);
    expect(withinFactor(1.1, figure).aim?.isMet).toBe(false);
    expect(withinShare(1.3, { ...figure, orrery: 7 }).aim?.isMet).toBe(false);
    expect(withinShare(1.3, { ...figure, orrery: 8 }).aim?.isMet).toBe(true);
  });

  it("shows both sides, their ratio and the verdict", () => {
    const [, , line] = tableOf([withinFactor(1.3, figure)]).split("\n");
    expect(line?.split("|").map((cell) => cell.trim())).toEqual([
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

  it("leaves open what could not be had", () => {
    const [, , line] = tableOf([withinFactor(1.3, { ...figure, orrery: NaN })]).split("\n");
    expect(line).toContain("unknown");
    expect(quantile([], 0.5)).toBeNaN();
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
  });
});

describe("a wish", () => {
  it("reads back as it was worded", () => {
    const wish = { kind: "plan", tokens: 200, paceMs: 50 } as const;
    expect(wishIn(worded(wish))).toEqual(wish);
    expect(expectedChars(wish)).toBe(6 * (2 * 200 + 20));
    expect(() => wishIn("hello")).toThrow("No wish");
  });
});
