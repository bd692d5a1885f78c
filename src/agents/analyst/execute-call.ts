// Runs one tool call and emits its start and its end. Failures are results, not exceptions.

import { Fault } from "../../protocol/fault.ts";
import { Exhausted } from "../kit/limits.ts";
import { until } from "../kit/until.ts";
import { abridged } from "./abridge.ts";
import { NO_SUCH, TOO_LARGE, TOOL_BROKE } from "./execute-phrases.ts";
import { say, type NotFound, type Scene, type Tell } from "./scene.ts";
import { isRecord, isScalar } from "./shapes.ts";

/** The result of a tool call. `message` is for the person; `notFound` is set if a named thing does not exist. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly notFound: NotFound | null };

export type Call = {
  readonly callId: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly signal: AbortSignal;
  /** True if the end event contains the result and not only the status. */
  readonly isShown: boolean;
};

/** Maximum characters of JSON of a result, and of a result in an event. */
const MOST_CHARS = 2_000_000;
const MOST_SHOWN = 32_000;
/** Maximum members of a list in an event, and in stored arguments. */
export const MOST_MEMBERS = 50;

/**
 * Calls a tool, emits `TOOL_CALL` and `TOOL_RESULT`, and records a successful result in `build.results`. Throws only
 * the reason of an aborted signal, after the end event.
 */
export async function callTool(
  scene: Scene,
  tell: Tell,
  { callId, tool, args, signal, isShown }: Call,
): Promise<Outcome> {
  const short = abridged(args, MOST_MEMBERS) as Record<string, unknown>;
  tell({ type: "TOOL_CALL", tool, args: short, callId });
  const outcome = await outcomeOf(scene, tool, args, signal);
  if (!outcome.ok) {
    tell({ type: "TOOL_RESULT", tool, status: "error", error: outcome.message, callId });
    signal.throwIfAborted();
    return outcome;
  }
  const { value, chars } = outcome;
  scene.results.push({ tool, args: short, result: value });
  const result = isShown && chars <= MOST_SHOWN ? { result: value } : {};
  tell({ type: "TOOL_RESULT", tool, status: "success", ...result, callId });
  return { ok: true, value };
}

/** Runs the tool within the tool-call limit and normalizes its result to plain JSON. Errors become messages. */
async function outcomeOf(scene: Scene, tool: string, args: Record<string, unknown>, signal: AbortSignal) {
  const failed = (message: string, notFound: NotFound | null = null) => ({ ok: false, message, notFound }) as const;
  try {
    scene.used.takeToolCall();
    const json = JSON.stringify(await until(signal, scene.tools.call(tool, args, signal))) ?? "null";
    if (json.length > MOST_CHARS) return failed(say(scene, TOO_LARGE));
    const value = JSON.parse(json) as unknown;
    const error = errorIn(scene, value, tool);
    return error === null ? ({ ok: true, value, chars: json.length } as const) : failed(error.message, error.notFound);
  } catch (thrown) {
    if (thrown instanceof Fault || thrown instanceof Exhausted) return failed(thrown.message);
    if (!signal.aborted) console.error(`The tool ${tool} failed`, thrown);
    return failed(say(scene, TOOL_BROKE));
  }
}

/**
 * Parses a tool's error result: `{error, entity?, suggestions?, wanted?}`, or the same members within `error`. Returns
 * null if the result is not an error.
 */
function errorIn(scene: Scene, value: unknown, tool: string): { message: string; notFound: NotFound | null } | null {
  if (!isRecord(value) || value["error"] === undefined || value["error"] === null || value["error"] === false)
    return null;
  const { error } = value;
  const detail = isRecord(error) ? { ...value, ...error } : value;
  const words = isRecord(error) ? error["message"] : error;
  const told = typeof words === "string" && words !== "" ? words : JSON.stringify(error);
  const { entity, suggestions, wanted } = detail;
  const message = typeof wanted === "string" ? say(scene, NO_SUCH(told, String(entity), wanted)) : told;
  if (!Array.isArray(suggestions) && !isScalar(entity)) return { message, notFound: null };
  const nearest: readonly unknown[] = Array.isArray(suggestions) ? suggestions : [];
  return {
    message,
    notFound: {
      entity: isScalar(entity) ? String(entity) : tool,
      message,
      suggestions: nearest.flatMap(nameOf).slice(0, 10),
    },
  };
}

/** Returns the name of a suggestion as a list of one, or an empty list. */
function nameOf(suggestion: unknown): string[] {
  if (isScalar(suggestion)) return [String(suggestion)];
  if (!isRecord(suggestion)) return [];
  const name = suggestion["name"] ?? suggestion["label"] ?? suggestion["id"];
  return isScalar(name) ? [String(name)] : [];
}
