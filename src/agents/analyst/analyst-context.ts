// The context in which one message is handled: the model, the person's data tools and their pages. Also loads the data
// that questions and plans need.

import * as z from "zod";
import type { ChoiceSource } from "./talk/clarifying-question.ts";
import type { PageLibrary } from "./page-library.ts";
import type { ModelContext } from "./model-context.ts";
import { parseClasses, findMentionedClasses, type NamedItem } from "./talk/class-mentions.ts";
import type { AnalystTools } from "./tools.ts";

/** Everything that handling one message needs. */
export type AnalystContext = ModelContext & { readonly tools: AnalystTools; readonly library: PageLibrary };

const datasetsSchema = z.object({
  datasets: z.array(
    z.object({
      dataset_id: z.string(),
      name: z.string(),
      columns: z.array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])),
    }),
  ),
});

/** Creates the source of options for clarifying questions. A failed look-up is logged and gives an empty list. */
export function createChoiceSource(ctx: AnalystContext, teacherId: string): ChoiceSource {
  return {
    classes: () => loadClasses(ctx, teacherId),
    async datasets() {
      const parsed = datasetsSchema.safeParse(await callLookupTool(ctx, "list_datasets", {}));
      return (parsed.data?.datasets ?? []).map(({ dataset_id: id, ...rest }) => ({ id, ...rest }));
    },
  };
}

/**
 * Returns the context of a plan: the client's context, with `teacherId` unless it is empty or in that context already,
 * and with `entities`, the teacher's classes that the message names, if there are any.
 */
export async function collectRequestContext(
  ctx: AnalystContext,
  request: {
    readonly message: string;
    readonly teacherId: string;
    readonly context?: Record<string, unknown> | null | undefined;
  },
): Promise<Record<string, unknown>> {
  const { message, teacherId, context } = request;
  const entities = findMentionedClasses(message, await loadClasses(ctx, teacherId));
  return {
    ...(teacherId === "" ? {} : { teacherId }),
    ...context,
    ...(entities.length === 0 ? {} : { entities }),
  };
}

/** Returns the classes of the teacher; empty if the id is empty or unknown, or if the look-up fails. */
export async function loadClasses(ctx: AnalystContext, teacherId: string): Promise<readonly NamedItem[]> {
  return teacherId === ""
    ? []
    : parseClasses(await callLookupTool(ctx, "get_teacher_classes", { teacher_id: teacherId }));
}

/**
 * Calls a tool for background data and returns its result, which may be an error result of the tool. Returns null if
 * the tool does not exist, or if it throws, which is logged. Throws only the reason of an aborted signal.
 */
export async function callLookupTool(
  { tools, signal }: AnalystContext,
  name: string,
  args: Record<string, unknown>,
): Promise<unknown> {
  if (!tools.infos.some((info) => info.name === name)) return null;
  try {
    return await tools.call(name, args, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    console.error(`${name} gave nothing to choose from`, thrown);
    return null;
  }
}
