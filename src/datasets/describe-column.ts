// Describes the values of a column.

import type { Cell, Column, ColumnProfile } from "../protocol/datasets/dataset.ts";
import { computeMean } from "./number-statistics.ts";

/**
 * Returns the column with its gaps, distinct values, range and mean (null unless it is numeric). The values must
 * already have the type of the column. Texts in the range are limited to 200 characters.
 */
export function describeColumn(column: Column, values: readonly Cell[]): ColumnProfile {
  const filled = values.filter((value) => value !== null);
  const gaps = values.length - filled.length;
  return {
    ...column,
    gaps,
    gap_share: values.length === 0 ? 0 : Number((gaps / values.length).toFixed(4)),
    distinct: new Set(filled).size,
    min: findExtreme(filled, (a, b) => a < b),
    max: findExtreme(filled, (a, b) => a > b),
    mean: isNumericType(column.type) ? computeMean(filled as readonly number[]) : null,
  };
}

/** True for integers and numbers. */
export function isNumericType(type: Column["type"]): boolean {
  return type === "integer" || type === "number";
}

/** Names of columns whose numbers are ids or codes: order_id, OrderID, `Zip code`, invoice no., 学号. */
const IDENTIFIER_NAME =
  /(?:^|[_\s.-])(?:ids?|uuid|codes?|zip|postcode|plz|phone|tel|mobile|sku|isbn|(?:order|invoice|account|customer|student|product|serial|ticket|room)[_\s.-]?(?:no|nr|number))\.?$|(?:编号|学号|工号|单号|账号|卡号|序号|证号|代码|编码|邮编|电话|手机号?)$/i;
const CAMEL_CASE_PART = /(?<=[a-z])(?=[A-Z])/g;

/** True if the values of the column identify rows or kinds, so that arithmetic with them has no meaning. */
export function isIdentifierColumn({ name, type, unit }: Column): boolean {
  return isNumericType(type) && unit === undefined && IDENTIFIER_NAME.test(name.trim().replace(CAMEL_CASE_PART, "_"));
}

/** Returns the value that wins every comparison, texts limited to 200 characters; null if there are no values. */
function findExtreme(
  values: readonly (string | number | boolean)[],
  wins: (a: Cell & {}, b: Cell & {}) => boolean,
): Cell {
  let [found = null] = values as readonly Cell[];
  for (const value of values) if (found !== null && wins(value, found)) found = value;
  return typeof found === "string" ? found.slice(0, 200) : found;
}
