// The checklist of a verification and its summary.

import type { ChecklistEntry, CHECKLIST_STATUSES, VerificationSummary, Verified } from "../../protocol/verification.ts";
import { cut } from "../../protocol/shortened.ts";
import type { Outcome } from "./outcome.ts";
import type { Pair } from "./words.ts";

/** The maximum length of one response, and of all together. One row of the log contains the checklist several times. */
const MAX_RESPONSE = 4_096;
const MAX_RESPONSES = 32_768;
/** The maximum number of tool names per entry. */
const MAX_TOOLS = 50;

/** All verdicts with their checklist status, the worst first. */
const RANKING: readonly { readonly verified: Verified; readonly status: (typeof CHECKLIST_STATUSES)[number] }[] = [
  { verified: false, status: "verification_failed" },
  { verified: "exception", status: "verification_exception" },
  { verified: "unable_to_verify", status: "executed_but_unverified" },
  { verified: true, status: "executed_and_verified" },
];

/** Returns the rank of a verdict; 0 is the worst. */
function rankOf(verified: Verified): number {
  return RANKING.findIndex((rank) => rank.verified === verified);
}

/** Builds the checklist in the order of the outcomes. Responses share the total limit equally. */
export function checklistOf(outcomes: readonly (readonly [Pair, Outcome])[]): ChecklistEntry[] {
  const most = Math.min(MAX_RESPONSE, Math.floor(MAX_RESPONSES / outcomes.length));
  return outcomes.map(([pair, outcome]) => entryOf(pair, outcome, most));
}

/** Builds one checklist entry. `maxChars` limits response and reason. */
export function entryOf(
  pair: Pair,
  { verified, reason, response, tools }: Outcome,
  most: number = MAX_RESPONSE,
): ChecklistEntry {
  return {
    agent_id: pair.agent_name,
    task_id: pair.task_id,
    task_name: pair.task_name,
    status: RANKING[rankOf(verified)]?.status ?? "verification_exception",
    verified,
    ...(reason === undefined ? {} : { reason: cut(reason, most) }),
    response: cut(response, most),
    tools_used: [...new Set(tools.map(({ tool }) => tool))].slice(0, MAX_TOOLS),
  };
}

/** Counts the entries per verdict. The overall status is `failed` only if an entry was explicitly found not done. */
export function summaryOf(checklist: readonly ChecklistEntry[]): VerificationSummary {
  const count = (verified: Verified) => checklist.filter((entry) => entry.verified === verified).length;
  const failed_count = count(false);
  return {
    has_explicit_failure: failed_count > 0,
    overall_status: failed_count > 0 ? "failed" : "passed",
    verified_count: count(true),
    unable_to_verify_count: count("unable_to_verify"),
    failed_count,
    exception_count: count("exception"),
    total_count: checklist.length,
  };
}

/** Groups the entries by agent, the worst entry of each agent first. */
export function byAgent(checklist: readonly ChecklistEntry[]): ReadonlyMap<string, readonly ChecklistEntry[]> {
  return Map.groupBy(
    checklist.toSorted((a, b) => rankOf(a.verified) - rankOf(b.verified)),
    ({ agent_id }) => agent_id,
  );
}
