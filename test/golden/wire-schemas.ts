// Schemas of messages between a server and its clients, with fixed names: symbols may be renamed.

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

type SchemaDirection = "input" | "output";
type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Schemas that determine `WIRE_VERSION`: events, frames, commands and socket messages. */
export const WIRE: Readonly<Record<string, readonly [schema: z.core.$ZodType, io: SchemaDirection]>> = {
  event: [conversationEventSchema, "output"],
  frame: [frameSchema, "output"],
  usage: [usageSchema, "output"],
  command: [clientCommandSchema, "input"],
  socket: [controlFrameSchema, "output"],
};

/** Further schemas with a golden file each. */
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

/** Describes a schema. Checks in code (`refine`) are not included. */
export function describeSchema(
  [schema, io]: readonly [z.core.$ZodType, SchemaDirection],
  override?: (schema: JsonSchema) => void,
): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    ...(override === undefined ? {} : { override: ({ jsonSchema }) => override(jsonSchema) }),
  });
}

/** Removes everything that no program depends on: texts for people, and the order of members. */
export function reduceToMeaning(schema: JsonSchema): void {
  delete schema.title;
  delete schema.description;
  delete schema.examples;
  schema.required?.sort();
}
