// The extreme numbers of a page, computed from its blocks. Models compare numbers badly.

import type { PageBlock, PageSpec } from "../../../protocol/pages/page.ts";
import { parseNumeral } from "../../../language/numerals.ts";

/** A number of the page with the names that stand beside it. */
type PageFigure = { readonly block: string; readonly measure: string; readonly label: string; readonly value: number };

/** Maximum number of measures that are listed. */
const MAX_MEASURES = 40;

/**
 * Returns the highest and lowest number of each measure (a series, a column or the key figures of a block) and of the
 * whole page; null if the page shows no number. Blocks in `excluded` are left out.
 */
export function computePageFacts(page: PageSpec, excluded: ReadonlySet<string>): Record<string, unknown> | null {
  const figures = page.tabs.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (excluded.has(block.id) ? [] : listFigures(block))),
  );
  if (figures.length === 0) return null;
  const measures = [...Map.groupBy(figures, ({ block, measure }) => JSON.stringify([block, measure])).values()];
  return {
    wholePage: findExtremes(figures),
    measures: measures.slice(0, MAX_MEASURES).map((all) => ({ count: all.length, ...findExtremes(all) })),
  };
}

function findExtremes(figures: readonly PageFigure[]) {
  const sorted = figures.toSorted((a, b) => a.value - b.value);
  return { highest: sorted.at(-1), lowest: sorted[0] };
}

function listFigures(block: PageBlock): PageFigure[] {
  switch (block.type) {
    case "kpi_grid":
      return block.data.flatMap(({ label, value }) => {
        const number = parseNumeral(value.trim());
        return Number.isNaN(number) ? [] : [{ block: block.id, measure: "", label, value: number }];
      });
    case "chart":
      return block.series.flatMap(({ name, data }) =>
        data.flatMap((value, i) =>
          value === null ? [] : [{ block: block.title, measure: name, label: block.xAxis[i] ?? "", value }],
        ),
      );
    case "table":
      return block.rows.flatMap(({ cells }) =>
        cells.flatMap((value, i) =>
          typeof value === "number"
            ? [{ block: block.title, measure: block.headers[i] ?? "", label: String(cells[0] ?? ""), value }]
            : [],
        ),
      );
    case "markdown":
    case "suggestion_list":
    case "question_generator":
      return [];
  }
}
