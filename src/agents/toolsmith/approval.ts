// The approval of new code: the person sees the code and its arguments before it runs.

import { Fault } from "../../protocol/fault.ts";
import type { Answer } from "../../protocol/question.ts";
import { visible, visibleJson } from "../../protocol/visible.ts";
import { approvalOf } from "../kit/approval.ts";
import { rule } from "../kit/ruling.ts";
import type { Question } from "../kit/ask.ts";
import { tool, type Tool } from "../kit/tool.ts";
import { checked, fromWritten, writtenOf } from "./candidate.ts";
import { writeTool } from "./contract.ts";
import type { Candidate } from "./state.ts";

const NAME = "run_new_tool";

/** The decision about new code. */
export type Ruled =
  | { readonly kind: "run"; readonly candidate: Candidate }
  | { readonly kind: "refused" }
  | { readonly kind: "ask"; readonly question: Question };

/** Creates the question for a candidate that has passed the safety check. `remark` explains why it is asked again. */
export function questionFor(candidate: Candidate, remark?: string): Question {
  const { name, description, code, arguments: args } = candidate;
  const prompt = [
    ...(remark === undefined ? [] : [remark]),
    `A new tool needs your approval before it runs: ${visible(name)}. ${visible(description)}`,
    fenced(code),
    `It will run with these arguments:\n${visibleJson(args)}`,
    "The safety check has passed: no network, no files, no access to anything but its arguments.",
    "Answer approve or refuse, or change the code or the arguments.",
  ].join("\n\n");
  return { ...approvalOf(NAME, writtenOf(candidate), asTool.parameters), prompt };
}

/** Formats the code in a fence that is longer than any run of backticks in it. Invisible characters are escaped. */
function fenced(code: string): string {
  const ticks = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(ticks + 1);
  return `${fence}js\n${code.split("\n").map(visible).join("\n")}\n${fence}`;
}

/**
 * Decides about a candidate after the person's answer. Code runs only as the person saw or wrote it, and after
 * another safety check; otherwise they are asked again.
 */
export function ruleOn(candidate: Candidate, answer: Answer): Ruled {
  const ruling = rule(asTool, writtenOf(candidate), answer);
  switch (ruling.kind) {
    case "refused":
      return { kind: "refused" };
    case "run":
      return { kind: "run", candidate: candidateIn(ruling.arguments) };
    case "ask":
      return { kind: "ask", question: questionFor(candidate, ruling.remark) };
  }
}

/** Running new code as a tool that needs approval: its arguments are the code and its metadata. */
const described = tool({
  name: NAME,
  description: "Runs a tool that was just written.",
  parameters: writeTool.schema,
  needs_approval: true,
  run: () => "",
});

/** The same tool, whose check also parses the candidate and applies the safety check. */
const asTool: Tool = {
  ...described,
  check(args) {
    const read = described.check(args);
    candidateIn(read.arguments);
    return read;
  },
};

/** Parses the approved arguments. Throws a `Fault` (`invalid_request`) if they are invalid or unsafe. */
function candidateIn(args: Readonly<Record<string, unknown>>): Candidate {
  const read = fromWritten(writeTool.schema.parse(args), "approved");
  if (!read.ok) throw new Fault("invalid_request", read.problem);
  const verdict = checked(read.candidate);
  if (verdict.ok) return read.candidate;
  const issues = verdict.issues.map(({ message, line }) => `Line ${line}: ${message}`).join(" ");
  throw new Fault("invalid_request", `The safety check refuses this code. ${issues}`);
}
