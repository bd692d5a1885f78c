// Uploads a large table over HTTP, queries it and reads it again after a crash of the server.

import { beforeAll, expect, test } from "vitest";
import { createApi, type ApiClient } from "../../src/client/api.ts";
import { shareRuntime, type SharedRuntime } from "../support/shared-runtime.ts";

const ROWS = 100_000;
const HEADER = "编号,班级,日期,成绩,备注";

let runtime: SharedRuntime;
let api: ApiClient;

beforeAll(async () => {
  runtime = await shareRuntime();
  api = createApi({ url: runtime.url });
});

function formatLine(i: number): string {
  const day = `2026年${(i % 12) + 1}月${(i % 28) + 1}日`;
  return `${i},${["一班", "二班", "三班"][i % 3]},${day},${i % 10 === 0 ? "" : (i * 7) % 101},"${i % 100}, ""好"""`;
}

test("a dataset of 100,000 rows with Chinese headers, dates, gaps and quotes survives a crash", async () => {
  const csv = [HEADER, ...Array.from({ length: ROWS }, (_, i) => formatLine(i))].join("\r\n");
  const created = await api.createDataset(csv, { name: "大表" });
  expect(created).toMatchObject({
    rows: ROWS,
    columns: [{ type: "integer" }, {}, { type: "date" }, { type: "integer" }, { type: "text" }],
  });
  const query = {
    filter: { column: "日期", operator: "between" as const, value: ["2026-03-01", "2026-03-31"] },
    group: ["班级"],
    aggregate: [
      { function: "count" as const, as: "n" },
      { function: "mean" as const, column: "成绩" },
    ],
  };
  const before = await api.queryDataset(created.dataset_id, query);
  const marchRows = Array.from({ length: ROWS }, (_, i) => i).filter((i) => i % 12 === 2);
  expect(before.rows.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(marchRows.length);
  await runtime.kill();
  await runtime.restart();
  expect(await api.dataset(created.dataset_id)).toEqual(created);
  expect(await api.queryDataset(created.dataset_id, query)).toEqual(before);
  const exported = await api.datasetCsv(created.dataset_id);
  expect(exported.split("\r\n")).toHaveLength(ROWS + 2);
  expect(exported).toContain('"41, ""好"""');
});
