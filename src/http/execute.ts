// Calls an agent like a function: one request and its answer, without a conversation.

import type { Agents } from "../core/ports.ts";
import type { Agent, AgentRequest } from "../protocol/agent.ts";
import type { Execute, Executed } from "../protocol/app.ts";
import { mint } from "../protocol/ids.ts";
import { jsonOrText } from "../protocol/json-text.ts";

type Asked = Execute & { readonly user_id: string };

/**
 * Runs the request and returns the collected answer. Never rejects because of the agent: if it is disabled, fails, asks
 * a question or cannot be reached, the result has `success: false` and an `error`. A task of an agent that asks is
 * cancelled, because nobody can answer.
 */
export async function execute(
  agents: Agents,
  agent: Agent,
  asked: Asked,
  signal = new AbortController().signal,
): Promise<Executed> {
  const begun = Date.now();
  const heard = { words: "", firm: "", tools: new Set<string>(), result: null as Executed["result"], task: "" };
  const ended = (error?: string): Executed => ({
    success: error === undefined,
    response: heard.words,
    tools_used: [...heard.tools],
    result: heard.result,
    ...(error === undefined ? {} : { error }),
    execution_time: Date.now() - begun,
  });
  if (!agent.enabled) return ended(`The agent ${agent.name} is switched off.`);
  for await (const said of agents.run(agent, requestOf(asked), signal)) {
    if (said.type === "accepted") heard.task = said.remote_task_id ?? "";
    if (said.type === "text") heard.words += said.text;
    if (said.type === "checkpoint") heard.firm = heard.words;
    if (said.type === "retracted") heard.words = heard.firm;
    if (said.type === "tool_completed" && said.ran !== false) {
      heard.tools.add(said.tool);
      heard.result = jsonOrText(said.result) as Executed["result"];
    }
    if (said.type === "failed") return ended(said.reason);
    if (said.type !== "input_required") continue;
    if (heard.task !== "") await agents.cancel(agent, heard.task);
    return ended(`The agent asks, and nobody is here to answer: ${said.prompt}`);
  }
  return ended();
}

/** Creates the agent request. Its ids are new, so the agent cannot relate it to a conversation. */
function requestOf({ action, parameters, scope, language, user_id }: Asked): AgentRequest {
  return {
    message_id: mint("req"),
    task_id: mint("task"),
    conversation_id: mint("conv"),
    query: action,
    metadata: {
      user_id,
      ...(Object.keys(parameters).length === 0 ? {} : { current_context: parameters }),
      ...(scope === undefined ? {} : { scope }),
      ...(language === undefined ? {} : { language }),
    },
  };
}
