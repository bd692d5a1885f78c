// Exports the tables, charts and indicators of a page as CSV.

import { formatCsv } from "../../pages/spreadsheet-csv.ts";
import type { Cell } from "../../protocol/datasets/dataset.ts";
import type { PageBlock, PageSpec } from "../../protocol/pages/page.ts";

type CsvRows = readonly (readonly Cell[])[];

/**
 * Returns the tables, charts and indicators of all tabs, each after its title; other blocks are omitted. The text
 * begins with a byte order mark, and no cell is a formula.
 */
export function formatPageCsv({ tabs }: PageSpec): string {
  const tables = tabs.flatMap(({ blocks }) => blocks).flatMap((block) => toCsvTable(block) ?? []);
  const parts = tables.map(({ title, rows }) => formatCsv([{ name: title }], rows));
  // Each part begins with a byte order mark; keep the first only.
  return parts.map((part, i) => (i === 0 ? part : part.slice(1))).join("\r\n");
}

type TitledRows = { readonly title: string; readonly rows: CsvRows };

/** Returns a block as rows; null for blocks without tabular data. */
function toCsvTable(block: PageBlock): TitledRows | null {
  switch (block.type) {
    case "table":
    case "chart":
      return toTableRows(block);
    case "kpi_grid":
      return { title: "", rows: block.data.map(({ label, value, subtext }) => [label, value, subtext]) };
    case "markdown":
    case "suggestion_list":
    case "question_generator":
      return null;
  }
}

/** Returns a table, or the values of a chart, as rows. The first row is the header. */
export function toTableRows(block: Extract<PageBlock, { type: "table" | "chart" }>): TitledRows {
  switch (block.type) {
    case "table":
      return { title: block.title, rows: [block.headers, ...block.rows.map(({ cells }) => cells)] };
    case "chart": {
      const { title, xAxis, series } = block;
      const rows = xAxis.map((label, i) => [label, ...series.map(({ data }) => data[i] ?? null)]);
      return { title, rows: [["", ...series.map(({ name }) => name)], ...rows] };
    }
  }
}
