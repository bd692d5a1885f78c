// HTTP routes of plan instances (workflow instances): start, list, read, resume, cancel.

import * as z from "zod";
import { commandIdSchema } from "../protocol/commands.ts";
import {
  instancePageSchema,
  planInstanceSchema,
  resumeInstanceSchema,
  startedInstanceSchema,
  startInstanceSchema,
} from "../protocol/plan-instance.ts";
import { answerWithThread, commandId } from "./accepted.ts";
import { route, wholeNumber } from "./route.ts";

const TAG = "Plan instances";
const id = commandIdSchema.optional();
const headers = { "idempotency-key": "The same as `id` in the body: a command that comes again is carried out once." };
const instance = { status: 200, description: "The instance, as it stands", schema: planInstanceSchema };
const started = {
  status: 202,
  description: "Stored, and being worked on; what happens can be read in the conversation",
  schema: startedInstanceSchema,
};

export const planInstanceRoutes = [
  route({
    method: "post",
    path: "/api/v1/plan-templates/{id}/instances",
    tag: TAG,
    summary: "Start an instance of a template; `context` is what is known of its main task",
    body: startInstanceSchema.extend({ id }),
    headers,
    example: { context: { seats: 12 }, verify: true },
    answer: started,
    streams: true,
    async handle(call) {
      const { id: given, ...start } = call.body;
      const command = commandId(call.request, given);
      const begun = await call.verbs.startPlanInstance(call.params.id, start, command);
      return answerWithThread(call, { ...begun, is_first: true });
    },
  }),
  route({
    method: "get",
    path: "/api/v1/plan-instances",
    tag: TAG,
    summary: "Your instances, of one template if that is named, newest first",
    query: z.strictObject({
      plan_id: z.string().max(64).optional(),
      limit: wholeNumber(20, { min: 1, max: 100 }),
      cursor: z.string().optional(),
    }),
    answer: { status: 200, description: "A page of instances", schema: instancePageSchema },
    handle: ({ verbs, query: { limit, cursor, plan_id } }) => verbs.listPlanInstances(limit, cursor, plan_id),
  }),
  route({
    method: "get",
    path: "/api/v1/plan-instances/{id}",
    tag: TAG,
    summary: "One instance: its tasks, its listeners, what happened, and what was verified",
    answer: instance,
    handle: ({ verbs, params }) => verbs.planInstance(params.id),
  }),
  route({
    method: "post",
    path: "/api/v1/plan-instances/{id}/resume",
    tag: TAG,
    summary: "Try again what holds an instance, with further values if it lacks some",
    body: resumeInstanceSchema.extend({ id }),
    headers,
    example: { context: { "001": { seats: 12 } } },
    answer: started,
    streams: true,
    async handle(call) {
      const { id: given, ...resume } = call.body;
      const command = commandId(call.request, given);
      const resumed = await call.verbs.resumePlanInstance(call.params.id, resume, command);
      return answerWithThread(call, { ...resumed, is_first: false });
    },
  }),
  route({
    method: "post",
    path: "/api/v1/plan-instances/{id}/cancel",
    tag: TAG,
    summary: "Stop an instance for good",
    answer: instance,
    handle: ({ verbs, params }) => verbs.cancelPlanInstance(params.id),
  }),
];
