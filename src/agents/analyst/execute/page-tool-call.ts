// Runs one tool call and emits its start and its end. Failures are results, not exceptions.

import { createMessage } from "../../../language/messages.ts";
import { Fault } from "../../../protocol/wire/fault.ts";
import { raceAbort } from "../../../lib/with-timeout.ts";
import { truncateLists } from "../truncate-json.ts";
import { localizeError } from "../localize.ts";
import { localizeText, type MissingEntity, type PageBuild, type EmitPageEvent } from "./page-build.ts";
import { isRecord, isScalar } from "../blocks/data-shapes.ts";
import { isFailure } from "../../../protocol/wire/message-error.ts";

/** The result of a tool call. `message` is for the person; `notFound` is set if a named thing does not exist. */
export type ToolCallOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly notFound: MissingEntity | null };

/** A tool call of an execution. `callId` connects its two events. */
export type PageToolCall = {
  readonly callId: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly signal: AbortSignal;
  /** True if the end event contains the result and not only the status. */
  readonly isShown: boolean;
};

/** Maximum characters of JSON of a result, and of a result in an event. */
const MAX_RESULT_CHARS = 2_000_000;
const MAX_EVENT_RESULT_CHARS = 32_000;
/** Maximum members of a list in an event, and in stored arguments. */
export const MAX_LIST_MEMBERS = 50;

/**
 * Calls a tool, counts it in the budget, emits `TOOL_CALL` and `TOOL_RESULT`, and records a successful result in
 * `build.results`. All failures, also of the budget, are outcomes. Throws only the reason of an aborted signal, after
 * the end event.
 */
export async function callPageTool(
  build: PageBuild,
  emit: EmitPageEvent,
  { callId, tool, args, signal, isShown }: PageToolCall,
): Promise<ToolCallOutcome> {
  const shortArgs = truncateLists(args, MAX_LIST_MEMBERS) as Record<string, unknown>;
  emit({ type: "TOOL_CALL", tool, args: shortArgs, callId });
  const outcome = await runPageTool(build, tool, args, signal);
  if (!outcome.ok) {
    emit({ type: "TOOL_RESULT", tool, status: "error", error: outcome.message, callId });
    signal.throwIfAborted();
    return outcome;
  }
  const { value, chars } = outcome;
  build.results.push({ tool, args: shortArgs, result: value });
  const result = isShown && chars <= MAX_EVENT_RESULT_CHARS ? { result: value } : {};
  emit({ type: "TOOL_RESULT", tool, status: "success", ...result, callId });
  return { ok: true, value };
}

/** Runs the tool within the tool-call limit and normalizes its result to plain JSON. Errors become messages. */
async function runPageTool(build: PageBuild, tool: string, args: Record<string, unknown>, signal: AbortSignal) {
  const failed = (message: string, notFound: MissingEntity | null = null) =>
    ({ ok: false, message, notFound }) as const;
  try {
    build.budget.spendToolCall();
    const json = JSON.stringify(await raceAbort(signal, build.tools.call(tool, args, signal))) ?? "null";
    if (json.length > MAX_RESULT_CHARS) return failed(localizeText(build, "analyst.resultTooLarge"));
    const value = JSON.parse(json) as unknown;
    const error = parseToolError(build, value, tool);
    return error === null ? ({ ok: true, value, chars: json.length } as const) : failed(error.message, error.notFound);
  } catch (thrown) {
    if (thrown instanceof Fault || isFailure(thrown, "agent_exhausted"))
      return failed(localizeError(thrown, build.language));
    if (!signal.aborted) console.error(`The tool ${tool} failed`, thrown);
    return failed(localizeText(build, "analyst.toolFailed"));
  }
}

/** Entities that the message `analyst.nameNotFound` has words for. */
const NAMED_ENTITIES = ["dataset", "column", "teacher", "class", "assignment", "student"];

/**
 * Parses a tool's error result: `{error, entity?, suggestions?, wanted?}`, or the same members within `error`. Returns
 * null if the result is not an error.
 */
function parseToolError(
  build: PageBuild,
  value: unknown,
  tool: string,
): { message: string; notFound: MissingEntity | null } | null {
  if (!isRecord(value) || value["error"] === undefined || value["error"] === null || value["error"] === false)
    return null;
  const { error } = value;
  const detail = isRecord(error) ? { ...value, ...error } : value;
  const errorText = isRecord(error) ? error["message"] : error;
  const toolMessage = typeof errorText === "string" && errorText !== "" ? errorText : JSON.stringify(error);
  const { entity, suggestions, wanted } = detail;
  const message =
    typeof wanted === "string" && NAMED_ENTITIES.some((name) => name === entity)
      ? localizeText(build, createMessage("analyst.nameNotFound", { entity: String(entity), name: wanted }))
      : toolMessage;
  if (!Array.isArray(suggestions) && !isScalar(entity)) return { message, notFound: null };
  const nearest: readonly unknown[] = Array.isArray(suggestions) ? suggestions : [];
  return {
    message,
    notFound: {
      entity: isScalar(entity) ? String(entity) : tool,
      message,
      suggestions: nearest.flatMap(getSuggestionName).slice(0, 10),
    },
  };
}

/** Returns the name of a suggestion as a list of one, or an empty list. */
function getSuggestionName(suggestion: unknown): string[] {
  if (isScalar(suggestion)) return [String(suggestion)];
  if (!isRecord(suggestion)) return [];
  const name = suggestion["name"] ?? suggestion["label"] ?? suggestion["id"];
  return isScalar(name) ? [String(name)] : [];
}
