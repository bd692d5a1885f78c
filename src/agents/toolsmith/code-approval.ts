// The approval of new code: the person sees the code and its arguments before it runs.

import type { Language } from "../../language/detect-language.ts";
import { createMessage, formatMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import type { QuestionAnswer } from "../../protocol/wire/question.ts";
import { escapeInvisible, formatEscapedJson } from "../../lib/escape-invisible.ts";
import { createApprovalQuestion } from "../kit/tools/approval-question.ts";
import { decideToolCall } from "../kit/tools/tool-call-decision.ts";
import type { RunQuestion } from "../kit/ask.ts";
import { tool, type AgentTool } from "../kit/tools/tool.ts";
import { checkSafety, createCandidate, toWrittenTool } from "./tool-candidate.ts";
import type { CodeOrigins } from "./code-origins.ts";
import { WRITE_TOOL } from "./offered-tools.ts";
import type { ToolCandidate } from "./toolsmith-state.ts";

const NO_ORIGINS: CodeOrigins = { remark: null, origins: [] };
const APPROVAL_TOOL_NAME = "run_new_tool";

/** The decision about new code. */
export type CodeDecision =
  | { readonly kind: "run"; readonly candidate: ToolCandidate }
  | { readonly kind: "refused" }
  | { readonly kind: "ask"; readonly question: RunQuestion };

/**
 * Creates the question whether a candidate that has passed the safety check may run. It shows the code and arguments
 * with invisible characters escaped. `remark` is placed before it and explains why the person is asked, or asked again.
 */
export function createCodeQuestion(
  candidate: ToolCandidate,
  language: Language,
  { remark, origins }: CodeOrigins = NO_ORIGINS,
): RunQuestion {
  const message = createMessage("toolsmith.codeQuestion", {
    name: escapeInvisible(candidate.name),
    description: escapeInvisible(candidate.description),
    code: formatCodeFence(candidate.code),
    arguments: formatEscapedJson(candidate.arguments),
  });
  const prompt = [...(remark === null ? [] : [remark]), message]
    .map((part) => formatMessage(language, part))
    .join("\n\n");
  const { parameters } = approvalTool;
  const question = createApprovalQuestion(APPROVAL_TOOL_NAME, toWrittenTool(candidate), parameters, undefined, origins);
  return { ...question, prompt };
}

/** Formats the code in a fence that is longer than any run of backticks in it. Invisible characters are escaped. */
function formatCodeFence(code: string): string {
  const ticks = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(ticks + 1);
  return `${fence}js\n${code.split("\n").map(escapeInvisible).join("\n")}\n${fence}`;
}

/**
 * Decides about a candidate after the person's answer. Approved code runs exactly as the person saw or wrote it, if it
 * passes another safety check; its origin becomes `approved`. Unless it is refused, the person is otherwise asked again
 * about the same candidate.
 */
export function decideCodeApproval(candidate: ToolCandidate, answer: QuestionAnswer, language: Language): CodeDecision {
  const decision = decideToolCall(approvalTool, toWrittenTool(candidate), answer);
  switch (decision.kind) {
    case "refused":
      return { kind: "refused" };
    case "run":
      return { kind: "run", candidate: parseApprovedCandidate(decision.arguments) };
    case "ask":
      return {
        kind: "ask",
        question: createCodeQuestion(candidate, language, { remark: decision.remark, origins: [] }),
      };
  }
}

/** Running new code as a tool that needs approval: its arguments are the code and its metadata. */
const baseTool = tool({
  name: APPROVAL_TOOL_NAME,
  description: "Runs a tool that was just written.",
  parameters: WRITE_TOOL.schema,
  needs_approval: true,
  run: () => "",
});

const approvalTool: AgentTool = {
  ...baseTool,
  check(args) {
    const checkedArguments = baseTool.check(args);
    parseApprovedCandidate(checkedArguments.arguments);
    return checkedArguments;
  },
};

/** Parses the approved arguments. Throws a `Fault` (`invalid_request`) if they are invalid or unsafe. */
function parseApprovedCandidate(args: Readonly<Record<string, unknown>>): ToolCandidate {
  const parsed = createCandidate(WRITE_TOOL.schema.parse(args), "approved");
  if (!parsed.ok) throw new Fault("invalid_request", parsed.problem);
  const verdict = checkSafety(parsed.candidate);
  if (verdict.ok) return parsed.candidate;
  const issues = verdict.issues.map(({ message, line }) => `Line ${line}: ${message}`).join(" ");
  throw createFault("invalid_request", createMessage("toolsmith.codeUnsafe", { issues }));
}
