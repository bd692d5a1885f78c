// Exports the tables, charts and indicators of a page as CSV.

import { csvOf } from "../../protocol/csv.ts";
import type { Cell } from "../../protocol/dataset.ts";
import type { Block, PageSpec } from "../../protocol/page.ts";

type Rows = readonly (readonly Cell[])[];

/** Returns each table after its title, separated by empty lines. The text begins with a byte order mark. */
export function pageAsCsv({ tabs }: PageSpec): string {
  const tables = tabs.flatMap(({ blocks }) => blocks).flatMap((block) => tableOf(block) ?? []);
  const parts = tables.map(({ title, rows }) => csvOf([{ name: title }], rows));
  // Each part begins with a byte order mark; keep the first only.
  return parts.map((part, i) => (i === 0 ? part : part.slice(1))).join("\r\n");
}

/** Returns a block as rows; null for blocks without tabular data. */
function tableOf(block: Block): { readonly title: string; readonly rows: Rows } | null {
  switch (block.type) {
    case "table":
      return { title: block.title, rows: [block.headers, ...block.rows.map(({ cells }) => cells)] };
    case "chart": {
      const { title, xAxis, series } = block;
      const rows = xAxis.map((label, i) => [label, ...series.map(({ data }) => data[i] ?? null)]);
      return { title, rows: [["", ...series.map(({ name }) => name)], ...rows] };
    }
    case "kpi_grid":
      return { title: "", rows: block.data.map(({ label, value, subtext }) => [label, value, subtext]) };
    case "markdown":
    case "suggestion_list":
    case "question_generator":
      return null;
  }
}
