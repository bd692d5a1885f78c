// The context in which one message is handled: the model, the person's data tools and their pages. Also loads the data
// that questions and plans need.

import * as z from "zod";
import type { Choices } from "./clarify.ts";
import type { Library } from "./library.ts";
import type { Mind } from "./mind.ts";
import { classesIn, classesNamed, type Named } from "./names.ts";
import type { Tools } from "./tools.ts";

/** Everything that handling one message needs. */
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

/** Creates the source of options for clarifying questions. A failed look-up gives an empty list. */
export function choicesFor(desk: Desk, teacherId: string): Choices {
  return {
    classes: () => classesOf(desk, teacherId),
    async datasets() {
      const read = datasetsSchema.safeParse(await lookUp(desk, "list_datasets", {}));
      return (read.data?.datasets ?? []).map(({ dataset_id: id, ...rest }) => ({ id, ...rest }));
    },
  };
}

/** Returns the context of a plan: the client's context, the teacher, and the classes that the message names. */
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

/** Returns the classes of the teacher; empty if the teacher is unknown or the look-up fails. */
export async function classesOf(desk: Desk, teacherId: string): Promise<readonly Named[]> {
  return teacherId === "" ? [] : classesIn(await lookUp(desk, "get_teacher_classes", { teacher_id: teacherId }));
}

/**
 * Calls a tool for background data. Returns null if the tool does not exist or fails; the error is logged. Throws only
 * the reason of an aborted signal.
 */
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
