// The context of one run of the toolsmith, and the tool events of its steps.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { createId } from "../../protocol/wire/ids.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { AgentModel, AgentRunEvent } from "../kit/agent.ts";
import { AgentLimitError, type AgentBudget } from "../kit/agent-limits.ts";
import type { ModelMessage } from "../kit/agent-prompt.ts";
import { isModelFault } from "../kit/run-failure.ts";
import type { UserToolRegistry } from "./user-tool-registry.ts";

/** The dependencies of one run. */
export type ToolsmithContext = {
  readonly role: string;
  readonly request: AgentRequest;
  readonly model: AgentModel;
  readonly sandbox: Sandbox;
  readonly registry: UserToolRegistry;
  readonly signal: AbortSignal;
  readonly budget: AgentBudget;
  readonly system: ModelMessage;
  /** True if a person must approve new code. */
  readonly needsApproval: boolean;
};

/** The steps of a sub-task, as readers see them (F93). */
export type ToolsmithStep = "search" | "use_existing" | "generate" | "safety_check" | "execute" | "register";

/**
 * Runs a step between its tool events and returns its value. `toResult` selects the part of the value that readers
 * see. Errors are reported with a public reason and thrown again.
 */
export async function* runStep<T>(
  tool: ToolsmithStep,
  args: unknown,
  work: () => AsyncGenerator<AgentRunEvent, T> | Promise<T>,
  toResult: (value: T) => unknown,
): AsyncGenerator<AgentRunEvent, T> {
  const toolEvent = { call_id: createId("call"), tool, arguments: JSON.stringify(args) };
  yield { type: "tool_started", ...toolEvent };
  try {
    const running = work();
    const value = running instanceof Promise ? await running : yield* running;
    yield { type: "tool_completed", ...toolEvent, result: JSON.stringify(toResult(value)) };
    return value;
  } catch (thrown) {
    yield { type: "tool_completed", ...toolEvent, result: JSON.stringify({ error: getPublicReason(thrown) }) };
    throw thrown;
  }
}

/** Returns the message of an error if it is meant for people, else a neutral sentence. */
export function getPublicReason(thrown: unknown): string {
  return isPublicError(thrown) ? thrown.message : "Something went wrong on our side.";
}

/** True if the message of an error is meant for people. */
export function isPublicError(thrown: unknown): thrown is Error {
  return thrown instanceof Fault || thrown instanceof AgentLimitError || isModelFault(thrown);
}
