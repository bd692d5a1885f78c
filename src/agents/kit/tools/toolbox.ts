// Tools that exist only during a run, for example those of an MCP server.

import type { Settings } from "../../../settings.ts";
import type { RunContext } from "../agent.ts";
import type { AgentTool } from "./tool.ts";

/** The inputs of opening a toolbox. Settings are read only if needed. */
export type ToolboxContext = Pick<RunContext, "env" | "signal"> & { readonly settings: () => Settings };

/** A source of tools that is opened at the start of a run and closed at its end. */
export type Toolbox = {
  /** Opens the toolbox. Rejects with a `Failure` (`tool_failed`) or a `Fault` if its tools are not available. */
  open(context: ToolboxContext): Promise<OpenToolbox>;
};

/** The tools of an open toolbox. The caller of `open` must call `close`, which does not wait. */
export type OpenToolbox = { readonly tools: readonly AgentTool[]; readonly close: () => void };

/**
 * Opens all toolboxes in parallel and returns their tools together with the plain ones, in the order of `sources`.
 * `close` closes all of them. If any fails, waits for the others, closes them and throws the first error.
 */
export async function openToolboxes(
  sources: readonly (AgentTool | Toolbox)[],
  context: ToolboxContext,
): Promise<OpenToolbox> {
  const results = await Promise.allSettled(sources.map((opened) => openSource(opened, context)));
  const openBoxes = results.flatMap((opened) => (opened.status === "fulfilled" ? [opened.value] : []));
  const close = () => openBoxes.forEach((box) => box.close());
  const failed = results.find((opened) => opened.status === "rejected");
  if (failed === undefined) return { tools: openBoxes.flatMap(({ tools }) => tools), close };
  close();
  throw failed.reason;
}

async function openSource(source: AgentTool | Toolbox, context: ToolboxContext): Promise<OpenToolbox> {
  return "open" in source ? source.open(context) : { tools: [source], close: () => undefined };
}
