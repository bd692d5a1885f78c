// The checklist of a verification and its summary.

import type {
  ChecklistEntry,
  CHECKLIST_STATUSES,
  VerificationSummary,
  VerificationVerdict,
} from "../../protocol/plans/verification.ts";
import { truncate } from "../../lib/truncate.ts";
import type { VerificationOutcome } from "./verification-outcome.ts";
import type { VerificationTarget } from "./verification-request.ts";

/** The maximum length of one response, and of all together. One row of the log contains the checklist several times. */
const MAX_RESPONSE_CHARS = 4_096;
const MAX_ALL_RESPONSES_CHARS = 32_768;
/** The maximum number of tool names per entry. */
const MAX_TOOLS = 50;

/** All verdicts with their checklist status, the worst first. */
const VERDICTS: readonly {
  readonly verified: VerificationVerdict;
  readonly status: (typeof CHECKLIST_STATUSES)[number];
}[] = [
  { verified: false, status: "verification_failed" },
  { verified: "exception", status: "verification_exception" },
  { verified: "unable_to_verify", status: "executed_but_unverified" },
  { verified: true, status: "executed_and_verified" },
];

/** Returns the rank of a verdict; 0 is the worst. */
function getRank(verified: VerificationVerdict): number {
  return VERDICTS.findIndex((rank) => rank.verified === verified);
}

/**
 * Builds the checklist in the order of the outcomes. Truncates each response to `MAX_ALL_RESPONSES_CHARS` divided by
 * the number of entries, and at most `MAX_RESPONSE_CHARS`.
 */
export function buildChecklist(
  outcomes: readonly (readonly [VerificationTarget, VerificationOutcome])[],
): ChecklistEntry[] {
  const maxChars = Math.min(MAX_RESPONSE_CHARS, Math.floor(MAX_ALL_RESPONSES_CHARS / outcomes.length));
  return outcomes.map(([target, outcome]) => buildChecklistEntry(target, outcome, maxChars));
}

/** Builds one checklist entry. Truncates the response and the reason to `maxChars` UTF-16 units each. */
export function buildChecklistEntry(
  target: VerificationTarget,
  { verified, reason, response, tools, evidence }: VerificationOutcome,
  maxChars: number = MAX_RESPONSE_CHARS,
): ChecklistEntry {
  return {
    agent_id: target.agent_name,
    task_id: target.task_id,
    task_name: target.task_name,
    status: VERDICTS[getRank(verified)]?.status ?? "verification_exception",
    verified,
    ...(reason === undefined ? {} : { reason: truncate(reason, maxChars) }),
    response: truncate(response, maxChars),
    tools_used: [...new Set(tools.map(({ tool }) => tool))].slice(0, MAX_TOOLS),
    ...(evidence === undefined ? {} : { evidence: { ...evidence, result: truncate(evidence.result, maxChars) } }),
  };
}

/** Counts the entries per verdict. `has_explicit_failure`: an entry was explicitly found not done. */
export function summarizeChecklist(checklist: readonly ChecklistEntry[]): VerificationSummary {
  const count = (verified: VerificationVerdict) => checklist.filter((entry) => entry.verified === verified).length;
  const counts = {
    verified_count: count(true),
    unable_to_verify_count: count("unable_to_verify"),
    failed_count: count(false),
    exception_count: count("exception"),
  };
  return {
    has_explicit_failure: counts.failed_count > 0,
    overall_status: getOverallStatus(counts),
    ...counts,
    total_count: checklist.length,
  };
}

/** Returns the overall status. A verification that verified nothing has not passed. */
function getOverallStatus({
  verified_count,
  failed_count,
  exception_count,
}: Pick<
  VerificationSummary,
  "verified_count" | "failed_count" | "exception_count"
>): VerificationSummary["overall_status"] {
  if (failed_count > 0) return "failed";
  if (exception_count > 0) return "incomplete";
  return verified_count > 0 ? "passed" : "unverified";
}

/** Groups the entries by agent, the worst entry of each agent first. */
export function groupByAgent(checklist: readonly ChecklistEntry[]): ReadonlyMap<string, readonly ChecklistEntry[]> {
  return Map.groupBy(
    checklist.toSorted((a, b) => getRank(a.verified) - getRank(b.verified)),
    ({ agent_id }) => agent_id,
  );
}
