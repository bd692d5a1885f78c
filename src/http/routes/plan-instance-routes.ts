// HTTP routes of plan instances (workflow instances): start, list, read, resume, cancel.

import * as z from "zod";
import { commandIdSchema } from "../../protocol/wire/commands.ts";
import {
  instanceListSchema,
  workflowInstanceDetailsSchema,
  resumeInstanceSchema,
  startedInstanceSchema,
  startInstanceSchema,
} from "../../protocol/workflows/workflow-instance.ts";
import { respondWithThread, resolveCommandId } from "./thread-response.ts";
import { defineRoute, createIntegerParameter } from "../define-route.ts";

const TAG = "Plan instances";
const id = commandIdSchema.optional();
const headers = {
  "idempotency-key": "Same as `id` in the body: a repeated command with the same id is executed once.",
};
const instanceResponse = {
  status: 200,
  description: "The current state of the instance",
  schema: workflowInstanceDetailsSchema,
};
const startedResponse = {
  status: 202,
  description: "Accepted: the work continues in the background, and the conversation contains its events",
  schema: startedInstanceSchema,
};

export const planInstanceRoutes = [
  defineRoute({
    method: "post",
    path: "/api/v1/plan-templates/{id}/instances",
    tag: TAG,
    summary: "Start an instance of a workflow; `context` contains the values of its main task",
    body: startInstanceSchema.extend({ id }),
    headers,
    example: { context: { seats: 12 }, verify: true },
    answer: startedResponse,
    streams: true,
    async handle(call) {
      const { id: bodyId, ...start } = call.body;
      const command = resolveCommandId(call.request, bodyId);
      const startedInstance = await call.operations.startPlanInstance(call.params.id, start, command);
      return respondWithThread(call, { ...startedInstance, is_first: true });
    },
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/plan-instances",
    tag: TAG,
    summary: "List your workflow instances, newest first, optionally of one workflow",
    query: z.strictObject({
      plan_id: z.string().max(64).optional(),
      limit: createIntegerParameter(20, { min: 1, max: 100 }),
      cursor: z.string().optional(),
    }),
    answer: { status: 200, description: "A page of instances", schema: instanceListSchema },
    handle: ({ operations, query: { limit, cursor, plan_id } }) => operations.listPlanInstances(limit, cursor, plan_id),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/plan-instances/{id}",
    tag: TAG,
    summary: "Get an instance with its tasks, listeners, log and verification",
    answer: instanceResponse,
    handle: ({ operations, params }) => operations.planInstance(params.id),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/plan-instances/{id}/resume",
    tag: TAG,
    summary: "Retry the listeners that hold an instance, with additional values",
    body: resumeInstanceSchema.extend({ id }),
    headers,
    example: { context: { "001": { seats: 12 } } },
    answer: startedResponse,
    streams: true,
    async handle(call) {
      const { id: bodyId, ...resume } = call.body;
      const command = resolveCommandId(call.request, bodyId);
      const resumed = await call.operations.resumePlanInstance(call.params.id, resume, command);
      return respondWithThread(call, { ...resumed, is_first: false });
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/plan-instances/{id}/cancel",
    tag: TAG,
    summary: "Cancel an instance permanently",
    answer: instanceResponse,
    handle: ({ operations, params }) => operations.cancelPlanInstance(params.id),
  }),
];
