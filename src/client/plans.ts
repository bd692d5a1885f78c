// Client calls for plan templates and plan instances. Each response is validated.

import {
  instancePageSchema,
  planInstanceSchema,
  startedInstanceSchema,
  type InstancePage,
  type PlanInstance,
  type ResumeInstance,
  type StartedInstance,
  type StartInstance,
} from "../protocol/plan-instance.ts";
import {
  keptPlanTemplateSchema,
  planTemplatePageSchema,
  planTemplateSchema,
  planVersionsSchema,
  type KeptPlanTemplate,
  type PlanInput,
  type PlanTemplate,
  type PlanTemplatePage,
  type PlanVersions,
  type TemplateStatus,
} from "../protocol/plan-template.ts";
import { doorOf, pathOf, queryOf, type ApiOptions } from "./door.ts";

/** All methods reject with a `Fault`, or with a `ZodError` if the response does not match its schema. */
export type Plans = {
  /** Stores a plan. Rejects with `unprocessable` and all `problems` if it is invalid. */
  createPlanTemplate(config: PlanInput & { status?: "draft" | "released" }): Promise<KeptPlanTemplate>;
  listPlanTemplates(page?: {
    status?: TemplateStatus;
    search?: string;
    limit?: number;
    cursor?: string;
  }): Promise<PlanTemplatePage>;
  planTemplate(id: string, version?: number): Promise<PlanTemplate>;
  planTemplateVersions(id: string): Promise<PlanVersions>;
  /**
   * Updates a plan. `version` is the version that was edited; rejects with `conflict` and `current_version` if another
   * one is current.
   */
  updatePlanTemplate(id: string, config: PlanInput & { version: number }): Promise<KeptPlanTemplate>;
  setPlanTemplateStatus(id: string, status: TemplateStatus): Promise<PlanTemplate>;
  /** Archives the template. */
  deletePlanTemplate(id: string): Promise<void>;
  /** Starts an instance. `id` is the command id: repeated calls with the same id start one instance. */
  startPlanInstance(planId: string, start?: Partial<StartInstance> & { id?: string }): Promise<StartedInstance>;
  listPlanInstances(page?: { plan_id?: string; limit?: number; cursor?: string }): Promise<InstancePage>;
  planInstance(id: string): Promise<PlanInstance>;
  /** Retries the listeners that hold the instance. Rejects with `conflict` if none does. */
  resumePlanInstance(id: string, resume?: Partial<ResumeInstance> & { id?: string }): Promise<StartedInstance>;
  cancelPlanInstance(id: string): Promise<PlanInstance>;
};

/** Creates the calls for plans. Sends nothing until a method is called. */
export function createPlansApi(options: ApiOptions): Plans {
  const { call } = doorOf(options);
  const at = (id: string, part?: string) => pathOf("plan-templates", id, part);
  const ofInstance = (id: string, part?: string) => pathOf("plan-instances", id, part);
  return {
    createPlanTemplate: async (config) =>
      keptPlanTemplateSchema.parse(await call("POST", "/api/v1/plan-templates", config)),
    listPlanTemplates: async (page = {}) =>
      planTemplatePageSchema.parse(await call("GET", `/api/v1/plan-templates${queryOf(page)}`)),
    planTemplate: async (id, version) => planTemplateSchema.parse(await call("GET", at(id, queryOf({ version })))),
    planTemplateVersions: async (id) => planVersionsSchema.parse(await call("GET", at(id, "/versions"))),
    updatePlanTemplate: async (id, config) => keptPlanTemplateSchema.parse(await call("PUT", at(id), config)),
    setPlanTemplateStatus: async (id, status) => planTemplateSchema.parse(await call("PATCH", at(id), { status })),
    deletePlanTemplate: async (id) => void (await call("DELETE", at(id))),
    startPlanInstance: async (id, start = {}) =>
      startedInstanceSchema.parse(await call("POST", at(id, "/instances"), start)),
    listPlanInstances: async (page = {}) =>
      instancePageSchema.parse(await call("GET", `/api/v1/plan-instances${queryOf(page)}`)),
    planInstance: async (id) => planInstanceSchema.parse(await call("GET", ofInstance(id))),
    resumePlanInstance: async (id, resume = {}) =>
      startedInstanceSchema.parse(await call("POST", ofInstance(id, "/resume"), resume)),
    cancelPlanInstance: async (id) => planInstanceSchema.parse(await call("POST", ofInstance(id, "/cancel"))),
  };
}
