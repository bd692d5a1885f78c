// Compares the queries of a blueprint before and after a refinement: which datasets they read, and which rows.
//
// A refinement stays with the data of its page. Other datasets make another analysis, which asks first. New queries
// take the filter that all queries of their dataset had, unless they filter the same columns in their own way.

import type { Blueprint } from "../../../protocol/pages/blueprint-schema.ts";
import { isSameJson } from "../../../lib/json-value.ts";
import { isRecord, type DataRow } from "../blocks/data-shapes.ts";
import { getTextProp } from "../blocks/slot-props.ts";
import { listSlots } from "./blueprint-parts.ts";
import { parseReference } from "./value-references.ts";

const QUERY_TOOL = "query_dataset";

type Query = { readonly id: string; readonly dataset: string; readonly filter: unknown };

/** True if the second blueprint reads a dataset that the first one, which reads at least one, does not read. */
export function readsOtherDataset(before: Blueprint, after: Blueprint): boolean {
  const known = new Set(listDatasets(before));
  return known.size > 0 && listDatasets(after).some((dataset) => !known.has(dataset));
}

/** Adds the filter of the page to the queries that a refinement has added. */
export function addPageFilters(before: Blueprint, after: Blueprint): Blueprint {
  const old = listQueries(before);
  const bindings = after.dataContract.bindings.map((binding) => {
    const query = toQuery(binding);
    const filter =
      query === null || old.some(({ id }) => id === binding.id) ? null : findPageFilter(old, query.dataset);
    if (query === null || filter === null || sharesColumn(query.filter, filter)) return binding;
    const combined = query.filter === undefined ? filter : { and: [filter, query.filter] };
    return { ...binding, paramMapping: { ...binding.paramMapping, filter: combined } };
  });
  return { ...after, dataContract: { ...after.dataContract, bindings } };
}

/** Returns the titles, or else the ids, of the slots of `after` whose new query does not have the filter of the page. */
export function listUnfilteredSlots(before: Blueprint, after: Blueprint): string[] {
  const old = listQueries(before);
  const others = new Set(
    listQueries(after)
      .filter(({ id }) => !old.some((query) => query.id === id))
      .filter(({ dataset, filter }) => {
        const pageFilter = findPageFilter(old, dataset);
        return pageFilter !== null && !containsFilter(filter, pageFilter);
      })
      .map(({ id }) => id),
  );
  return listSlots(after)
    .filter(({ dataBinding }) => {
      const reference = parseReference(dataBinding ?? "");
      return reference?.root === "data" && others.has(reference.path[0] ?? "");
    })
    .map(({ id, props }) => getTextProp(props, "title", "label") ?? id);
}

/** Returns the filter that all queries of the dataset have; null if they have none or differ. */
function findPageFilter(queries: readonly Query[], dataset: string): unknown {
  const [first, ...rest] = queries.filter((query) => query.dataset === dataset);
  if (first?.filter === undefined) return null;
  return rest.every(({ filter }) => isSameJson(filter, first.filter)) ? first.filter : null;
}

function containsFilter(filter: unknown, part: unknown): boolean {
  if (isSameJson(filter, part)) return true;
  return (
    isRecord(filter) && Array.isArray(filter["and"]) && filter["and"].some((member) => containsFilter(member, part))
  );
}

function sharesColumn(first: unknown, second: unknown): boolean {
  const columns = new Set(listColumns(first));
  return listColumns(second).some((column) => columns.has(column));
}

function listColumns(filter: unknown): string[] {
  if (Array.isArray(filter)) return filter.flatMap(listColumns);
  if (!isRecord(filter)) return [];
  const { column } = filter;
  if (column !== undefined) return [isRecord(column) ? String(column["column"]) : String(column)];
  return Object.values(filter).flatMap(listColumns);
}

function listDatasets({ dataContract }: Blueprint): string[] {
  return dataContract.bindings.flatMap(({ toolName, paramMapping }) => {
    const joins: unknown = toolName === QUERY_TOOL ? paramMapping["join"] : [];
    const joined = (Array.isArray(joins) ? joins : []).map((join) => (isRecord(join) ? join["dataset"] : null));
    return [paramMapping["dataset"], ...joined].filter((name) => typeof name === "string");
  });
}

function listQueries({ dataContract }: Blueprint): Query[] {
  return dataContract.bindings.flatMap((binding) => toQuery(binding) ?? []);
}

function toQuery(binding: { id: string; toolName?: string | null | undefined; paramMapping: DataRow }): Query | null {
  const { dataset, filter } = binding.paramMapping;
  if (binding.toolName !== QUERY_TOOL || typeof dataset !== "string") return null;
  return { id: binding.id, dataset, filter };
}
