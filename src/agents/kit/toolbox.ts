// Tools that exist only during a run, for example those of an MCP server.

import type { RunContext } from "./agent.ts";
import type { Tool } from "./tool.ts";

/** The inputs of opening a toolbox. Settings are read only if needed. */
export type Within = Pick<RunContext, "env" | "signal"> & { readonly settings: () => RunContext["settings"] };

/** A source of tools that is opened at the start of a run and closed at its end. */
export type Toolbox = {
  /** Opens the toolbox. Rejects with `RunFailed` or a `Fault` if its tools are not available. */
  open(within: Within): Promise<OpenToolbox>;
};

/** The tools of an open toolbox. The opener must call `close`. */
export type OpenToolbox = { readonly tools: readonly Tool[]; readonly close: () => void };

/**
 * Opens all toolboxes in parallel and returns all tools in their order. If one fails, it closes the others and throws
 * that error.
 */
export async function openAll(given: readonly (Tool | Toolbox)[], within: Within): Promise<OpenToolbox> {
  const opened = await Promise.allSettled(given.map((one) => opening(one, within)));
  const boxes = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const close = () => boxes.forEach((box) => box.close());
  const failed = opened.find((one) => one.status === "rejected");
  if (failed === undefined) return { tools: boxes.flatMap(({ tools }) => tools), close };
  close();
  throw failed.reason;
}

async function opening(one: Tool | Toolbox, within: Within): Promise<OpenToolbox> {
  return "open" in one ? one.open(within) : { tools: [one], close: () => undefined };
}
