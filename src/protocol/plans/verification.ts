// Schemas of the results when agents verify their own work.

import * as z from "zod";

/**
 * `true`: the agent checked with a tool and the work is done. `false`: it checked and the work is not done.
 * `unable_to_verify`: it has no tool to check with. `exception`: it could not be asked.
 */
export const verificationVerdictSchema = z.union([z.boolean(), z.enum(["unable_to_verify", "exception"])]);
export type VerificationVerdict = z.infer<typeof verificationVerdictSchema>;

export const CHECKLIST_STATUSES = [
  "executed_and_verified",
  "verification_failed",
  "executed_but_unverified",
  "verification_exception",
] as const;

/** The verification of one task by its agent (X23). */
export const checklistEntrySchema = z.object({
  agent_id: z.string(),
  task_id: z.string(),
  task_name: z.string(),
  status: z.enum(CHECKLIST_STATUSES),
  verified: verificationVerdictSchema,
  /** `no_verification_tool`, or a sentence about the problem. */
  reason: z.string().optional(),
  /** The text of the agent. */
  response: z.string(),
  tools_used: z.array(z.string()),
});
export type ChecklistEntry = z.infer<typeof checklistEntrySchema>;

export const verificationSummarySchema = z.object({
  has_explicit_failure: z.boolean(),
  overall_status: z.enum(["passed", "failed"]),
  verified_count: z.int(),
  unable_to_verify_count: z.int(),
  failed_count: z.int(),
  exception_count: z.int(),
  total_count: z.int(),
});
export type VerificationSummary = z.infer<typeof verificationSummarySchema>;

/** The complete verification of a thread: the checklist and its counts. */
export const verificationSchema = z.object({
  checklist: z.array(checklistEntrySchema),
  summary: verificationSummarySchema,
  verification_completed: z.literal(true),
});
export type Verification = z.infer<typeof verificationSchema>;
