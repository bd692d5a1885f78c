import { describe, expect, test } from "vitest";
import { SCORES } from "./classroom.ts";
import { block, COMPARISON, ROWS, STATS } from "./shown.ts";

describe("[F112] table", () => {
  test("marks scores below 60 and from 80 on, and leaves numbers numbers", () => {
    expect(block("table", { submissions: ROWS, scores: SCORES })).toMatchObject({
      headers: ["Student id", "Student", "Score", "Submitted"],
      rows: [
        { cells: ["s-1", "Ann", 58, "Nov 2, 2026"], status: "warning" },
        { cells: ["s-2", "Ben", 85, "Nov 3, 2026"], status: "success" },
        { cells: ["s-3", "Cai", 72, null], status: "normal" },
      ],
    });
  });

  test.each([
    [59.9, "warning"],
    [60, "normal"],
    [79.9, "normal"],
    [80, "success"],
  ])("a score of %d is %s", (score, status) => {
    expect(block("table", [{ score }])).toMatchObject({ rows: [{ status }] });
  });

  test("takes a score for a share of what it is out of", () => {
    const submissions = [{ score: 45 }, { score: 29 }];
    const marked = { rows: [{ status: "success" }, { status: "warning" }] };
    expect(block("table", { max_score: 50, submissions })).toMatchObject(marked);
    expect(block("table", submissions, { maxScore: 50 })).toMatchObject(marked);
    expect(
      block("table", [
        { score: 45, max_score: 50 },
        { score: 45, max_score: 100 },
      ]),
    ).toMatchObject(marked);
  });

  test("does not take every number for a score", () => {
    expect(block("table", [{ price: 12 }])).toMatchObject({ rows: [{ status: "normal" }] });
    expect(block("table", [{ max_score: 50 }])).toMatchObject({ rows: [{ status: "normal" }] });
    expect(block("table", [{ score: 4 }, { score: 5 }])).toMatchObject({
      rows: [{ status: "normal" }, { status: "normal" }],
    });
    expect(block("table", [{ 成绩: 30 }], {}, "zh")).toMatchObject({
      headers: ["成绩"],
      rows: [{ status: "warning" }],
    });
  });

  test("shows the columns that are named, under their titles, and highlights by rule", () => {
    const props = {
      columns: [{ key: "score", label: "Points" }, "student_name"],
      highlightRules: [
        { column: "score", condition: "<", value: 60, style: "danger" },
        { column: "nothing", condition: "lt", value: 1, style: "error" },
        { column: "score", condition: "resembles", value: 1, style: "error" },
      ],
    };
    expect(block("table", ROWS, props)).toMatchObject({
      headers: ["Points", "Student"],
      rows: [{ cells: [58, "Ann"] }, {}, {}],
      highlightRules: [{ column: 0, condition: "lt", value: 60, style: "error" }],
    });
  });

  test("shows columns and rows as a query gives them, figures of a group, and two groups", () => {
    expect(block("table", { columns: [{ name: "城市" }, { name: "n" }], rows: [["北京", 3]] })).toMatchObject({
      headers: ["城市", "n"],
      rows: [{ cells: ["北京", 3] }],
    });
    expect(block("table", STATS)).toMatchObject({
      headers: ["Measure", "Value"],
      rows: [{ cells: ["Average", STATS.mean] }, {}, {}, {}, {}, {}],
    });
    expect(block("table", COMPARISON)).toMatchObject({ headers: ["Measure", "Group A", "Group B", "Difference"] });
  });

  test("shows five hundred rows at most, and says so", () => {
    const rows = Array.from({ length: 501 }, (_, i) => ({ i }));
    const shown = block("table", rows, { title: "All" }, "zh");
    expect(shown).toMatchObject({ title: "All (前500项，共501项)" });
    expect(shown.type === "table" && shown.rows.length).toBe(500);
  });

  test("says that an answer was cut where nobody would know", () => {
    const answer = (count: number) => ({
      columns: ["n"],
      rows: Array.from({ length: count }, (_, n) => [n]),
      is_truncated: true,
    });
    expect(block("table", answer(100), { title: "All" })).toMatchObject({ title: "All (first 100, there are more)" });
    expect(block("chart", answer(100))).toMatchObject({ title: "(first 100, there are more)" });
    expect(block("table", answer(10), { title: "Top ten" })).toMatchObject({ title: "Top ten" });
  });

  test("an empty answer is an empty table", () => {
    expect(block("table", { columns: ["a"], rows: [] })).toMatchObject({ type: "table", headers: ["a"], rows: [] });
  });
});
