// The decision about a tool call after the person has answered the question for approval.

import { Fault } from "../../protocol/fault.ts";
import { decisionOf, type Answer } from "../../protocol/question.ts";
import { visible } from "../../protocol/visible.ts";
import { approvalOf } from "./approval.ts";
import type { Question } from "./ask.ts";
import { isSame } from "./json.ts";
import type { Arguments, Tool } from "./tool.ts";

/** The decision: run with these arguments, refused, or ask again. */
export type Ruling =
  | { readonly kind: "run"; readonly arguments: Arguments; readonly isEdited: boolean }
  | { readonly kind: "refused"; readonly words: string }
  | { readonly kind: "ask"; readonly arguments: Arguments; readonly question: Question; readonly remark: string };

/**
 * Decides about a call whose approval was asked with the arguments `asked`. A call runs only with the exact arguments
 * that the person saw or wrote, and only if the tool's schema accepts them unchanged. In all other cases except a
 * refusal the person is asked again, with a remark that gives the reason.
 */
export function rule(tool: Tool, asked: Arguments, answer: Answer): Ruling {
  const again = (args: Arguments, remark: string): Ruling => ({
    kind: "ask",
    arguments: args,
    question: approvalOf(tool.name, args, tool.parameters, remark),
    remark,
  });
  const decision = answer.decision ?? (answer.arguments === undefined ? decisionOf(answer.message) : "approve");
  if (decision === null) return again(asked, "The answer was neither approve nor refuse.");
  if (decision === "refuse") return { kind: "refused", words: answer.message };
  const allowed = answer.arguments ?? asked;
  const read = attempt(tool, allowed);
  if (typeof read === "string") return again(asked, `These arguments cannot be used. ${read}`);
  if (!isSame(read, allowed)) return again(read, "The tool reads the arguments in another way. This is how.");
  return { kind: "run", arguments: read, isEdited: !isSame(read, asked) };
}

/** Returns the arguments as the tool reads them, or the problem as text. */
function attempt(tool: Tool, args: Arguments): Arguments | string {
  try {
    return tool.check(args).arguments;
  } catch (thrown) {
    if (thrown instanceof Fault) return visible(thrown.message);
    throw thrown;
  }
}
