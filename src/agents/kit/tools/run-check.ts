// A check of the runtime: one call of a read-only tool, without a model.

import type { AgentChecks, Lookup } from "../../../protocol/agents/agent.ts";
import { truncateWithEllipsis } from "../../../lib/truncate.ts";
import type { AgentRunEvent } from "../agent.ts";
import type { AgentTool, ToolContext } from "./tool.ts";
import { runToolCallStep, selectStep } from "./tool-calls.ts";

const MAX_CHECK_TOOLS = 24;
const MAX_DESCRIPTION_CHARS = 300;
const MAX_PARAMETERS_CHARS = 2_000;

/** Returns the descriptions of the read-only tools for a planner, bounded. Large schemas are left out. */
export function listCheckTools(tools: readonly AgentTool[]): AgentChecks["tools"] {
  const readOnly = tools.filter(({ read_only }) => read_only).slice(0, MAX_CHECK_TOOLS);
  return readOnly.map(({ name, description, parameters }) => ({
    name,
    description: truncateWithEllipsis(description, MAX_DESCRIPTION_CHARS),
    parameters: JSON.stringify(parameters).length > MAX_PARAMETERS_CHARS ? {} : parameters,
  }));
}

/** The code of a check that could not run: the agent has no such read-only tool, or the arguments do not match it. */
const CHECK_REFUSED = "check_refused";

/**
 * Runs the lookup and yields the events of the call and `completed`; or only `failed` (`check_refused`) if `tools`, the
 * read-only tools of the agent, do not accept it. An error that the tool reports is its result. Throws the terminal
 * `Failure` of the tool and the abort reason of the signal.
 */
export async function* runCheck(
  { tool, arguments: args }: Lookup,
  tools: readonly AgentTool[],
  context: ToolContext,
  resultChars: number,
): AsyncGenerator<AgentRunEvent, void> {
  const call = { id: context.call_id, name: tool, arguments: JSON.stringify(args) };
  const step = selectStep(tools, call, undefined);
  if (step.kind !== "run") {
    yield { type: "failed", reason: step.kind === "tell" ? step.result : tool, code: CHECK_REFUSED };
    return;
  }
  yield* runToolCallStep(step, call, context, resultChars);
  yield { type: "completed" };
}
