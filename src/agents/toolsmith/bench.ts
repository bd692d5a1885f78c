// The context of one run of the toolsmith, and the tool events of its steps.

import type { AgentRequest } from "../../protocol/agent.ts";
import { Fault } from "../../protocol/fault.ts";
import { mint } from "../../protocol/ids.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { Model, Said } from "../kit/agent.ts";
import { Exhausted, type Allowance } from "../kit/limits.ts";
import type { ChatMessage } from "../kit/prompt.ts";
import { isModelFault } from "../kit/failure.ts";
import type { Registry } from "./registry.ts";

/** The dependencies of one run. */
export type Bench = {
  readonly role: string;
  readonly request: AgentRequest;
  readonly model: Model;
  readonly sandbox: Sandbox;
  readonly registry: Registry;
  readonly signal: AbortSignal;
  readonly used: Allowance;
  readonly system: ChatMessage;
  /** True if a person must approve new code. */
  readonly needsApproval: boolean;
};

/** The steps of a sub-task, as readers see them (F93). */
export type StepName = "search" | "use_existing" | "generate" | "safety_check" | "execute" | "register";

/**
 * Runs a step between its tool events and returns its value. `toResult` selects the part of the value that readers
 * see. Errors are reported with a public reason and thrown again.
 */
export async function* step<T>(
  tool: StepName,
  args: unknown,
  work: () => AsyncGenerator<Said, T> | Promise<T>,
  told: (value: T) => unknown,
): AsyncGenerator<Said, T> {
  const said = { call_id: mint("call"), tool, arguments: JSON.stringify(args) };
  yield { type: "tool_started", ...said };
  try {
    const working = work();
    const value = working instanceof Promise ? await working : yield* working;
    yield { type: "tool_completed", ...said, result: JSON.stringify(told(value)) };
    return value;
  } catch (thrown) {
    yield { type: "tool_completed", ...said, result: JSON.stringify({ error: reasonOf(thrown) }) };
    throw thrown;
  }
}

/** Returns the message of an error if it is meant for people, else a neutral sentence. */
export function reasonOf(thrown: unknown): string {
  return isMeant(thrown) ? thrown.message : "Something went wrong on our side.";
}

/** True if the message of an error is meant for people. */
export function isMeant(thrown: unknown): thrown is Error {
  return thrown instanceof Fault || thrown instanceof Exhausted || isModelFault(thrown);
}
