// Client calls for plan templates and plan instances. Each response is validated.

import {
  instanceListSchema,
  workflowInstanceDetailsSchema,
  startedInstanceSchema,
  type InstanceList,
  type WorkflowInstanceDetails,
  type ResumeInstanceRequest,
  type StartedInstance,
  type StartInstanceRequest,
} from "../protocol/workflows/workflow-instance.ts";
import {
  savedWorkflowTemplateSchema,
  workflowTemplateListSchema,
  workflowTemplateSchema,
  workflowTemplateVersionsSchema,
  type SavedWorkflowTemplate,
  type WorkflowConfigInput,
  type WorkflowTemplate,
  type WorkflowTemplateList,
  type WorkflowTemplateVersions,
  type WorkflowTemplateStatus,
} from "../protocol/workflows/workflow-template.ts";
import { createHttpClient, buildResourcePath, buildQueryString, type ApiOptions } from "./http-client.ts";

/** All methods reject with a `Fault`, or with a `ZodError` if the response does not match its schema. */
export type PlansClient = {
  /**
   * Stores a template, by default as a draft. Rejects with `unprocessable` and all `problems` if it is invalid;
   * problems that only prevent its release are `warnings` of a draft. Rejects with `conflict` if its `plan_id` is
   * taken.
   */
  createPlanTemplate(config: WorkflowConfigInput & { status?: "draft" | "released" }): Promise<SavedWorkflowTemplate>;
  /** Lists templates, newest first; archived ones only if `status` requests them. */
  listPlanTemplates(page?: {
    status?: WorkflowTemplateStatus;
    search?: string;
    limit?: number;
    cursor?: string;
  }): Promise<WorkflowTemplateList>;
  /** Returns the current version of a template, or the given one. */
  planTemplate(id: string, version?: number): Promise<WorkflowTemplate>;
  /** Lists the versions of a template, newest first. */
  planTemplateVersions(id: string): Promise<WorkflowTemplateVersions>;
  /**
   * Stores the next version of a template. `version` is the version that was edited; rejects with `conflict` and
   * `current_version` if another one is current, and with `conflict` if the template is archived.
   */
  updatePlanTemplate(id: string, config: WorkflowConfigInput & { version: number }): Promise<SavedWorkflowTemplate>;
  /** Changes the status. Rejects with `unprocessable` if the template has problems that prevent its release. */
  setPlanTemplateStatus(id: string, status: WorkflowTemplateStatus): Promise<WorkflowTemplate>;
  /** Archives the template. Its instances continue. */
  deletePlanTemplate(id: string): Promise<void>;
  /** Starts an instance. `id` is the command id: repeated calls with the same id start one instance. */
  startPlanInstance(planId: string, start?: Partial<StartInstanceRequest> & { id?: string }): Promise<StartedInstance>;
  /** Lists instances, newest first; with `plan_id`, only those of one template. */
  listPlanInstances(page?: { plan_id?: string; limit?: number; cursor?: string }): Promise<InstanceList>;
  planInstance(id: string): Promise<WorkflowInstanceDetails>;
  /** Retries the listeners that hold the instance. Rejects with `conflict` if none does. `id` is the command id. */
  resumePlanInstance(id: string, resume?: Partial<ResumeInstanceRequest> & { id?: string }): Promise<StartedInstance>;
  /** Cancels an instance for good and returns its state. */
  cancelPlanInstance(id: string): Promise<WorkflowInstanceDetails>;
};

/** Creates the calls for plans. Sends nothing until a method is called. */
export function createPlansApi(options: ApiOptions): PlansClient {
  const { call } = createHttpClient(options);
  const at = (id: string, part?: string) => buildResourcePath("plan-templates", id, part);
  const instancePath = (id: string, part?: string) => buildResourcePath("plan-instances", id, part);
  return {
    createPlanTemplate: async (config) =>
      savedWorkflowTemplateSchema.parse(await call("POST", "/api/v1/plan-templates", config)),
    listPlanTemplates: async (page = {}) =>
      workflowTemplateListSchema.parse(await call("GET", `/api/v1/plan-templates${buildQueryString(page)}`)),
    planTemplate: async (id, version) =>
      workflowTemplateSchema.parse(await call("GET", at(id, buildQueryString({ version })))),
    planTemplateVersions: async (id) => workflowTemplateVersionsSchema.parse(await call("GET", at(id, "/versions"))),
    updatePlanTemplate: async (id, config) => savedWorkflowTemplateSchema.parse(await call("PUT", at(id), config)),
    setPlanTemplateStatus: async (id, status) => workflowTemplateSchema.parse(await call("PATCH", at(id), { status })),
    deletePlanTemplate: async (id) => void (await call("DELETE", at(id))),
    startPlanInstance: async (id, start = {}) =>
      startedInstanceSchema.parse(await call("POST", at(id, "/instances"), start)),
    listPlanInstances: async (page = {}) =>
      instanceListSchema.parse(await call("GET", `/api/v1/plan-instances${buildQueryString(page)}`)),
    planInstance: async (id) => workflowInstanceDetailsSchema.parse(await call("GET", instancePath(id))),
    resumePlanInstance: async (id, resume = {}) =>
      startedInstanceSchema.parse(await call("POST", instancePath(id, "/resume"), resume)),
    cancelPlanInstance: async (id) =>
      workflowInstanceDetailsSchema.parse(await call("POST", instancePath(id, "/cancel"))),
  };
}
