// Which data there is, as models are told of it: a plan can only name what it knows of.

import * as z from "zod";
import { fence } from "../kit/prompt.ts";
import { fitting } from "./abridge.ts";
import { classesOf, lookUp, type Desk } from "./desk.ts";

export type Material = {
  readonly teacher_id: string;
  readonly classes: readonly Readonly<Record<string, unknown>>[];
  readonly datasets: readonly Readonly<Record<string, unknown>>[];
};

/** Classes that are looked at in detail, and characters of JSON of everything. */
const MOST_CLASSES = 12;
const MOST_CHARS = 24_000;
/** Tables of which values are told, columns of each, and values of a column: how many of them whatever is spoken of, and of how many. */
const MOST_TABLES = 4;
const MOST_COLUMNS = 6;
const MOST_VALUES = 30;
const MOST_READ = 2_000;
/** Longest value that is told. */
const MOST_VALUE = 60;

const detailSchema = z.object({
  students: z.array(z.object({ name: z.string() }).transform(({ name }) => name)).catch([]),
  assignments: z
    .array(
      z.object({
        assignment_id: z.string(),
        title: z.string(),
        type: z.string().catch(""),
        max_score: z.number().nullable().catch(null),
        due_date: z.string().catch(""),
      }),
    )
    .catch([]),
});

const datasetsSchema = z.object({
  datasets: z.array(
    z.object({
      name: z.string(),
      rows: z.number().optional(),
      is_sample: z.boolean().optional(),
      columns: z.array(
        z.object({ name: z.string(), type: z.string().optional(), unit: z.string().optional() }).catch({ name: "" }),
      ),
    }),
  ),
});

/**
 * The classes of a teacher with their students and assignments, the last one first, and the person's datasets; with the
 * most frequent values of texts in those that `about` speaks of.
 */
export async function materialOf(desk: Desk, teacherId: string, about: readonly unknown[]): Promise<Material> {
  const [known, tables] = await Promise.all([classesOf(desk, teacherId), lookUp(desk, "list_datasets", {})]);
  const classes = await Promise.all(
    known.slice(0, MOST_CLASSES).map(async ({ id, name }) => {
      const detail = await lookUp(desk, "get_class_detail", { teacher_id: teacherId, class_id: id });
      return { class_id: id, name, ...detailSchema.safeParse(detail).data };
    }),
  );
  const datasets = datasetsSchema.safeParse(tables).data?.datasets ?? [];
  return { teacher_id: teacherId, classes, datasets: await withValues(desk, datasets, JSON.stringify(about)) };
}

type Dataset = z.infer<typeof datasetsSchema>["datasets"][number];

/** A filter can only name values that are known. */
async function withValues(desk: Desk, datasets: readonly Dataset[], about: string): Promise<Material["datasets"]> {
  const words = about.toLowerCase();
  const hits = ({ name, columns }: Dataset) =>
    [name, ...columns.map((column) => column.name)].filter((one) => words.includes(one.toLowerCase())).length;
  const own = datasets.filter((one) => one.is_sample !== true).toSorted((a, b) => hits(b) - hits(a));
  const looked = new Set(own.slice(0, MOST_TABLES));
  return Promise.all(
    datasets.map(async (dataset) => {
      if (!looked.has(dataset)) return dataset;
      const isNamed = ({ name }: { readonly name: string }) => Number(words.includes(name.toLowerCase()));
      const texts = dataset.columns
        .filter(({ type }) => type === "text")
        .toSorted((a, b) => isNamed(b) - isNamed(a))
        .slice(0, MOST_COLUMNS);
      const columns = await Promise.all(
        dataset.columns.map(async (column) =>
          texts.includes(column)
            ? { ...column, values: await valuesOf(desk, dataset.name, column.name, words) }
            : column,
        ),
      );
      return { ...dataset, columns };
    }),
  );
}

const valuesSchema = z.object({ rows: z.array(z.tuple([z.unknown()], z.unknown())) });

/** The most frequent ones, and those that are spoken of. */
async function valuesOf(desk: Desk, dataset: string, column: string, words: string): Promise<string[]> {
  const query = {
    dataset,
    group: [{ column, as: "value" }],
    aggregate: [{ function: "count", as: "rows" }],
    order: [{ by: "rows", direction: "desc" }],
    limit: MOST_READ,
  };
  const { rows = [] } = valuesSchema.safeParse(await lookUp(desk, "query_dataset", query)).data ?? {};
  const texts = rows.flatMap(([value]) => (typeof value === "string" && value.length <= MOST_VALUE ? [value] : []));
  return texts.filter((text, i) => i < MOST_VALUES || words.includes(text.toLowerCase()));
}

/** The part of a prompt that tells of it; none when there is nothing. */
export function materialIn(material: Material | undefined): string[] {
  if (material === undefined || material.classes.length + material.datasets.length === 0) return [];
  return [fence("Data that exists:", fitting(material, MOST_CHARS))];
}
