// HTTP routes of plan templates (workflows): create, list, read, update, release, archive.

import * as z from "zod";
import {
  keptPlanTemplateSchema,
  planConfigSchema,
  planTemplatePageSchema,
  planTemplateSchema,
  planVersionsSchema,
  templateStatusSchema,
} from "../protocol/plan-template.ts";
import { route, wholeNumber } from "./route.ts";

/**
 * The limit of the body. It exceeds that of a stored template, because JSON may be written with white space and
 * escapes.
 */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

const TAG = "Plan templates";
const template = { status: 200, description: "The template", schema: planTemplateSchema };
const kept = {
  status: 200,
  description: "The template; `warnings` say what would keep a draft from being released",
  schema: keptPlanTemplateSchema,
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
  route({
    method: "post",
    path: "/api/v1/plan-templates",
    tag: TAG,
    summary: "Keep a plan: tasks, and listeners that act when their statuses change",
    body: planConfigSchema.extend({ status: templateStatusSchema.exclude(["archived"]).optional() }),
    mostBytes: MAX_BODY_BYTES,
    example,
    answer: { ...kept, status: 201 },
    handle: ({ verbs, body: { status, ...config } }) => verbs.createPlanTemplate(config, status),
  }),
  route({
    method: "get",
    path: "/api/v1/plan-templates",
    tag: TAG,
    summary: "Your plan templates, newest first; archived ones only when they are asked for",
    query: z.strictObject({
      status: templateStatusSchema.optional(),
      search: z.string().max(200).optional(),
      limit: wholeNumber(20, { min: 1, max: 100 }),
      cursor: z.string().optional(),
    }),
    answer: { status: 200, description: "A page of templates", schema: planTemplatePageSchema },
    handle: ({ verbs, query: { limit, cursor, ...wanted } }) => verbs.listPlanTemplates(limit, cursor, wanted),
  }),
  route({
    method: "get",
    path: "/api/v1/plan-templates/{id}",
    tag: TAG,
    summary: "One template, as it is or as an older version of it was",
    query: z.strictObject({
      version: wholeNumber(1, { min: 1, max: Number.MAX_SAFE_INTEGER }).unwrap().optional(),
    }),
    answer: template,
    handle: ({ verbs, params, query }) => verbs.planTemplate(params.id, query.version),
  }),
  route({
    method: "get",
    path: "/api/v1/plan-templates/{id}/versions",
    tag: TAG,
    summary: "Which versions of a template there are, newest first",
    answer: { status: 200, description: "The versions", schema: planVersionsSchema },
    handle: ({ verbs, params }) => verbs.planTemplateVersions(params.id),
  }),
  route({
    method: "put",
    path: "/api/v1/plan-templates/{id}",
    tag: TAG,
    summary: "Make the next version of a template; `version` is the one that it is based on",
    body: planConfigSchema.extend({ version: planTemplateSchema.shape.version }),
    mostBytes: MAX_BODY_BYTES,
    example: { ...example, version: 1 },
    answer: kept,
    handle: ({ verbs, params, body: { version, ...config } }) => verbs.updatePlanTemplate(params.id, config, version),
  }),
  route({
    method: "patch",
    path: "/api/v1/plan-templates/{id}",
    tag: TAG,
    summary: "Release a template, put it aside, or make it a draft again",
    body: z.strictObject({ status: templateStatusSchema }),
    example: { status: "released" },
    answer: template,
    handle: ({ verbs, params, body }) => verbs.setPlanTemplateStatus(params.id, body.status),
  }),
  route({
    method: "delete",
    path: "/api/v1/plan-templates/{id}",
    tag: TAG,
    summary: "Archive a template: it is not listed and not started any more, and its instances go on",
    answer: {
      status: 200,
      description: "It is archived",
      schema: z.object({ plan_id: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ verbs, params }) => verbs.deletePlanTemplate(params.id),
  }),
];
