// The question that asks a person to approve a tool call. It consists of data only; the model cannot influence its
// text.

import { createMessage, type Message } from "../../../language/messages.ts";
import { APPROVAL_OPTIONS, type ArgumentOrigin } from "../../../protocol/wire/question.ts";
import { escapeInvisible, formatEscapedJson } from "../../../lib/escape-invisible.ts";
import type { ToolQuestion } from "../ask.ts";

/**
 * Creates the question for a call with exactly these arguments. The prompt shows invisible characters as `\uXXXX`;
 * `approval` contains them unchanged. `parameters` is the JSON Schema with which clients let the person edit the
 * arguments. `remark` is placed before the prompt and explains why the person is asked, or asked again. `origins` lists
 * the parts of the arguments that come from untrusted text.
 */
export function createApprovalQuestion(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, unknown>>,
  remark?: Message,
  origins: readonly ArgumentOrigin[] = [],
): ToolQuestion {
  const shown = { tool: escapeInvisible(tool), arguments: formatEscapedJson(args) };
  return {
    prompt:
      remark === undefined
        ? createMessage("approval.prompt", shown)
        : createMessage("approval.repeatedPrompt", { remark, ...shown }),
    options: [...APPROVAL_OPTIONS],
    approval: {
      tool,
      arguments: { ...args },
      parameters: { ...parameters },
      ...(origins.length === 0 ? {} : { origins: [...origins] }),
    },
  };
}
