// Schemas of datasets (the tables of a user) and of queries over them.
//
// A query is a validated object. Its SQL is built from the stored list of columns; names and values of the query never
// become SQL text, values are bound.

import type { Message } from "../../language/messages.ts";
import * as z from "zod";
import { visibleLineSchema } from "../../lib/title.ts";

/** `date` is `2026-03-01`, `datetime` is `2026-03-01T08:30:00`. Times with an offset are converted to UTC. */
export const COLUMN_TYPES = ["integer", "number", "date", "datetime", "boolean", "text"] as const;
export const columnTypeSchema = z.enum(COLUMN_TYPES);
export type ColumnType = z.infer<typeof columnTypeSchema>;

export const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** A value of a table. Null is a gap, that is, a missing value. */
export type Cell = z.infer<typeof cellSchema>;

export const columnSchema = z.object({
  name: z.string(),
  type: columnTypeSchema,
  /** The unit of all numbers in the file: `%`, `$`, `元`. 12 % is stored as 12. */
  unit: z.string().optional(),
});
export type Column = z.infer<typeof columnSchema>;

/** A column with a summary of its values. `min`, `max` and `mean` ignore gaps; `mean` is null if it is undefined. */
export const columnProfileSchema = columnSchema.extend({
  gaps: z.int().min(0),
  /** The share of gaps, from 0 to 1. */
  gap_share: z.number(),
  /** The number of distinct values. */
  distinct: z.int().min(0),
  min: cellSchema,
  max: cellSchema,
  mean: z.number().nullable(),
});
export type ColumnProfile = z.infer<typeof columnProfileSchema>;

const datasetFields = {
  dataset_id: z.string(),
  /** Unique among the datasets of the user. */
  name: z.string(),
  rows: z.int().min(0),
  /** Size of the upload in bytes. */
  size: z.int().min(0),
  /** True for the datasets of the sample classroom. */
  is_sample: z.boolean(),
  /** In ms since the epoch. */
  created_at: z.number(),
  updated_at: z.number(),
};

/** A dataset in a list, without summaries of its columns. */
export const datasetSummarySchema = z.object({ ...datasetFields, columns: z.array(columnSchema) });
export type DatasetSummary = z.infer<typeof datasetSummarySchema>;

export const datasetListSchema = z.object({ datasets: z.array(datasetSummarySchema) });
export type DatasetList = z.infer<typeof datasetListSchema>;

export const datasetSchema = z.object({
  ...datasetFields,
  columns: z.array(columnProfileSchema),
  /** Decisions of the parser that the owner may want to see. */
  notes: z.array(z.string()),
  /** The first rows. */
  preview: z.array(z.array(cellSchema)),
});
export type Dataset = z.infer<typeof datasetSchema>;

export const datasetRowsSchema = z.object({
  columns: z.array(columnSchema),
  rows: z.array(z.array(cellSchema)),
  next_cursor: z.string().nullable(),
});
export type DatasetRows = z.infer<typeof datasetRowsSchema>;

/** In UTF-16 units. */
export const MAX_DATASET_NAME = 200;
const datasetName = visibleLineSchema.min(1).max(MAX_DATASET_NAME);

export const updateDatasetSchema = z.strictObject({ name: datasetName });
export type UpdateDatasetRequest = z.infer<typeof updateDatasetSchema>;

/** Options of an upload. With `replace`, an existing dataset of this name gets the new rows and keeps its id. */
export const datasetUploadOptionsSchema = z.strictObject({
  name: datasetName.optional(),
  replace: z.boolean().optional(),
});
export type DatasetUploadOptions = z.infer<typeof datasetUploadOptionsSchema>;

// Queries

/** A dataset is referenced by id or name, a column by its name, or by dataset and column if the name is ambiguous. */
const name = z.string().min(1).max(MAX_DATASET_NAME);
export const columnRefSchema = z.union([name, z.strictObject({ dataset: name, column: name })]);
export type ColumnRef = z.infer<typeof columnRefSchema>;

/** The name of a result column. */
const alias = z.string().min(1).max(MAX_DATASET_NAME).optional();

const scalar = z.union([z.string().max(8_192), z.number(), z.boolean()]);

export const filterConditionSchema = z.strictObject({
  column: columnRefSchema,
  operator: z.enum([
    "eq",
    "ne",
    "lt",
    "lte",
    "gt",
    "gte",
    "in",
    "between",
    "contains",
    "starts_with",
    "is_gap",
    "is_not_gap",
  ]),
  /** One value; a list for `in`; the two bounds, inclusive, for `between`; absent for `is_gap` and `is_not_gap`. */
  value: z.union([scalar, z.array(scalar).min(1).max(500)]).optional(),
});
export type FilterCondition = z.infer<typeof filterConditionSchema>;

/**
 * A filter. A gap meets only the conditions `ne` and `is_gap`, so `not` includes it otherwise. `contains` and
 * `starts_with` ignore the case of ASCII letters.
 */
export type DatasetFilter =
  | FilterCondition
  | { readonly and: readonly DatasetFilter[] }
  | { readonly or: readonly DatasetFilter[] }
  | { readonly not: DatasetFilter };

export const datasetFilterSchema: z.ZodType<DatasetFilter> = z.lazy(() =>
  z.union([
    filterConditionSchema,
    z.strictObject({ and: z.array(datasetFilterSchema).min(1).max(32) }),
    z.strictObject({ or: z.array(datasetFilterSchema).min(1).max(32) }),
    z.strictObject({ not: datasetFilterSchema }),
  ]),
);

/** Maximum nesting of a filter. */
export const MAX_FILTER_DEPTH = 8;

/** Checks the depth before the recursive schema runs, because a deeply nested filter would overflow the stack. */
const depthLimitedFilterSchema = z.preprocess((filter, context) => {
  // One level of a filter is two levels of JSON: an object and its list.
  if (!isDeeperThan(filter, 2 * MAX_FILTER_DEPTH + 2)) return filter;
  context.addIssue({ code: "custom", message: `is nested more than ${MAX_FILTER_DEPTH} deep` });
  return z.NEVER;
}, datasetFilterSchema);

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

export const DATE_BUCKETS = ["day", "week", "month", "quarter", "year"] as const;
export const AGGREGATE_FUNCTIONS = ["count", "sum", "mean", "median", "min", "max", "stddev", "distinct"] as const;

/**
 * A grouping column. A `bucket` yields: `week` the date of its Monday, `month` 2026-03, `quarter` 2026-Q1, `year` 2026.
 */
export const groupBySchema = z.union([
  columnRefSchema,
  z.strictObject({ column: columnRefSchema, bucket: z.enum(DATE_BUCKETS).optional(), as: alias }),
]);

/** `count` counts rows, or the values of its column. `stddev` is the sample standard deviation, null for one value. */
export const aggregateSchema = z.strictObject({
  function: z.enum(AGGREGATE_FUNCTIONS),
  column: columnRefSchema.optional(),
  as: alias,
});
export type Aggregate = z.infer<typeof aggregateSchema>;

export const joinSchema = z.strictObject({
  dataset: name,
  /** `left` is a column of the datasets before, `right` a column of this dataset. Gaps never match. */
  on: z
    .array(z.strictObject({ left: columnRefSchema, right: name }))
    .min(1)
    .max(4),
  /** `left` includes rows without a match. */
  type: z.enum(["inner", "left"]).default("inner"),
});

export const MAX_QUERY_ROWS = 10_000;

export const datasetQuerySchema = z.strictObject({
  dataset: name,
  join: z.array(joinSchema).max(4).optional(),
  filter: depthLimitedFilterSchema.optional(),
  /** The result columns; all if absent. Not allowed together with `group` and `aggregate`. */
  select: z
    .array(z.union([columnRefSchema, z.strictObject({ column: columnRefSchema, as: alias })]))
    .min(1)
    .max(90)
    .optional(),
  group: z.array(groupBySchema).min(1).max(8).optional(),
  aggregate: z.array(aggregateSchema).min(1).max(20).optional(),
  /** Sorts by result columns. Gaps come last. */
  order: z
    .array(z.strictObject({ by: name, direction: z.enum(["asc", "desc"]).default("asc") }))
    .min(1)
    .max(8)
    .optional(),
  limit: z.int().min(1).max(MAX_QUERY_ROWS).default(100),
  offset: z.int().min(0).max(1_000_000).default(0),
});
/** A query before and after its defaults are applied. */
export type DatasetQuery = Omit<z.input<typeof datasetQuerySchema>, "filter"> & { filter?: DatasetFilter | undefined };
export type ParsedDatasetQuery = z.output<typeof datasetQuerySchema>;

/** The error of a query that names something unknown or asks for something that the data does not support. */
export const dataErrorSchema = z.object({
  /** `dataset`, `column`, `value` or `query`; for the sample also `teacher`, `class`, `assignment` and `student`. */
  entity: z.string(),
  message: z.string(),
  /** Similar names, nearest first. */
  suggestions: z.array(z.string()),
  /** The unknown name, if it is the only problem. Clients can then show a translated message. */
  wanted: z.string().optional(),
});
export type DataError = z.infer<typeof dataErrorSchema>;
/**
 * The result of a failed query or data tool. `text` is the catalogue entry of the message, for people; results of tools
 * do not contain it.
 */
export type DataFailure = { readonly error: DataError; readonly text?: Message };

export const queryResultSchema = z.object({
  columns: z.array(columnSchema),
  rows: z.array(z.array(cellSchema)),
  /** True if there are more rows than requested, or more than fit into the result. */
  is_truncated: z.boolean(),
});
export type QueryResult = z.infer<typeof queryResultSchema>;

/** Statistics of one column: the distribution of numbers, the most frequent values of text. */
export const columnStatsSchema = columnProfileSchema.extend({
  count: z.int(),
  median: z.number().nullable(),
  /** The sample standard deviation. */
  stddev: z.number().nullable(),
  sum: z.number().nullable(),
  /** Quantiles of type 7 of Hyndman and Fan (1996). */
  percentiles: z.object({ p25: z.number(), p50: z.number(), p75: z.number(), p90: z.number() }).nullable(),
  histogram: z.array(z.object({ from: z.number(), to: z.number(), count: z.int() })).nullable(),
  /** The most frequent values, in descending order of count. */
  top: z.array(z.object({ value: cellSchema, count: z.int() })),
});
export type ColumnStats = z.infer<typeof columnStatsSchema>;

/** True if a result is a failure, that is, has the member `error`. */
export const isDataFailure = (value: object): value is DataFailure => "error" in value;
