// The row filter of an analysis, as a query and in words.

import type { Language } from "../../language/detect-language.ts";
import { pickByLanguage, type RuleJson } from "./blueprint-parts.ts";
import { formatFilters } from "./row-filters.ts";
import type { TableAnalysisPlan } from "./analysis-plan.ts";

export function buildRowFilter({ year, date, filters }: TableAnalysisPlan): RuleJson {
  const within =
    year === null || date === null
      ? []
      : [
          { column: date.name, operator: "gte", value: `${year}-01-01` },
          { column: date.name, operator: "lt", value: `${Number(year) + 1}-01-01` },
        ];
  const all = [...within, ...filters];
  return all.length === 0 ? {} : { filter: { and: all } };
}

export function hasRowFilter({ year, date, filters }: TableAnalysisPlan): boolean {
  return filters.length > 0 || (year !== null && date !== null);
}

export function formatRowSelection(plan: TableAnalysisPlan, language: Language): string {
  const { table, year, date, filters } = plan;
  if (!hasRowFilter(plan)) return pickByLanguage(language, `all rows of ${table.name}`, `${table.name} 的全部数据`);
  const when = year === null || date === null ? [] : [pickByLanguage(language, year, `${year} 年`)];
  const words = [...when, ...(filters.length === 0 ? [] : [formatFilters(filters)])].join(
    pickByLanguage(language, ", ", "，"),
  );
  return pickByLanguage(language, `rows of ${table.name} with ${words}`, `${table.name} 中的数据：${words}`);
}
