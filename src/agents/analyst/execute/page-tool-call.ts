// Runs one tool call and emits its start and its end. Failures are results, not exceptions.

import * as z from "zod";
import { createMessage } from "../../../language/messages.ts";
import { dataErrorSchema } from "../../../protocol/datasets/dataset.ts";
import { Fault } from "../../../protocol/wire/fault.ts";
import { raceAbort } from "../../../lib/with-timeout.ts";
import { truncateLists } from "../truncate-json.ts";
import { localizeError } from "../localize.ts";
import { localizeText, type MissingEntity, type PageBuild, type EmitPageEvent } from "./page-build.ts";
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
    const error = parseToolError(build, value);
    return error === null ? ({ ok: true, value, chars: json.length } as const) : failed(error.message, error);
  } catch (thrown) {
    if (thrown instanceof Fault || isFailure(thrown, "agent_exhausted"))
      return failed(localizeError(thrown, build.language));
    if (!signal.aborted) console.error(`The tool ${tool} failed`, thrown);
    return failed(localizeText(build, "analyst.toolFailed"));
  }
}

const toolErrorSchema = z.object({ error: dataErrorSchema });
/** Entities that the message `analyst.nameNotFound` has words for. */
const NAMED_ENTITIES = ["dataset", "column", "teacher", "class", "assignment", "student"];

/** Parses the error result of a tool; null for any other result. The message is in the language of the page. */
function parseToolError(build: PageBuild, value: unknown): MissingEntity | null {
  const parsed = toolErrorSchema.safeParse(value).data;
  if (parsed === undefined) return null;
  const { entity, message, suggestions, wanted } = parsed.error;
  const isNamed = wanted !== undefined && NAMED_ENTITIES.includes(entity);
  return {
    entity,
    message: isNamed ? localizeText(build, createMessage("analyst.nameNotFound", { entity, name: wanted })) : message,
    suggestions: suggestions.slice(0, 10),
  };
}
