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
  /** Stores a plan. Rejects with `unprocessable` and all `problems` if it is invalid. */
  createPlanTemplate(config: WorkflowConfigInput & { status?: "draft" | "released" }): Promise<SavedWorkflowTemplate>;
  listPlanTemplates(page?: {
    status?: WorkflowTemplateStatus;
    search?: string;
    limit?: number;
    cursor?: string;
  }): Promise<WorkflowTemplateList>;
  planTemplate(id: string, version?: number): Promise<WorkflowTemplate>;
  planTemplateVersions(id: string): Promise<WorkflowTemplateVersions>;
  /**
   * Updates a plan. `version` is the version that was edited; rejects with `conflict` and `current_version` if another
   * one is current.
   */
  updatePlanTemplate(id: string, config: WorkflowConfigInput & { version: number }): Promise<SavedWorkflowTemplate>;
  setPlanTemplateStatus(id: string, status: WorkflowTemplateStatus): Promise<WorkflowTemplate>;
  /** Archives the template. */
  deletePlanTemplate(id: string): Promise<void>;
  /** Starts an instance. `id` is the command id: repeated calls with the same id start one instance. */
  startPlanInstance(planId: string, start?: Partial<StartInstanceRequest> & { id?: string }): Promise<StartedInstance>;
  listPlanInstances(page?: { plan_id?: string; limit?: number; cursor?: string }): Promise<InstanceList>;
  planInstance(id: string): Promise<WorkflowInstanceDetails>;
  /** Retries the listeners that hold the instance. Rejects with `conflict` if none does. */
  resumePlanInstance(id: string, resume?: Partial<ResumeInstanceRequest> & { id?: string }): Promise<StartedInstance>;
  cancelPlanInstance(id: string): Promise<WorkflowInstanceDetails>;
};

/** Creates the calls for plans. Sends nothing until a method is called. */
export function createPlansApi(options: ApiOptions): PlansClient {
  const { call } = createHttpClient(options);
  const at = (id: string, part?: string) => buildResourcePath("plan-templates", id, part);
  const ofInstance = (id: string, part?: string) => buildResourcePath("plan-instances", id, part);
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
    planInstance: async (id) => workflowInstanceDetailsSchema.parse(await call("GET", ofInstance(id))),
    resumePlanInstance: async (id, resume = {}) =>
      startedInstanceSchema.parse(await call("POST", ofInstance(id, "/resume"), resume)),
    cancelPlanInstance: async (id) =>
      workflowInstanceDetailsSchema.parse(await call("POST", ofInstance(id, "/cancel"))),
  };
}
