// The schemas of what travels between a server and its clients, under names of their own: symbols may be renamed.

import * as z from "zod";
import { agentEventSchema, agentMetadataSchema } from "../../src/protocol/agent.ts";
import { extensionParamsSchema, messageParamsSchema } from "../../src/protocol/a2a.ts";
import { itemSchema } from "../../src/protocol/answers.ts";
import { clientCommandSchema } from "../../src/protocol/commands.ts";
import { conversationSchema } from "../../src/protocol/conversation.ts";
import { conversationEventSchema, frameSchema, usageSchema } from "../../src/protocol/events.ts";
import { problemSchema } from "../../src/protocol/fault.ts";
import { controlFrameSchema } from "../../src/protocol/frames.ts";
import { pageEventSchema } from "../../src/protocol/page.ts";
import { planSchema, taskSchema } from "../../src/protocol/plan.ts";
import { answerSchema, askedSchema, contextSchema, pendingSchema } from "../../src/protocol/question.ts";
import { runReportSchema } from "../../src/protocol/webhook.ts";

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
  conversation: [conversationSchema, "output"],
  item: [itemSchema, "output"],
  plan: [planSchema, "output"],
  task: [taskSchema, "output"],
  "question-asked": [askedSchema, "output"],
  "question-pending": [pendingSchema, "output"],
  "question-answer": [answerSchema, "output"],
  "question-context": [contextSchema, "output"],
  problem: [problemSchema, "output"],
  "page-event": [pageEventSchema, "output"],
  "webhook-report": [runReportSchema, "output"],
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
