// Calls an agent like a function: one request and its answer, without a conversation.

import type { AgentRunner } from "../../core/ports.ts";
import type { Agent, AgentRequest } from "../../protocol/agents/agent.ts";
import type { ExecuteRequest, ExecuteResponse } from "../../protocol/agents/app-config.ts";
import { createId } from "../../protocol/wire/ids.ts";
import { parseJsonOrText } from "../../protocol/text/parse-json.ts";

type UserExecuteRequest = ExecuteRequest & { readonly user_id: string };

/**
 * Runs the request and returns the collected answer. Never rejects because of the agent: if it is disabled, fails, asks
 * a question or cannot be reached, the result has `success: false` and an `error`. A task of an agent that asks is
 * cancelled, because nobody can answer.
 */
export async function executeAgentRequest(
  agents: AgentRunner,
  agent: Agent,
  request: UserExecuteRequest,
  signal = new AbortController().signal,
): Promise<ExecuteResponse> {
  const startedAt = Date.now();
  const collected = {
    words: "",
    firm: "",
    tools: new Set<string>(),
    result: null as ExecuteResponse["result"],
    task: "",
  };
  const createResult = (error?: string): ExecuteResponse => ({
    success: error === undefined,
    response: collected.words,
    tools_used: [...collected.tools],
    result: collected.result,
    ...(error === undefined ? {} : { error }),
    execution_time: Date.now() - startedAt,
  });
  if (!agent.enabled) return createResult(`The agent ${agent.name} is switched off.`);
  for await (const event of agents.run(agent, createAgentRequest(request), signal)) {
    if (event.type === "accepted") collected.task = event.remote_task_id ?? "";
    if (event.type === "text") collected.words += event.text;
    if (event.type === "checkpoint") collected.firm = collected.words;
    if (event.type === "retracted") collected.words = collected.firm;
    if (event.type === "tool_completed" && event.ran !== false) {
      collected.tools.add(event.tool);
      collected.result = parseJsonOrText(event.result) as ExecuteResponse["result"];
    }
    if (event.type === "failed") return createResult(event.reason);
    if (event.type !== "input_required") continue;
    if (collected.task !== "") await agents.cancel(agent, collected.task);
    return createResult(`The agent asks, and nobody is here to answer: ${event.prompt}`);
  }
  return createResult();
}

/** Creates the agent request. Its ids are new, so the agent cannot relate it to a conversation. */
function createAgentRequest({ action, parameters, scope, language, user_id }: UserExecuteRequest): AgentRequest {
  return {
    message_id: createId("req"),
    task_id: createId("task"),
    conversation_id: createId("conv"),
    query: action,
    metadata: {
      user_id,
      ...(Object.keys(parameters).length === 0 ? {} : { current_context: parameters }),
      ...(scope === undefined ? {} : { scope }),
      ...(language === undefined ? {} : { language }),
    },
  };
}
