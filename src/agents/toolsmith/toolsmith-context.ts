// The context of one run of the toolsmith, and the tool events of its steps.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { detectRequestLanguage } from "../../language/detect-language.ts";
import { describeError, Failure } from "../../protocol/wire/message-error.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { createId } from "../../protocol/wire/ids.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { AgentModel, AgentRunEvent } from "../kit/agent.ts";
import { type AgentBudget } from "../kit/agent-limits.ts";
import type { ModelMessage } from "../kit/agent-prompt.ts";
import { localizeReply } from "./toolsmith-messages.ts";
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
 * Runs a step between its events `tool_started` and `tool_completed`, passes on the events of `work` and returns its
 * value. `toResult` selects the part of the value that readers see. An error is shown to them with its public reason
 * and thrown again.
 */
export async function* runStep<T>(
  { request }: Pick<ToolsmithContext, "request">,
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
    yield { type: "tool_completed", ...toolEvent, result: JSON.stringify({ error: getPublicReason(thrown, request) }) };
    throw thrown;
  }
}

/** Returns the error's message in the language of the request; a neutral sentence if it is not meant for people. */
export function getPublicReason(thrown: unknown, request: AgentRequest): string {
  return isPublicError(thrown)
    ? describeError(thrown, detectRequestLanguage(request))
    : localizeReply(request, "internal");
}

/** True if the message of an error is meant for people: `Fault` and `Failure`. */
export function isPublicError(thrown: unknown): thrown is Error {
  return thrown instanceof Fault || thrown instanceof Failure;
}
