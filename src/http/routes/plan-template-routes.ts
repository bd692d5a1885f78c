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
const templateResponse = { status: 200, description: "The workflow", schema: workflowTemplateSchema };
const storedTemplateResponse = {
  status: 200,
  description: "The workflow. `warnings` lists the problems that prevent the release of a draft",
  schema: savedWorkflowTemplateSchema,
};

const example = {
  name: "Welcome",
  description: "Welcomes a new participant and informs the team.",
  main_task_id: "001",
  tasks: [
    { task_id: "001", name: "Welcome a participant" },
    { task_id: "002", name: "Write the greeting" },
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
    summary: "Create a workflow of tasks, and of listeners that run when the status of a task changes",
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
    summary: "List your workflows, newest first; archived ones only with `status=archived`",
    query: z.strictObject({
      status: workflowTemplateStatusSchema.optional(),
      search: z.string().max(200).optional(),
      limit: createIntegerParameter(20, { min: 1, max: 100 }),
      cursor: z.string().optional(),
    }),
    answer: { status: 200, description: "A page of workflows", schema: workflowTemplateListSchema },
    handle: ({ operations, query: { limit, cursor, ...filter } }) =>
      operations.listPlanTemplates(limit, cursor, filter),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/plan-templates/{id}",
    tag: TAG,
    summary: "Get a workflow, by default in its current version",
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
    summary: "List the versions of a workflow, newest first",
    answer: { status: 200, description: "The versions", schema: workflowTemplateVersionsSchema },
    handle: ({ operations, params }) => operations.planTemplateVersions(params.id),
  }),
  defineRoute({
    method: "put",
    path: "/api/v1/plan-templates/{id}",
    tag: TAG,
    summary: "Create the next version of a workflow; `version` is the version on which it is based",
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
    summary: "Release or archive a workflow, or make it a draft again",
    body: z.strictObject({ status: workflowTemplateStatusSchema }),
    example: { status: "released" },
    answer: templateResponse,
    handle: ({ operations, params, body }) => operations.setPlanTemplateStatus(params.id, body.status),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/plan-templates/{id}",
    tag: TAG,
    summary: "Archive a workflow, so that it cannot be started; its instances continue",
    answer: {
      status: 200,
      description: "The workflow was archived",
      schema: z.object({ plan_id: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ operations, params }) => operations.deletePlanTemplate(params.id),
  }),
];
