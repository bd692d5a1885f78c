// Questions about generated tables, answered by a model that invents numbers and adds up ids.
// The truth is computed from the rows, without the code under test.

import { expect, test } from "vitest";
import { createDataTools } from "../../../src/agents/analyst/data-tools.ts";
import type { Cell } from "../../../src/protocol/datasets/dataset.ts";
import { createRandom } from "../../support/random.ts";
import { openLibrary } from "../../support/dataset-library.ts";
import { pickByLength } from "../../support/run-length.ts";
import { createTextModel, getCompleteEvent, runExecution } from "./run-execution.ts";
import { checkBlueprint } from "../../../src/agents/analyst/blueprint/blueprint-check.ts";
import { ensurePresent } from "../../../src/lib/assert.ts";

type Order = readonly [id: number, zip: number, region: string | null, date: string | null, amount: number | null];
type Random = () => number;

const REGIONS = ["North", "South", "East", "West"];
const MARKS = { en: " (unverified)", "zh-CN": "（未经核实）" } as const;

/** Creates orders with gaps, unequal groups and a last month of a few days. */
function createOrders(random: Random): Order[] {
  return Array.from({ length: 8 + Math.floor(random() * 20) }, (_, i) => [
    100_001 + i,
    10_000 + Math.floor(random() * 80_000),
    random() < 0.1 ? null : (REGIONS[Math.floor(random() ** 2 * REGIONS.length)] ?? null),
    random() < 0.1 ? null : `2026-0${1 + Math.floor(random() * 3)}-0${1 + Math.floor(random() * 3)}`,
    random() < 0.15 ? null : Math.round(random() * 900_000) / 100,
  ]);
}

/** The questions: their aggregate, and the truth for the rows of one region. */
const QUESTIONS = {
  count: { aggregate: { function: "count", as: "figure" }, compute: (rows: readonly Order[]) => rows.length },
  sum: {
    aggregate: { function: "sum", column: "amount", as: "figure" },
    compute: (rows: readonly Order[]) => listAmounts(rows).reduce((total, amount) => total + amount, 0),
  },
  max: {
    aggregate: { function: "max", column: "amount", as: "figure" },
    compute: (rows: readonly Order[]) => Math.max(...listAmounts(rows)),
  },
} as const;
const listAmounts = (rows: readonly Order[]) => rows.flatMap(([, , , , amount]) => amount ?? []);

function createPage(aggregate: object, filter: object | undefined) {
  const query = {
    dataset: "orders",
    group: ["region"],
    aggregate: [aggregate],
    ...(filter === undefined ? {} : { filter }),
  };
  const checked = checkBlueprint(
    {
      name: "Orders",
      dataContract: { bindings: [{ id: "found", toolName: "query_dataset", paramMapping: query }] },
      computeGraph: { nodes: [{ id: "words", type: "ai", promptTemplate: "Say $data.found.", outputKey: "words" }] },
      uiComposition: {
        tabs: [
          {
            id: "all",
            label: "All",
            slots: [
              { id: "table", componentType: "table", dataBinding: "$data.found" },
              { id: "words", componentType: "markdown", dataBinding: "$compute.words", aiContentSlot: true },
            ],
          },
        ],
      },
    },
    createDataTools(openLibrary().data).infos,
  );
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.blueprint;
}

/** Writes an invented number that is neither a result nor its rounding, in one of several ways. */
function inventNumber(random: Random): string {
  const digits = 11 + Math.floor(random() * 8);
  const ways = [
    () => `9,${digits}9,${digits}3.${digits}`,
    () => `${digits}.37 million`,
    () => `${digits}.37万亿`,
    () => `${digits}万${digits - 10}千`,
    () => "三亿二千万",
    () => "seventy-seven million",
    () => `￥8${digits}345678`.slice(1),
  ];
  return ensurePresent(ways[Math.floor(random() * ways.length)], "a way")();
}

/** Writes a true figure in one of the ways in which people round and group it. */
function writeFigure(figure: number, random: Random): string {
  const ways = [
    () => String(figure),
    () => figure.toLocaleString("en", { maximumFractionDigits: 2 }),
    () => figure.toFixed(1),
    () => `${(figure / 10_000).toFixed(2)}万`,
    () => `${(figure / 1_000).toFixed(1)}k`,
  ];
  return ensurePresent(ways[Math.floor(random() * ways.length)], "a way")();
}

/** True if the whole number, not only the end of a longer one, has the mark. */
const isMarked = (text: string, number: string, mark: string) =>
  text.split(`${number}${mark}`).some((before, i, parts) => i < parts.length - 1 && !/[\d.,]$/.test(before));

test(`[F112] no wrong figure of ${pickByLength(100, 1_000)} answers stands without a mark, and no true one has a mark`, async () => {
  const random = createRandom(20_261_126);
  let [invented, shown] = [0, 0];
  for (let i = 0; i < pickByLength(100, 1_000); i++) {
    const orders = createOrders(random);
    const library = openLibrary();
    library.add("orders", ["order_id,zip,region,date,amount", ...orders.map((row) => row.join(","))].join("\n"));
    const question = ensurePresent(Object.values(QUESTIONS)[i % 3], "a question");
    const isNarrowed = random() < 0.5;
    const filter = isNarrowed ? { column: "date", operator: "gte", value: "2026-02-01" } : undefined;
    const rows = isNarrowed ? orders.filter(([, , , date]) => date !== null && date >= "2026-02-01") : orders;
    const truth = new Map(
      [...Map.groupBy(rows, ([, , region]) => region)].map(([name, all]) => [name, question.compute(all)]),
    );
    const figures = [...truth.values()].filter((figure) => Number.isFinite(figure) && figure !== 0);
    const figure = writeFigure(figures[Math.floor(random() * figures.length)] ?? 0, random);
    const number = inventNumber(random);
    const language = i % 2 === 0 ? "en" : "zh-CN";
    const text = language === "en" ? `One has ${figure} and all have ${number}.` : `其中一组${figure}，合计${number}。`;
    const run = await runExecution({
      blueprint: createPage(question.aggregate, filter),
      tools: createDataTools(library.data),
      model: createTextModel(text),
      language,
      context: {},
    });
    const { chatResponse } = getCompleteEvent(run).result;
    const label = JSON.stringify({ i, text, chatResponse });
    expect(isMarked(chatResponse, number, MARKS[language]), label).toBe(true);
    expect(figures.length === 0 || !isMarked(chatResponse, figure, MARKS[language]), label).toBe(true);
    expect(
      run.page?.meta.unverifiedNumbers?.some((found) => number.startsWith(found.number)),
      label,
    ).toBe(true);
    const table = run.page?.tabs[0]?.blocks.find((block) => block.type === "table");
    for (const { cells } of table?.type === "table" ? table.rows : []) {
      const expected = truth.get((cells[0] ?? null) as string | null);
      if (typeof cells[1] !== "number") continue;
      expect(cells[1], label).toBeCloseTo(ensurePresent(expected, label), 2);
      shown++;
    }
    invented++;
  }
  expect(invented).toBe(pickByLength(100, 1_000));
  expect(shown).toBeGreaterThan(invented);
});

test.each(["order_id", "zip", "CustomerID", "学号", "phone"])(
  "a page never computes with the ids of %s",
  async (column) => {
    const library = openLibrary();
    const rows: Cell[][] = [
      ["a", 1],
      ["b", 2],
    ];
    library.put(
      "orders",
      [
        { name: "region", type: "text" },
        { name: column, type: "integer" },
      ],
      rows,
    );
    const compute = (name: string) =>
      runExecution({
        blueprint: createPage({ function: name, column, as: "figure" }, undefined),
        tools: createDataTools(library.data),
        model: createTextModel("Fine."),
        context: {},
      });
    for (const name of ["sum", "mean", "median", "stddev"]) {
      const run = await compute(name);
      expect(run.page).toBeNull();
      expect(getCompleteEvent(run).result.chatResponse).toContain(column);
    }
    for (const name of ["count", "distinct", "max"]) expect((await compute(name)).page).not.toBeNull();
  },
);
