// Exports a page as Markdown, for readers of text such as models.

import type { Cell } from "../../protocol/datasets/dataset.ts";
import type { PageBlock, PageSpec } from "../../protocol/pages/page.ts";
import { toTableRows } from "./page-csv.ts";

/** Returns the title, the summary and all blocks of a page. The values of charts are tables. */
export function formatPageText(title: string, { meta, tabs }: PageSpec): string {
  const sections = tabs.flatMap(({ label, blocks }) => [
    ...(tabs.length > 1 ? [`## ${label}`] : []),
    ...blocks.map(formatBlock),
  ]);
  return [`# ${title}`, meta.summary, ...sections].filter((section) => section !== "").join("\n\n");
}

function formatBlock(block: PageBlock): string {
  switch (block.type) {
    case "table":
    case "chart": {
      const { title, rows } = toTableRows(block);
      return `### ${title}\n\n${formatTable(rows)}`;
    }
    case "kpi_grid":
      return block.data.map(({ label, value, subtext }) => `- ${label}: ${value} ${subtext}`.trimEnd()).join("\n");
    case "markdown":
      return block.content;
    case "suggestion_list":
      return formatList(
        block.title,
        block.items.map(({ title, description }) => `${title}: ${description}`),
      );
    case "question_generator":
      return formatList(
        block.title,
        block.questions.map(({ question, options = [], answer }) => [question, ...options, `→ ${answer}`].join("\n  ")),
      );
  }
}

function formatList(title: string, entries: readonly string[]): string {
  return `### ${title}\n\n${entries.map((entry) => `- ${entry}`).join("\n")}`;
}

/** Formats rows as a table whose first row is the header. */
function formatTable([header = [], ...rows]: readonly (readonly Cell[])[]): string {
  const separator = header.map(() => "---");
  return [header, separator, ...rows].map((row) => `| ${row.map(formatCell).join(" | ")} |`).join("\n");
}

function formatCell(cell: Cell): string {
  return cell === null
    ? ""
    : String(cell)
        .replaceAll("|", String.raw`\|`)
        .replaceAll(/\s*\n\s*/g, " ");
}
