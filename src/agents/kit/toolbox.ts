import type { RunContext } from "./agent.ts";
import type { Tool } from "./tool.ts";

/** What tools can be looked for with. Settings are read only by those who need them. */
export type Within = Pick<RunContext, "env" | "signal"> & { readonly settings: () => RunContext["settings"] };

/** Tools that are known only once a run has begun, and are there until it ends. */
export type Toolbox = {
  /** Throws `RunFailed`, or a `Fault`, when they are not to be had. */
  open(within: Within): Promise<OpenToolbox>;
};

export type OpenToolbox = { readonly tools: readonly Tool[]; readonly close: () => void };

/** All of them in their order, with every toolbox opened. */
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
