// The row filter of an analysis, as a query and in words.

import type { Language } from "../../../protocol/words/language.ts";
import { say, type Json } from "./draft.ts";
import { inWords } from "./filters.ts";
import type { TablePlan } from "./plan.ts";

export function filterOf({ year, date, filters }: TablePlan): Json {
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

export function isFiltered({ year, date, filters }: TablePlan): boolean {
  return filters.length > 0 || (year !== null && date !== null);
}

export function rowsOf(plan: TablePlan, language: Language): string {
  const { table, year, date, filters } = plan;
  if (!isFiltered(plan)) return say(language, `all rows of ${table.name}`, `${table.name} 的全部数据`);
  const when = year === null || date === null ? [] : [say(language, year, `${year} 年`)];
  const words = [...when, ...(filters.length === 0 ? [] : [inWords(filters)])].join(say(language, ", ", "，"));
  return say(language, `rows of ${table.name} with ${words}`, `${table.name} 中的数据：${words}`);
}
