// The context in which one message is handled: the model, the person's data tools and their pages.

import type { ModelContext } from "./model-context.ts";
import type { PageLibrary } from "./page-library.ts";
import type { AnalystTools } from "./tools.ts";

/** Everything that handling one message needs. */
export type AnalystContext = ModelContext & { readonly tools: AnalystTools; readonly library: PageLibrary };

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
