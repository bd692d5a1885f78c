// A person's own tables: what they look like, and the questions that can be asked about them.
//
// A query is a checked object. What it becomes in SQL is made of the stored list of columns; nothing that it says but
// bound values ever gets into the text.

import * as z from "zod";

/** `date` is `2026-03-01`, `datetime` `2026-03-01T08:30:00`; times with an offset are turned into UTC. */
export const COLUMN_TYPES = ["integer", "number", "date", "datetime", "boolean", "text"] as const;
export const columnTypeSchema = z.enum(COLUMN_TYPES);
export type ColumnType = z.infer<typeof columnTypeSchema>;

export const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** Null is a gap. */
export type Cell = z.infer<typeof cellSchema>;

export const columnSchema = z.object({
  name: z.string(),
  type: columnTypeSchema,
  /** What stood beside every number: `%`, `$`, `元`. A percentage of 12 % is 12. */
  unit: z.string().optional(),
});
export type Column = z.infer<typeof columnSchema>;

/** A column with what is in it. `min`, `max` and `mean` leave gaps out; `mean` is null where it means nothing. */
export const describedColumnSchema = columnSchema.extend({
  gaps: z.int().min(0),
  /** From 0 to 1. */
  gap_share: z.number(),
  /** How many different values there are. */
  distinct: z.int().min(0),
  min: cellSchema,
  max: cellSchema,
  mean: z.number().nullable(),
});
export type DescribedColumn = z.infer<typeof describedColumnSchema>;

const about = {
  dataset_id: z.string(),
  /** One of the person's datasets alone has it. */
  name: z.string(),
  rows: z.int().min(0),
  /** Bytes of what was uploaded. */
  size: z.int().min(0),
  /** True for the classroom that everybody can load to try things out. */
  is_sample: z.boolean(),
  created_at: z.number(),
  updated_at: z.number(),
};

/** A dataset as it is listed. */
export const datasetSummarySchema = z.object({ ...about, columns: z.array(columnSchema) });
export type DatasetSummary = z.infer<typeof datasetSummarySchema>;

export const datasetsSchema = z.object({ datasets: z.array(datasetSummarySchema) });
export type Datasets = z.infer<typeof datasetsSchema>;

export const datasetSchema = z.object({
  ...about,
  columns: z.array(describedColumnSchema),
  /** What was decided while reading the file that its owner may want to know. */
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

export const MAX_DATASET_NAME = 200;
const datasetName = z.string().trim().min(1).max(MAX_DATASET_NAME);

export const updateDatasetSchema = z.strictObject({ name: datasetName });
export type UpdateDataset = z.infer<typeof updateDatasetSchema>;

/** How a dataset is to be called. With `replace`, one of that name gets the new rows and keeps its id. */
export const newDatasetSchema = z.strictObject({ name: datasetName.optional(), replace: z.boolean().optional() });
export type NewDataset = z.infer<typeof newDatasetSchema>;

// Queries

/** A dataset is named by its id or its name, a column by its name; with several datasets, by both if need be. */
const name = z.string().min(1).max(MAX_DATASET_NAME);
export const columnRefSchema = z.union([name, z.strictObject({ dataset: name, column: name })]);
export type ColumnRef = z.infer<typeof columnRefSchema>;

/** What a result calls a column of its own. */
const alias = z.string().min(1).max(MAX_DATASET_NAME).optional();

const scalar = z.union([z.string().max(8_192), z.number(), z.boolean()]);

export const conditionSchema = z.strictObject({
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
  /** One value; a list for `in`; the two ends, both included, for `between`; none for gaps. */
  value: z.union([scalar, z.array(scalar).min(1).max(500)]).optional(),
});
export type Condition = z.infer<typeof conditionSchema>;

/** A gap meets no condition but `ne` and `is_gap`. Letters from A to Z are the same in `contains` and `starts_with`. */
export type Filter =
  | Condition
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter };

export const filterSchema: z.ZodType<Filter> = z.lazy(() =>
  z.union([
    conditionSchema,
    z.strictObject({ and: z.array(filterSchema).min(1).max(32) }),
    z.strictObject({ or: z.array(filterSchema).min(1).max(32) }),
    z.strictObject({ not: filterSchema }),
  ]),
);

/** How deep a filter may be nested. */
export const MAX_FILTER_DEPTH = 8;

/** Looked at before anything else: a schema that holds itself is read by recursion, which an endless filter would exhaust. */
const shallowFilterSchema = z.preprocess((filter, context) => {
  // A level is an object and its list.
  if (!isDeeper(filter, 2 * MAX_FILTER_DEPTH + 2)) return filter;
  context.addIssue({ code: "custom", message: `is nested more than ${MAX_FILTER_DEPTH} deep` });
  return z.NEVER;
}, filterSchema);

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

export const BUCKETS = ["day", "week", "month", "quarter", "year"] as const;
export const AGGREGATES = ["count", "sum", "mean", "median", "min", "max", "stddev", "distinct"] as const;

/** `bucket`: `week` is the date of its Monday, `month` 2026-03, `quarter` 2026-Q1, `year` 2026. */
export const groupSchema = z.union([
  columnRefSchema,
  z.strictObject({ column: columnRefSchema, bucket: z.enum(BUCKETS).optional(), as: alias }),
]);

/** `count` without a column counts rows, with one its values; `stddev` is that of a sample, null for one value. */
export const aggregateSchema = z.strictObject({
  function: z.enum(AGGREGATES),
  column: columnRefSchema.optional(),
  as: alias,
});
export type Aggregate = z.infer<typeof aggregateSchema>;

export const joinSchema = z.strictObject({
  dataset: name,
  /** `left` is a column of what came before, `right` one of this dataset. Gaps match nothing. */
  on: z
    .array(z.strictObject({ left: columnRefSchema, right: name }))
    .min(1)
    .max(4),
  /** `left` keeps rows that have no match. */
  type: z.enum(["inner", "left"]).default("inner"),
});

export const MAX_QUERY_ROWS = 10_000;

export const datasetQuerySchema = z.strictObject({
  dataset: name,
  join: z.array(joinSchema).max(4).optional(),
  filter: shallowFilterSchema.optional(),
  /** Which columns, all if it is left out. Not together with `group` and `aggregate`. */
  select: z
    .array(z.union([columnRefSchema, z.strictObject({ column: columnRefSchema, as: alias })]))
    .min(1)
    .max(90)
    .optional(),
  group: z.array(groupSchema).min(1).max(8).optional(),
  aggregate: z.array(aggregateSchema).min(1).max(20).optional(),
  /** By columns of the result. Gaps come last. */
  order: z
    .array(z.strictObject({ by: name, direction: z.enum(["asc", "desc"]).default("asc") }))
    .min(1)
    .max(8)
    .optional(),
  limit: z.int().min(1).max(MAX_QUERY_ROWS).default(100),
  offset: z.int().min(0).max(1_000_000).default(0),
});
/** A query as it is written, and as it is with its defaults. */
export type DatasetQuery = Omit<z.input<typeof datasetQuerySchema>, "filter"> & { filter?: Filter | undefined };
export type CheckedQuery = z.output<typeof datasetQuerySchema>;

/** Something that a question names and that is not there, or cannot be done with what is there. */
export const dataErrorSchema = z.object({
  /** `dataset`, `column`, `value`, `query`; for the sample `teacher`, `class`, `assignment`, `student`. */
  entity: z.string(),
  message: z.string(),
  /** The nearest names, the nearest first. */
  suggestions: z.array(z.string()),
  /** The name that was asked for, where that is all there is to it: readers can be told in their language. */
  wanted: z.string().optional(),
});
export type DataError = z.infer<typeof dataErrorSchema>;
export type Failed = { readonly error: DataError };

export const queryResultSchema = z.object({
  columns: z.array(columnSchema),
  rows: z.array(z.array(cellSchema)),
  /** True when there are more rows than were asked for, or than fit. */
  is_truncated: z.boolean(),
});
export type QueryResult = z.infer<typeof queryResultSchema>;

/** One column in full: a number's distribution, a text's most frequent values. */
export const columnStatsSchema = describedColumnSchema.extend({
  count: z.int(),
  median: z.number().nullable(),
  /** Of a sample. */
  stddev: z.number().nullable(),
  sum: z.number().nullable(),
  /** Hyndman and Fan's type 7. */
  percentiles: z.object({ p25: z.number(), p50: z.number(), p75: z.number(), p90: z.number() }).nullable(),
  histogram: z.array(z.object({ from: z.number(), to: z.number(), count: z.int() })).nullable(),
  /** The most frequent values, the most frequent first. */
  top: z.array(z.object({ value: cellSchema, count: z.int() })),
});
export type ColumnStats = z.infer<typeof columnStatsSchema>;

export const isFailed = (value: object): value is Failed => "error" in value;
