// What follows from the answer of a person who was asked for leave.

import { Fault } from "../../protocol/fault.ts";
import { decisionOf, type Answer } from "../../protocol/question.ts";
import { visible } from "../../protocol/visible.ts";
import { approvalOf } from "./approval.ts";
import type { Question } from "./ask.ts";
import { isSame } from "./json.ts";
import type { Arguments, Tool } from "./tool.ts";

export type Ruling =
  | { readonly kind: "run"; readonly arguments: Arguments; readonly isEdited: boolean }
  | { readonly kind: "refused"; readonly words: string }
  | { readonly kind: "ask"; readonly arguments: Arguments; readonly question: Question; readonly remark: string };

/**
 * Reads the answer to a call that was asked about with the arguments `asked`. What runs is what the person saw or
 * wrote, to the letter, and what the tool's schema takes; everything else is asked about again.
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

/** The arguments as the tool takes them, or what is wrong with them. */
function attempt(tool: Tool, args: Arguments): Arguments | string {
  try {
    return tool.check(args).arguments;
  } catch (thrown) {
    if (thrown instanceof Fault) return visible(thrown.message);
    throw thrown;
  }
}
