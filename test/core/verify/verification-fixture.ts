// Agents and scripts for tests of the verification of a plan.

import type { AgentRequest } from "../../../src/protocol/agents/agent.ts";
import type { Script } from "../../support/scripted-ports.ts";

export const isVerification = (request: AgentRequest) => request.metadata.scope === "read_only";

/** Returns an agent that does its task and, when asked to verify it, calls a tool with this result. */
export function createWorker(toolResult: string, words = "VERIFIED", requests: AgentRequest[] = []): Script {
  return async function* (request) {
    requests.push(request);
    if (!isVerification(request)) {
      yield { type: "text", text: `result of ${request.query}` };
      return;
    }
    yield { type: "reasoning", text: "let me look" };
    yield { type: "tool_started", call_id: "c", tool: "look", arguments: "{}" };
    yield { type: "tool_completed", call_id: "c", tool: "look", arguments: "{}", result: toolResult };
    yield { type: "text", text: words };
  };
}

export const mute: Script = async function* (request) {
  yield { type: "text", text: isVerification(request) ? "VERIFIED" : "done" };
};

export const VERIFY = { turn: { request: { message: "do both things", verify: true } } };
