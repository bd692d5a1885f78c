// The schemas of what travels between a server and its clients, under names of their own: symbols may be renamed.

import * as z from "zod";
import { agentEventSchema, agentMetadataSchema } from "../../src/protocol/agents/agent.ts";
import { extensionParamsSchema, messageParamsSchema } from "../../src/protocol/agents/a2a-extension.ts";
import { itemSchema } from "../../src/protocol/wire/http-responses.ts";
import { clientCommandSchema } from "../../src/protocol/wire/commands.ts";
import { conversationInfoSchema } from "../../src/protocol/wire/conversation-info.ts";
import { conversationEventSchema, frameSchema, usageSchema } from "../../src/protocol/wire/events.ts";
import { problemDetailsSchema } from "../../src/protocol/wire/fault.ts";
import { controlFrameSchema } from "../../src/protocol/wire/server-frames.ts";
import { pageEventSchema } from "../../src/protocol/pages/page.ts";
import { planSchema, taskSchema } from "../../src/protocol/plans/task-plan.ts";
import {
  questionAnswerSchema,
  questionPayloadSchema,
  questionContextSchema,
  pendingQuestionSchema,
} from "../../src/protocol/wire/question.ts";
import { scheduleRunReportSchema } from "../../src/protocol/schedules/schedule-run-report.ts";

type Direction = "input" | "output";
type Json = z.core.JSONSchema.BaseSchema;

/** Decide `WIRE_VERSION`: events, frames, commands and the messages of sockets. */
export const WIRE: Readonly<Record<string, readonly [schema: z.ZodType, io: Direction]>> = {
  event: [conversationEventSchema, "output"],
  frame: [frameSchema, "output"],
  usage: [usageSchema, "output"],
  command: [clientCommandSchema, "input"],
  socket: [controlFrameSchema, "output"],
};

/** Have a golden file each, as those above. */
export const OTHERS: typeof WIRE = {
  conversation: [conversationInfoSchema, "output"],
  item: [itemSchema, "output"],
  plan: [planSchema, "output"],
  task: [taskSchema, "output"],
  "question-asked": [questionPayloadSchema, "output"],
  "question-pending": [pendingQuestionSchema, "output"],
  "question-answer": [questionAnswerSchema, "output"],
  "question-context": [questionContextSchema, "output"],
  problem: [problemDetailsSchema, "output"],
  "page-event": [pageEventSchema, "output"],
  "webhook-report": [scheduleRunReportSchema, "output"],
  "agent-event": [agentEventSchema, "output"],
  "agent-metadata": [agentMetadataSchema, "input"],
  "a2a-card-params": [extensionParamsSchema, "input"],
  "a2a-message-params": [messageParamsSchema, "input"],
};

/** Describes a schema. Checks that are code (`refine`) are not in it. */
export function describeSchema([schema, io]: readonly [z.ZodType, Direction], override?: (schema: Json) => void): Json {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    ...(override === undefined ? {} : { override: ({ jsonSchema }) => override(jsonSchema) }),
  });
}

/** Removes what no program goes by: words for people, and the order of members. */
export function reduceToMeaning(schema: Json): void {
  delete schema.title;
  delete schema.description;
  delete schema.examples;
  schema.required?.sort();
}
