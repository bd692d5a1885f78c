// The content of an approval: everything that will run, exactly once.

import type { Approval } from "../../protocol/wire/question.ts";
import { escapeInvisible, formatEscapedJson } from "../../protocol/text/escape-invisible.ts";
import type { AskedQuestion } from "./question-view-state.ts";

const NEW_TOOL = "run_new_tool";
const NEW_TOOL_PREFIX = "A new tool needs your approval before it runs: ";
const SAFETY_CHECK_SUFFIX = [
  "The safety check has passed: no network, no files, no access to anything but its arguments.",
  "Answer approve or refuse, or change the code or the arguments.",
].join("\n\n");

export type ApprovalNotes = {
  /** The reason why the approval is requested again. */
  readonly remark?: string;
  /** True if the agent states that the code has passed the safety check. */
  readonly isChecked: boolean;
  /** The text of the agent; "" if it only repeats the arguments. */
  readonly words: string;
};

/** Extracts from the text of an approval what its arguments do not show already. */
export function parseApprovalNotes(
  { content }: Pick<AskedQuestion, "content">,
  { tool, arguments: args }: Approval,
): ApprovalNotes {
  const standardText = `${escapeInvisible(tool)} needs your approval. It will run with exactly these arguments:\n${formatEscapedJson(args)}\nAnswer approve or refuse.`;
  if (content.endsWith(standardText))
    return { ...toRemark(content.slice(0, -standardText.length)), isChecked: false, words: "" };
  const start = content.indexOf(NEW_TOOL_PREFIX);
  if (tool !== NEW_TOOL || start === -1 || !content.endsWith(SAFETY_CHECK_SUFFIX))
    return { isChecked: false, words: content };
  return { ...toRemark(content.slice(0, start)), isChecked: true, words: "" };
}

function toRemark(text: string): Pick<ApprovalNotes, "remark"> {
  return text.trim() === "" ? {} : { remark: text.trim() };
}

export type ShownArgument = {
  readonly name: string;
  /** The lines of a multi-line string, shown with line numbers; null if the value is shown as JSON. */
  readonly lines: readonly string[] | null;
  readonly json: string;
};

/** The arguments of a new tool that are shown first, in this order. */
const LEADING_ARGUMENTS: readonly string[] = ["name", "description", "code", "arguments"];

/** Returns a comparator that sorts argument names into reading order. */
export function createReadingOrder(tool: string): (a: string, b: string) => number {
  const rank = (name: string) =>
    tool === NEW_TOOL && LEADING_ARGUMENTS.includes(name) ? LEADING_ARGUMENTS.indexOf(name) : LEADING_ARGUMENTS.length;
  return (a, b) => rank(a) - rank(b);
}

/** Returns all arguments in reading order, with invisible characters escaped. */
export function listShownArguments({ tool, arguments: args }: Pick<Approval, "tool" | "arguments">): ShownArgument[] {
  const compareNames = createReadingOrder(tool);
  return Object.entries(args)
    .toSorted(([a], [b]) => compareNames(a, b))
    .map(([name, value]) => ({
      name: escapeInvisible(name),
      lines:
        typeof value === "string" && value.trimEnd().includes("\n") ? value.split("\n").map(escapeInvisible) : null,
      json: formatEscapedJson(value),
    }));
}
