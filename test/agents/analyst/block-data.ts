// Results of the data tools, and a function that shows them in a block.

import { createBlock } from "../../../src/agents/analyst/blocks/create-block.ts";
import { dataToolRegistry } from "../../../src/datasets/tools/all-data-tools.ts";
import { pageBlockSchema, type ComponentType } from "../../../src/protocol/pages/page.ts";
import { openLibrary } from "../../support/dataset-library.ts";

const library = openLibrary();
library.add("prices", "month,Avg. price\n2026-09,10.5\n2026-10,\n2026-11,12\n");
export const callTool = (name: string, args: object) => dataToolRegistry.call(name, args, library.data);
export const SCORES = [58, 85, 72, 91, 65];
export const STATS = await callTool("calculate_stats", { data: SCORES });
export const COMPARISON = await callTool("compare_performance", { group_a: SCORES, group_b: [67, 74, 49, 82, 90, 55] });
export const PRICES = await callTool("query_dataset", {
  dataset: "prices",
  group: [{ column: "month", bucket: "month", as: "month" }],
  aggregate: [{ function: "mean", column: "Avg. price", as: "Avg. price" }],
});
export const ROWS = [
  { student_id: "s-1", student_name: "Ann", score: 58, submitted_at: "2026-11-02" },
  { student_id: "s-2", student_name: "Ben", score: 85, submitted_at: "2026-11-03" },
  { student_id: "s-3", student_name: "Cai", score: null, submitted_at: null },
];

export type Props = Record<string, unknown>;
export const show = (componentType: ComponentType, data: unknown, props: Props = {}, language = "en") =>
  pageBlockSchema.parse(createBlock({ id: "b", componentType }, data, props, language));
