// The endpoints of plan templates (workflows) and of their instances.

import * as z from "zod";
import {
  instanceListSchema,
  resumeInstanceSchema,
  startedInstanceSchema,
  startInstanceSchema,
  workflowInstanceDetailsSchema,
} from "../workflows/workflow-instance.ts";
import {
  savedWorkflowTemplateSchema,
  workflowConfigSchema,
  workflowTemplateListSchema,
  workflowTemplateSchema,
  workflowTemplateStatusSchema,
  workflowTemplateVersionsSchema,
} from "../workflows/workflow-template.ts";
import { defineEndpoints, pageQuerySchema, versionQuerySchema } from "./endpoint.ts";

/** The members of a returned template that the server sets. They are ignored, so that a client can send it back. */
const serverFields = savedWorkflowTemplateSchema
  .pick({ version: true, status: true, created_at: true, updated_at: true, warnings: true })
  .partial().shape;

export const workflowEndpoints = defineEndpoints({
  /**
   * Stores a template, by default as a draft. `unprocessable`, with all `problems`, if it cannot be executed; problems
   * that only prevent its release are `warnings` of a draft. `conflict` if its `plan_id` is taken.
   */
  createPlanTemplate: {
    method: "post",
    path: "/api/v1/plan-templates",
    body: workflowConfigSchema.extend({
      ...serverFields,
      status: workflowTemplateStatusSchema.exclude(["archived"]).optional(),
    }),
    output: savedWorkflowTemplateSchema,
  },
  /**
   * Lists templates, newest first; archived ones only if `status` requests them. `search`: part of name, description or
   * id.
   */
  listPlanTemplates: {
    method: "get",
    path: "/api/v1/plan-templates",
    query: z.strictObject({
      status: workflowTemplateStatusSchema.optional(),
      search: z.string().max(200).optional(),
      ...pageQuerySchema.shape,
    }),
    output: workflowTemplateListSchema,
  },
  /** Returns the current version of a template, or the given one. */
  planTemplate: {
    method: "get",
    path: "/api/v1/plan-templates/{id}",
    query: versionQuerySchema,
    output: workflowTemplateSchema,
  },
  /** Lists the versions of a template, newest first. */
  planTemplateVersions: {
    method: "get",
    path: "/api/v1/plan-templates/{id}/versions",
    output: workflowTemplateVersionsSchema,
  },
  /**
   * Stores the next version. `version` is the version on which it is based; `conflict`, with `current_version`, if
   * another one is current, and if the template is archived.
   */
  updatePlanTemplate: {
    method: "put",
    path: "/api/v1/plan-templates/{id}",
    body: workflowConfigSchema.extend({ ...serverFields, version: workflowTemplateSchema.shape.version }),
    output: savedWorkflowTemplateSchema,
  },
  /** Changes the status. `unprocessable`, with all `problems`, if a template to release has any. */
  setPlanTemplateStatus: {
    method: "patch",
    path: "/api/v1/plan-templates/{id}",
    body: z.strictObject({ status: workflowTemplateStatusSchema }),
    output: workflowTemplateSchema,
  },
  /** Archives the template: it can no longer be started. Its instances continue. */
  deletePlanTemplate: {
    method: "delete",
    path: "/api/v1/plan-templates/{id}",
    output: z.object({ plan_id: z.string(), deleted: z.literal(true) }),
  },
  /** Starts an instance of the current version. `conflict` if the template is archived. */
  startPlanInstance: {
    method: "post",
    path: "/api/v1/plan-templates/{id}/instances",
    body: startInstanceSchema,
    isCommand: true,
    output: startedInstanceSchema,
  },
  /** Lists instances, newest first; with `plan_id`, only those of one template. */
  listPlanInstances: {
    method: "get",
    path: "/api/v1/plan-instances",
    query: z.strictObject({ plan_id: z.string().max(64).optional(), ...pageQuerySchema.shape }),
    output: instanceListSchema,
  },
  planInstance: { method: "get", path: "/api/v1/plan-instances/{id}", output: workflowInstanceDetailsSchema },
  /** Retries the listeners that hold the instance, after setting the given values. `conflict` if it is not held. */
  resumePlanInstance: {
    method: "post",
    path: "/api/v1/plan-instances/{id}/resume",
    body: resumeInstanceSchema,
    isCommand: true,
    output: startedInstanceSchema,
  },
  /** Cancels the instance for good. `conflict` if it has ended. */
  cancelPlanInstance: {
    method: "post",
    path: "/api/v1/plan-instances/{id}/cancel",
    output: workflowInstanceDetailsSchema,
  },
});
