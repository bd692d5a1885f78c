// HTTP routes of plan templates (workflows): create, list, read, update, release, archive.

import * as z from "zod";
import {
  savedWorkflowTemplateSchema,
  workflowConfigSchema,
  workflowTemplateListSchema,
  workflowTemplateSchema,
  workflowTemplateVersionsSchema,
  workflowTemplateStatusSchema,
} from "../../protocol/workflows/workflow-template.ts";
import { defineRoute, createIntegerParameter } from "../define-route.ts";

/**
 * The limit of the body. It exceeds that of a stored template, because JSON may be written with white space and
 * escapes.
 */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

const TAG = "Plan templates";
const templateResponse = { status: 200, description: "The template", schema: workflowTemplateSchema };
const storedTemplateResponse = {
  status: 200,
  description: "The template; `warnings` say what would keep a draft from being released",
  schema: savedWorkflowTemplateSchema,
};

const example = {
  name: "Welcome",
  description: "Greets somebody new and tells the team.",
  main_task_id: "001",
  tasks: [
    { task_id: "001", name: "Welcome somebody" },
    { task_id: "002", name: "Work out the greeting" },
  ],
  listeners: [
    {
      listener_id: "L001",
      trigger_task_id: "001",
      trigger_condition: "001.status == Running",
      agent_id: "assistant",
      action_prompt: "What is {001.context.seats} * 2?",
      success_output: { task_id: "002", status: "Done", context: { result: "{{result.value}}" } },
    },
    {
      listener_id: "L002",
      trigger_task_id: "002",
      trigger_condition: "002.status == Done",
      listener_type: "code",
      success_output: { task_id: "001", status: "Done" },
    },
  ],
};

export const planTemplateRoutes = [
  defineRoute({
    method: "post",
    path: "/api/v1/plan-templates",
    tag: TAG,
    summary: "Keep a plan: tasks, and listeners that act when their statuses change",
    body: workflowConfigSchema.extend({ status: workflowTemplateStatusSchema.exclude(["archived"]).optional() }),
    maxBytes: MAX_BODY_BYTES,
    example,
    answer: { ...storedTemplateResponse, status: 201 },
    handle: ({ operations, body: { status, ...config } }) => operations.createPlanTemplate(config, status),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/plan-templates",
    tag: TAG,
    summary: "Your plan templates, newest first; archived ones only when they are asked for",
    query: z.strictObject({
      status: workflowTemplateStatusSchema.optional(),
      search: z.string().max(200).optional(),
      limit: createIntegerParameter(20, { min: 1, max: 100 }),
      cursor: z.string().optional(),
    }),
    answer: { status: 200, description: "A page of templates", schema: workflowTemplateListSchema },
    handle: ({ operations, query: { limit, cursor, ...filter } }) =>
      operations.listPlanTemplates(limit, cursor, filter),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/plan-templates/{id}",
    tag: TAG,
    summary: "One template, as it is or as an older version of it was",
    query: z.strictObject({
      version: createIntegerParameter(1, { min: 1, max: Number.MAX_SAFE_INTEGER }).unwrap().optional(),
    }),
    answer: templateResponse,
    handle: ({ operations, params, query }) => operations.planTemplate(params.id, query.version),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/plan-templates/{id}/versions",
    tag: TAG,
    summary: "Which versions of a template there are, newest first",
    answer: { status: 200, description: "The versions", schema: workflowTemplateVersionsSchema },
    handle: ({ operations, params }) => operations.planTemplateVersions(params.id),
  }),
  defineRoute({
    method: "put",
    path: "/api/v1/plan-templates/{id}",
    tag: TAG,
    summary: "Make the next version of a template; `version` is the one that it is based on",
    body: workflowConfigSchema.extend({ version: workflowTemplateSchema.shape.version }),
    maxBytes: MAX_BODY_BYTES,
    example: { ...example, version: 1 },
    answer: storedTemplateResponse,
    handle: ({ operations, params, body: { version, ...config } }) =>
      operations.updatePlanTemplate(params.id, config, version),
  }),
  defineRoute({
    method: "patch",
    path: "/api/v1/plan-templates/{id}",
    tag: TAG,
    summary: "Release a template, put it aside, or make it a draft again",
    body: z.strictObject({ status: workflowTemplateStatusSchema }),
    example: { status: "released" },
    answer: templateResponse,
    handle: ({ operations, params, body }) => operations.setPlanTemplateStatus(params.id, body.status),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/plan-templates/{id}",
    tag: TAG,
    summary: "Archive a template: it is not listed and not started any more, and its instances go on",
    answer: {
      status: 200,
      description: "It is archived",
      schema: z.object({ plan_id: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ operations, params }) => operations.deletePlanTemplate(params.id),
  }),
];
