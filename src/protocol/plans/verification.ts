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

/** The evidence of a criterion. `before` and `after` are null if the check could not run. */
export const verificationEvidenceSchema = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** The condition over the result of the tool. */
  holds: z.string(),
  before: z.boolean().nullable(),
  after: z.boolean().nullable(),
  /** The last result of the tool, truncated. */
  result: z.string(),
  /** The numbers of the events that show the results. */
  seqs: z.array(z.int()),
  /** The number of attempts: 1 without a repair. */
  attempts: z.int(),
});
export type VerificationEvidence = z.infer<typeof verificationEvidenceSchema>;

/** The verification of one task: by its criterion, or by its agent (X23). */
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
  /** Present if a criterion decided. */
  evidence: verificationEvidenceSchema.optional(),
});
export type ChecklistEntry = z.infer<typeof checklistEntrySchema>;

/**
 * `passed`: something was verified and nothing failed. `failed`: a task was found not done. `incomplete`: a check had an
 * error. `unverified`: nothing could be verified.
 */
export const OVERALL_STATUSES = ["passed", "failed", "unverified", "incomplete"] as const;

export const verificationSummarySchema = z.object({
  has_explicit_failure: z.boolean(),
  overall_status: z.enum(OVERALL_STATUSES),
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
