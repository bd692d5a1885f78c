// Examines new code for parts that come from untrusted text, such as the result of an earlier task (P1).

import type { Message } from "../../language/messages.ts";
import type { AgentRequest } from "../../protocol/agents/agent.ts";
import type { ArgumentOrigin } from "../../protocol/wire/question.ts";
import { ArgumentExaminer } from "../../protocol/provenance/examine-arguments.ts";
import { createApprovalRemark, listPersonTexts, listUntrustedTexts } from "../kit/request-texts.ts";
import type { SubtaskContext } from "./toolsmith-prompts.ts";
import type { ToolCandidate } from "./toolsmith-state.ts";

/** The parts of new code that are not the person's, and the reason why it needs approval; null if it needs none. */
export type CodeOrigins = { readonly remark: Message | null; readonly origins: readonly ArgumentOrigin[] };

/**
 * Compares the code and its metadata with the texts of the request and the results of earlier sub-tasks. The sub-task
 * and the arguments are not compared: the code runs without any effect but the stored tool, which contains neither. New
 * code is never the person's, so only parts of untrusted text count.
 */
export function findCodeOrigins(
  request: AgentRequest,
  { earlierResults }: SubtaskContext,
  { name, description, code, parameters, returns }: ToolCandidate,
): CodeOrigins {
  const results = earlierResults.map(({ title, result }) => ({ source: title, text: result }));
  const texts = {
    person: listPersonTexts(request),
    deployment: [],
    untrusted: [...listUntrustedTexts(request), ...results],
  };
  const compared = { name, description, code };
  // A time or another short number in a result equals one in the code by chance.
  const phrases = texts.untrusted.map((text) => ({ ...text, onlyPhrases: true }) as const);
  const schemas = JSON.stringify([parameters, returns ?? null]);
  const verdict = new ArgumentExaminer().examine(
    { ...compared, schemas },
    { ...texts, untrusted: phrases },
    new Set([...Object.keys(compared), "schemas"]),
  );
  const remark = createApprovalRemark({ ...verdict, hasPersonValue: true }, texts);
  return { remark, origins: verdict.origins.filter(({ path }) => path.slice(1) in compared) };
}
