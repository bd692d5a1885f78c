// The question that asks a person to approve a tool call. It consists of data only; the model cannot influence its
// text.

import { APPROVAL_OPTIONS } from "../../protocol/wire/question.ts";
import { escapeInvisible, formatEscapedJson } from "../../protocol/text/escape-invisible.ts";
import type { RunQuestion } from "./ask.ts";

/**
 * Creates the question for a call with exactly these arguments. Invisible characters are escaped as `\uXXXX`.
 * `remark` is placed before the prompt and explains why the person is asked again.
 */
export function createApprovalQuestion(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, unknown>>,
  remark?: string,
): RunQuestion {
  const prompt = `${escapeInvisible(tool)} needs your approval. It will run with exactly these arguments:\n${formatEscapedJson(args)}\nAnswer approve or refuse.`;
  return {
    prompt: remark === undefined ? prompt : `${remark}\n\n${prompt}`,
    options: [...APPROVAL_OPTIONS],
    approval: { tool, arguments: { ...args }, parameters: { ...parameters } },
  };
}
