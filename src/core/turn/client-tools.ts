// The calls of client tools: their check, and the events that show them.

import { tryParseJson } from "../../lib/parse-json.ts";
import type { EventOf } from "../../protocol/wire/events.ts";
import { findSchemaMistake } from "../models/answer-format.ts";
import type { ClientTools } from "../models/answer-options.ts";
import { createCorrection, type ParseResult } from "../models/complete-until-valid.ts";
import type { EventScope } from "../models/delta-writer.ts";
import type { EventDraft, ModelCompletion, ToolCall, ToolSpec } from "../ports.ts";
import { getStageScope } from "./turn-context.ts";

/** The maximum length of a call id; models choose them. */
const MAX_CALL_ID_CHARS = 64;

/**
 * Returns the calls of client tools in a completion, each with a unique id, or a correction if a call is wrong or a
 * required call is missing. Null if the completion calls no client tool and need not.
 */
export function parseClientCalls(
  { toolCalls }: ModelCompletion,
  { tools, mustCall, callsOnce }: ClientTools,
): ParseResult<readonly ToolCall[]> | null {
  const findTool = ({ name }: ToolCall) => tools.find((tool) => tool.name === name);
  const known = toolCalls.filter((call) => findTool(call) !== undefined);
  if (known.length === 0) {
    if (!mustCall) return null;
    return createCorrection(toolCalls, `Call one of the tools: ${tools.map(({ name }) => name).join(", ")}.`);
  }
  const calls = callsOnce ? known.slice(0, 1) : known;
  for (const call of calls) {
    const mistake = findArgumentsMistake(call, findTool(call));
    if (mistake !== null) return createCorrection(toolCalls, mistake);
  }
  return { kind: "outcome", value: withUniqueIds(calls) };
}

/** Returns a sentence for the model if the arguments are no JSON object, or violate the schema of a strict tool. */
function findArgumentsMistake({ name, arguments: text }: ToolCall, tool: ToolSpec | undefined): string | null {
  const value = tryParseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return `The arguments of ${name} are not a JSON object.`;
  const mistake = tool?.strict === true ? findSchemaMistake(tool.parameters, value) : null;
  return mistake === null ? null : `The arguments of ${name} are wrong: ${mistake}`;
}

/** Returns the calls with other ids where the id of the model is empty, too long or repeated. */
function withUniqueIds(calls: readonly ToolCall[]): ToolCall[] {
  return calls.map((call, i) => {
    const isUsable = call.id !== "" && call.id.length <= MAX_CALL_ID_CHARS;
    const isFirst = calls.findIndex(({ id }) => id === call.id) === i;
    return isUsable && isFirst ? call : { ...call, id: `call_${crypto.randomUUID().replaceAll("-", "")}` };
  });
}

/** Creates the event of a call. It gets no result in its thread: the next message brings it. */
export function createClientCallEvent(scope: EventScope, { id, name, arguments: args }: ToolCall): EventDraft {
  const payload = { tool_call_id: id, tool_name: name, tool_arguments: args };
  return { event: "tool_call_started", data: { ...scope, role: "agent", payload } };
}

/** True for the call of a client tool. Only triage calls them, and it calls nothing else. */
export function isClientCall({ data }: EventOf<"tool_call_started">): boolean {
  return data.task_id === getStageScope(data.thread_id, "triage").task_id;
}
