import { Fault } from "../../protocol/fault.ts";
import type { Said } from "./agent.ts";
import { Exhausted, type Limits } from "./limits.ts";

/** Ends a run as failed, from within a tool too, with a reason that the person reads. */
export class RunFailed extends Error {
  override readonly name = "RunFailed";
  readonly code: "tool_failed" | "agent_failed";

  constructor(message: string, code: RunFailed["code"], cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The ways a run can end badly, as its last word. */
export function failureOf(thrown: unknown, clock: AbortSignal, { seconds }: Limits): Said {
  if (clock.aborted) return failed(`The agent had no answer after ${seconds} seconds.`, "agent_exhausted");
  const said = told(thrown);
  if (said === undefined) throw thrown;
  return said;
}

/** What was thrown in words for the person; undefined where it has none. */
export function told(thrown: unknown): Said | undefined {
  if (thrown instanceof RunFailed) return failed(thrown.message, thrown.code);
  if (thrown instanceof Exhausted) return failed(thrown.message, "agent_exhausted");
  if (thrown instanceof Fault) return failed(thrown.message, "agent_failed");
  return isModelFault(thrown) ? failed(thrown.message, thrown.code) : undefined;
}

function failed(reason: string, code: string): Said {
  return { type: "failed", reason, code };
}

/** The model's own failure, told by its shape: its class lives in a layer that agents do not know. */
export function isModelFault(thrown: unknown): thrown is Error & { readonly code: string } {
  return thrown instanceof Error && thrown.name === "ModelFault" && "code" in thrown && typeof thrown.code === "string";
}
