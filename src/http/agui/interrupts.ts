// Converts questions to AG-UI interrupts, and resume entries to answers.

import * as z from "zod";
import { resumeCommandSchema, type ResumeCommand } from "../../protocol/wire/commands.ts";
import { Fault, parseOrThrow } from "../../protocol/wire/fault.ts";
import type { PendingQuestion } from "../../protocol/wire/question.ts";
import type { Interrupt } from "./agui-events.ts";

/** Returns a pending question as an interrupt. Approvals have the reason `confirmation`. */
export function toInterrupt(question: PendingQuestion): Interrupt {
  const { request_id, prompt, task_id, agent_name, options, approval, expires_at } = question;
  return {
    id: request_id,
    reason: approval === undefined ? "input_required" : "confirmation",
    message: prompt,
    responseSchema: approval === undefined ? buildAnswerSchema(options) : buildDecisionSchema(approval.parameters),
    ...(expires_at === undefined ? {} : { expiresAt: new Date(expires_at).toISOString() }),
    metadata: {
      ...(task_id === undefined ? {} : { task_id }),
      ...(agent_name === undefined ? {} : { agent_name }),
      ...(options === undefined ? {} : { options }),
      ...(approval === undefined ? {} : { tool: approval.tool, arguments: approval.arguments }),
      ...(approval?.origins === undefined ? {} : { origins: approval.origins }),
    },
  };
}

/** Returns the schema of a text answer. The options are examples only; any text is accepted. */
function buildAnswerSchema(options: readonly string[] | undefined): Interrupt["responseSchema"] {
  const answer = { type: "string", minLength: 1, ...(options === undefined ? {} : { examples: options }) };
  return { type: "object", properties: { answer }, required: ["answer"] };
}

/** Returns the schema of an approval. `parameters` is the schema of the tool's arguments. */
function buildDecisionSchema(parameters: Readonly<Record<string, unknown>> | undefined): Interrupt["responseSchema"] {
  const properties = {
    approved: { type: "boolean" },
    editedArgs: parameters ?? { type: "object" },
    reason: { type: "string" },
  };
  return { type: "object", properties, required: ["approved"] };
}

/** An answer to one interrupt, or its cancellation. */
export const resumeEntrySchema = z.object({
  interruptId: z.string().min(1).max(128),
  status: z.enum(["resolved", "cancelled"]),
  payload: z.unknown().optional(),
});
export type ResumeEntry = z.infer<typeof resumeEntrySchema>;

const decisionPayloadSchema = z.object({
  approved: z.boolean(),
  editedArgs: z.record(z.string(), z.unknown()).nullish(),
  reason: z.string().nullish(),
});
const answerPayloadSchema = z.union([z.string(), z.object({ answer: z.string() }).transform(({ answer }) => answer)]);

/**
 * Returns the answer of a resolved entry; `i` is its index. A decision becomes `approve` with the edited arguments, or
 * `refuse` with the reason. Throws `invalid_request` if the payload is neither text nor a decision, or empty.
 */
export function parseInterruptAnswer({ interruptId: request_id, payload }: ResumeEntry, i: number): ResumeCommand {
  const answerText = answerPayloadSchema.safeParse(payload);
  if (answerText.success) return parseOrThrow(resumeCommandSchema, { message: answerText.data, request_id });
  const decision = decisionPayloadSchema.safeParse(typeof payload === "boolean" ? { approved: payload } : payload);
  if (!decision.success) {
    const field = `resume.${i}.payload`;
    throw new Fault("invalid_request", `${field}: must be text, {answer} or {approved, editedArgs}`, { field });
  }
  const { approved, editedArgs, reason } = decision.data;
  if (!approved)
    return parseOrThrow(resumeCommandSchema, {
      message: (reason ?? "") === "" ? "refuse" : `refuse: ${reason}`,
      request_id,
    });
  return parseOrThrow(resumeCommandSchema, {
    message: "approve",
    request_id,
    ...(editedArgs === null || editedArgs === undefined ? {} : { arguments: editedArgs }),
  });
}
