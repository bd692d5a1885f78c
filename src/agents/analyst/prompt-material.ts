// Collects the data that exists for prompts: classes, assignments, datasets and frequent values. A plan can only use
// names that the model has seen.

import * as z from "zod";
import { formatUntrusted } from "../../protocol/provenance/untrusted-block.ts";
import { truncateToFit } from "./truncate-json.ts";
import { callLookupTool, type AnalystContext } from "./analyst-context.ts";

/** The teacher's classes and the person's datasets. */
export type PromptMaterial = {
  readonly teacher_id: string;
  readonly classes: readonly KnownClass[];
  readonly datasets: readonly ListedDataset[];
};
/** A class, with its students and assignments if they could be loaded. */
export type KnownClass = z.infer<typeof classListSchema>["classes"][number] &
  Partial<z.infer<typeof classDetailSchema>>;
type ListedDataset = z.infer<typeof datasetsSchema>["datasets"][number];

/** Maximum number of classes, and maximum characters of JSON in the prompt. */
const MAX_CLASSES = 20;
const MAX_MATERIAL_CHARS = 24_000;
/**
 * Values are listed for at most this many datasets and columns. `MAX_VALUES` values of a column are always listed; of
 * the `MAX_READ_VALUES` most frequent ones, those that the message mentions are listed too.
 */
const MAX_DATASETS = 4;
const MAX_COLUMNS = 6;
const MAX_VALUES = 30;
const MAX_READ_VALUES = 2_000;
/** Maximum characters of a listed value. */
const MAX_VALUE_CHARS = 60;

const classListSchema = z.object({ classes: z.array(z.object({ class_id: z.string(), name: z.string() })) });
const classDetailSchema = z.object({
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
      dataset_id: z.string(),
      name: z.string(),
      rows: z.number(),
      is_sample: z.boolean(),
      columns: z.array(
        z.object({
          name: z.string(),
          type: z.string(),
          unit: z.string().optional(),
          /** Frequent values of a text column. */
          values: z.array(z.string()).optional(),
        }),
      ),
    }),
  ),
});

/**
 * Loads the teacher's first 20 classes with students and assignments, the last assignment first, and all datasets. Text
 * columns of the person's own datasets get their 30 most frequent values, and less frequent values that `searched`
 * mentions: at most 4 datasets and 6 columns of each, those that `searched` names before others. Failed look-ups leave
 * their part empty.
 */
export async function loadMaterial(
  ctx: AnalystContext,
  teacherId: string,
  searched: readonly unknown[],
): Promise<PromptMaterial> {
  const classesOf = { teacher_id: teacherId };
  const [classList, tables] = await Promise.all([
    teacherId === "" ? null : callLookupTool(ctx, "get_teacher_classes", classesOf),
    callLookupTool(ctx, "list_datasets", {}),
  ]);
  const allClasses = classListSchema.safeParse(classList).data?.classes ?? [];
  const classes = await Promise.all(
    allClasses.slice(0, MAX_CLASSES).map(async ({ class_id, name }) => {
      const detail = await callLookupTool(ctx, "get_class_detail", { ...classesOf, class_id });
      return { class_id, name, ...classDetailSchema.safeParse(detail).data };
    }),
  );
  const datasets = datasetsSchema.safeParse(tables).data?.datasets ?? [];
  return { teacher_id: teacherId, classes, datasets: await addFrequentValues(ctx, datasets, JSON.stringify(searched)) };
}

/** Adds the frequent values of text columns, so that filters can name them. Sample datasets get none. */
async function addFrequentValues(
  ctx: AnalystContext,
  datasets: readonly ListedDataset[],
  searched: string,
): Promise<ListedDataset[]> {
  const text = searched.toLowerCase();
  const countMentions = ({ name, columns }: ListedDataset) =>
    [name, ...columns.map((column) => column.name)].filter((term) => text.includes(term.toLowerCase())).length;
  const userDatasets = datasets
    .filter((dataset) => dataset.is_sample !== true)
    .toSorted((a, b) => countMentions(b) - countMentions(a));
  const queried = new Set(userDatasets.slice(0, MAX_DATASETS));
  return Promise.all(
    datasets.map(async (dataset) => {
      if (!queried.has(dataset)) return dataset;
      const isNamed = ({ name }: { readonly name: string }) => Number(text.includes(name.toLowerCase()));
      const texts = dataset.columns
        .filter(({ type }) => type === "text")
        .toSorted((a, b) => isNamed(b) - isNamed(a))
        .slice(0, MAX_COLUMNS);
      const columns = await Promise.all(
        dataset.columns.map(async (column) =>
          texts.includes(column)
            ? { ...column, values: await loadFrequentValues(ctx, dataset.name, column.name, text) }
            : column,
        ),
      );
      return { ...dataset, columns };
    }),
  );
}

const valuesSchema = z.object({ rows: z.array(z.tuple([z.unknown()], z.unknown())) });

/** Returns the most frequent values of a column, and less frequent ones that the words mention. */
async function loadFrequentValues(
  ctx: AnalystContext,
  dataset: string,
  column: string,
  searchedText: string,
): Promise<string[]> {
  const query = {
    dataset,
    group: [{ column, as: "value" }],
    aggregate: [{ function: "count", as: "rows" }],
    order: [{ by: "rows", direction: "desc" }],
    limit: MAX_READ_VALUES,
  };
  const { rows = [] } = valuesSchema.safeParse(await callLookupTool(ctx, "query_dataset", query)).data ?? {};
  const texts = rows.flatMap(([value]) =>
    typeof value === "string" && value.length <= MAX_VALUE_CHARS ? [value] : [],
  );
  return texts.filter((text, i) => i < MAX_VALUES || searchedText.includes(text.toLowerCase()));
}

/** Returns the prompt section with the material, for spreading: a list of one text, or an empty list without data. */
export function formatMaterial(material: PromptMaterial | undefined): string[] {
  if (material === undefined || material.classes.length + material.datasets.length === 0) return [];
  // Plans refer to datasets by name.
  const datasets = material.datasets.map(({ dataset_id: _, ...dataset }) => dataset);
  return [formatUntrusted("Data that exists", truncateToFit({ ...material, datasets }, MAX_MATERIAL_CHARS))];
}
