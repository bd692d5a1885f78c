// Leave for a tool call. What the person is shown, and what then runs, is data: the model has no words in it.

import { APPROVAL_OPTIONS } from "../../protocol/question.ts";
import { visible, visibleJson } from "../../protocol/visible.ts";
import type { Question } from "./ask.ts";

/** Asks for leave to call a tool with exactly these arguments. `remark` tells why it is asked again. */
export function approvalOf(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, unknown>>,
  remark?: string,
): Question {
  const prompt = `${visible(tool)} needs your approval. It will run with exactly these arguments:\n${visibleJson(args)}\nAnswer approve or refuse.`;
  return {
    prompt: remark === undefined ? prompt : `${remark}\n\n${prompt}`,
    options: [...APPROVAL_OPTIONS],
    approval: { tool, arguments: { ...args }, parameters: { ...parameters } },
  };
}
