// What one message about data is answered with: a model, the person's data, and the pages that are kept for them.

import * as z from "zod";
import type { Choices } from "./clarify.ts";
import type { Library } from "./library.ts";
import type { Mind } from "./mind.ts";
import { classesIn, classesNamed, type Named } from "./names.ts";
import type { Tools } from "./tools.ts";

export type Desk = Mind & { readonly tools: Tools; readonly library: Library };

const datasetsSchema = z.object({
  datasets: z.array(
    z.object({
      dataset_id: z.string(),
      name: z.string(),
      columns: z.array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])),
    }),
  ),
});

/** What the data offers to choose from. A look-up that fails offers nothing. */
export function choicesFor(desk: Desk, teacherId: string): Choices {
  return {
    classes: () => classesOf(desk, teacherId),
    async datasets() {
      const read = datasetsSchema.safeParse(await lookUp(desk, "list_datasets", {}));
      return (read.data?.datasets ?? []).map(({ dataset_id: id, ...rest }) => ({ id, ...rest }));
    },
  };
}

/** What a plan may refer to: what the client says, the teacher, and the classes that the words name. */
export async function contextOf(
  desk: Desk,
  request: {
    readonly message: string;
    readonly teacherId: string;
    readonly context?: Record<string, unknown> | null | undefined;
  },
): Promise<Record<string, unknown>> {
  const { message, teacherId, context } = request;
  const entities = classesNamed(message, await classesOf(desk, teacherId));
  return {
    ...(teacherId === "" ? {} : { teacherId }),
    ...context,
    ...(entities.length === 0 ? {} : { entities }),
  };
}

export async function classesOf(desk: Desk, teacherId: string): Promise<readonly Named[]> {
  return teacherId === "" ? [] : classesIn(await lookUp(desk, "get_teacher_classes", { teacher_id: teacherId }));
}

/** What a tool answers; null when it fails or is not there. */
export async function lookUp({ tools, signal }: Desk, name: string, args: Record<string, unknown>): Promise<unknown> {
  if (!tools.infos.some((info) => info.name === name)) return null;
  try {
    return await tools.call(name, args, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    console.error(`${name} gave nothing to choose from`, thrown);
    return null;
  }
}
