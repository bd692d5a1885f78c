// Collects the data that exists for prompts: classes, assignments, datasets and frequent values. A plan can only use
// names that the model has seen.

import * as z from "zod";
import { fence } from "../kit/prompt.ts";
import { fitting } from "./abridge.ts";
import { classesOf, lookUp, type Desk } from "./desk.ts";

/** The teacher's classes and the person's datasets, as they appear in prompts. */
export type Material = {
  readonly teacher_id: string;
  readonly classes: readonly Readonly<Record<string, unknown>>[];
  readonly datasets: readonly Readonly<Record<string, unknown>>[];
};

/** Maximum number of classes with details, and maximum characters of JSON in the prompt. */
const MOST_CLASSES = 12;
const MOST_CHARS = 24_000;
/**
 * Values are listed for at most this many datasets and columns. `MAX_VALUES` values of a column are always listed; of
 * the `MAX_READ_VALUES` most frequent ones, those that the message mentions are listed too.
 */
const MOST_TABLES = 4;
const MOST_COLUMNS = 6;
const MOST_VALUES = 30;
const MOST_READ = 2_000;
/** Maximum characters of a listed value. */
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
 * Loads the classes of the teacher with students and assignments, the last assignment first, and the person's datasets.
 * Text columns of datasets that `about` mentions get their most frequent values. Failed look-ups leave their part
 * empty.
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

/** Adds the frequent values of text columns, so that filters can name them. Sample datasets get none. */
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

/** Returns the most frequent values of a column, and less frequent ones that the words mention. */
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

/** Returns the prompt section with the material as a list of one text; an empty list if there is no data. */
export function materialIn(material: Material | undefined): string[] {
  if (material === undefined || material.classes.length + material.datasets.length === 0) return [];
  return [fence("Data that exists:", fitting(material, MOST_CHARS))];
}
