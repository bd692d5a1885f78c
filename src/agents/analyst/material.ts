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

/** The classes of a teacher with their students and assignments, the last one first, and the person's datasets. */
export async function materialOf(desk: Desk, teacherId: string): Promise<Material> {
  const [known, tables] = await Promise.all([classesOf(desk, teacherId), lookUp(desk, "list_datasets", {})]);
  const classes = await Promise.all(
    known.slice(0, MOST_CLASSES).map(async ({ id, name }) => {
      const detail = await lookUp(desk, "get_class_detail", { teacher_id: teacherId, class_id: id });
      return { class_id: id, name, ...detailSchema.safeParse(detail).data };
    }),
  );
  return { teacher_id: teacherId, classes, datasets: datasetsSchema.safeParse(tables).data?.datasets ?? [] };
}

/** The part of a prompt that tells of it; none when there is nothing. */
export function materialIn(material: Material | undefined): string[] {
  if (material === undefined || material.classes.length + material.datasets.length === 0) return [];
  return [fence("Data that exists:", fitting(material, MOST_CHARS))];
}
