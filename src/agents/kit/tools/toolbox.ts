// Tools that exist only during a run, for example those of an MCP server.

import type { Message } from "../../../language/messages.ts";
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

/**
 * The tools of an open toolbox. `notes` tell the person which tools cannot be used. The caller of `open` must call
 * `close`, which does not wait.
 */
export type OpenToolbox = {
  readonly tools: readonly AgentTool[];
  readonly notes: readonly Message[];
  readonly close: () => void;
};

/** The maximum length of a tool name that models accept. */
export const MAX_TOOL_NAME_CHARS = 64;

/**
 * Opens all toolboxes in parallel and returns their tools together with the plain ones, in the order of `sources` and
 * with unique names. `close` closes all of them. If any fails, waits for the others, closes them and throws the first
 * error.
 */
export async function openToolboxes(
  sources: readonly (AgentTool | Toolbox)[],
  context: ToolboxContext,
): Promise<OpenToolbox> {
  const results = await Promise.allSettled(sources.map((opened) => openSource(opened, context)));
  const openBoxes = results.flatMap((opened) => (opened.status === "fulfilled" ? [opened.value] : []));
  const close = () => openBoxes.forEach((box) => box.close());
  const failed = results.find((opened) => opened.status === "rejected");
  if (failed === undefined) {
    const tools = makeNamesUnique(
      openBoxes.flatMap((box) => box.tools),
      new Set(listPlainTools(sources)),
    );
    return { tools, notes: openBoxes.flatMap(({ notes }) => notes), close };
  }
  close();
  throw failed.reason;
}

async function openSource(source: AgentTool | Toolbox, context: ToolboxContext): Promise<OpenToolbox> {
  return "open" in source ? source.open(context) : { tools: [source], notes: [], close: () => undefined };
}

/** Lists the tools that belong to no toolbox. */
export function listPlainTools(sources: readonly (AgentTool | Toolbox)[]): AgentTool[] {
  return sources.flatMap((source) => ("open" in source ? [] : [source]));
}

/**
 * Returns the tools with unique names: a repeated name gets the suffix `_2`, `_3`, … in the order of the list. A plain
 * tool keeps its name, so that no tool of a toolbox can take its place.
 */
export function makeNamesUnique(tools: readonly AgentTool[], plain: ReadonlySet<AgentTool> = new Set()): AgentTool[] {
  const taken = new Set(plain.values().map(({ name }) => name));
  return tools.map((tool) => {
    if (plain.has(tool)) return tool;
    let { name } = tool;
    for (let n = 2; taken.has(name); n += 1) name = `${tool.name.slice(0, MAX_TOOL_NAME_CHARS - 4)}_${n}`;
    taken.add(name);
    return name === tool.name ? tool : { ...tool, name };
  });
}
