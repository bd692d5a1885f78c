// Tools over the person's own datasets.

import * as z from "zod";
import { datasetQuerySchema, isDataFailure } from "../../protocol/datasets/dataset.ts";
import { createDataTool } from "./data-tool.ts";

const name = z.string().min(1).max(200);

export const listDatasets = createDataTool({
  name: "list_datasets",
  description: "The person's datasets with their columns and how many rows they have.",
  parameters: z.object({}),
  run: async (_, data) => ({ datasets: await data.list() }),
});

export const describeDataset = createDataTool({
  name: "describe_dataset",
  description: "One dataset: its columns with type, gaps, range and mean, and its first rows.",
  parameters: z.object({ dataset: name }),
  run: ({ dataset }, data) => data.describe(dataset),
});

export const queryDataset = createDataTool({
  name: "query_dataset",
  description:
    "Selects, filters, groups, joins and sorts rows. Answers `rows`, and in `values` the same column by column, by name.",
  parameters: datasetQuerySchema,
  run: async (query, data) => {
    const result = await data.query(query);
    if (isDataFailure(result)) return result;
    const values = result.columns.map((column, i) => [column.name, result.rows.map((row) => row[i] ?? null)] as const);
    return { ...result, values: Object.fromEntries(values) };
  },
});

export const columnStatsTool = createDataTool({
  name: "column_stats",
  description: "One column in full: for numbers the statistics with a histogram, for others the most frequent values.",
  parameters: z.object({ dataset: name, column: name }),
  run: ({ dataset, column }, data) => data.columnStats(dataset, column),
});
