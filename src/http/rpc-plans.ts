// The methods of the RPC entrypoint that concern plan templates and their instances.
//
// All arguments are validated inside `runAsUser`, so invalid ones become a failed `RpcResult` instead of an exception.

import { WorkerEntrypoint } from "cloudflare:workers";
import * as z from "zod";
import type { Env } from "../env.ts";
import { parseNamedValue, parseOrThrow } from "../protocol/wire/fault.ts";
import { resumeInstanceSchema, startInstanceSchema } from "../protocol/workflows/workflow-instance.ts";
import {
  workflowConfigSchema,
  workflowTemplateStatusSchema,
  type WorkflowConfigInput,
  type WorkflowTemplateStatus,
} from "../protocol/workflows/workflow-template.ts";
import { parseCommandId } from "./command-id.ts";
import { runAsUser } from "./run-as-user.ts";

/** The options of paginated lists: entries per page (20 by default), and the cursor of the page. */
export const listOptionsSchema = z.strictObject({
  limit: z.int().min(1).max(100).optional(),
  cursor: z.string().optional(),
});
/** A version number; undefined means the current version. */
export const versionSchema = z.int().min(1).optional();
const templateOptionsSchema = listOptionsSchema.extend({
  status: workflowTemplateStatusSchema.optional(),
  search: z.string().max(200).optional(),
});
const instanceOptionsSchema = listOptionsSchema.extend({ plan_id: z.string().max(64).optional() });

/** Implements part of `OrreryApi`; see there for the contracts. */
export class PlanEntrypoint extends WorkerEntrypoint<Env> {
  createPlanTemplate(user: string, config: WorkflowConfigInput, status: "draft" | "released" = "draft") {
    return runAsUser(this.env, user, (operations) =>
      operations.createPlanTemplate(
        parseOrThrow(workflowConfigSchema, config),
        parseNamedValue("status", workflowTemplateStatusSchema.exclude(["archived"]), status),
      ),
    );
  }

  listPlanTemplates(user: string, options: z.input<typeof templateOptionsSchema> = {}) {
    return runAsUser(this.env, user, (operations) => {
      const { limit = 20, cursor, ...filter } = parseOrThrow(templateOptionsSchema, options);
      return operations.listPlanTemplates(limit, cursor, filter);
    });
  }

  planTemplate(user: string, plan: string, version?: number) {
    return runAsUser(this.env, user, (operations) =>
      operations.planTemplate(plan, parseNamedValue("version", versionSchema, version)),
    );
  }

  planTemplateVersions(user: string, plan: string) {
    return runAsUser(this.env, user, (operations) => operations.planTemplateVersions(plan));
  }

  updatePlanTemplate(user: string, plan: string, config: WorkflowConfigInput, basedOn: number) {
    return runAsUser(this.env, user, (operations) =>
      operations.updatePlanTemplate(
        plan,
        parseOrThrow(workflowConfigSchema, config),
        parseNamedValue("basedOn", versionSchema.unwrap(), basedOn),
      ),
    );
  }

  setPlanTemplateStatus(user: string, plan: string, status: WorkflowTemplateStatus) {
    return runAsUser(this.env, user, (operations) =>
      operations.setPlanTemplateStatus(plan, parseNamedValue("status", workflowTemplateStatusSchema, status)),
    );
  }

  deletePlanTemplate(user: string, plan: string) {
    return runAsUser(this.env, user, (operations) => operations.deletePlanTemplate(plan));
  }

  startPlanInstance(user: string, plan: string, start: z.input<typeof startInstanceSchema> = {}, commandId?: string) {
    return runAsUser(this.env, user, (operations) =>
      operations.startPlanInstance(
        plan,
        parseOrThrow(startInstanceSchema, start),
        parseCommandId("commandId", commandId),
      ),
    );
  }

  listPlanInstances(user: string, options: z.input<typeof instanceOptionsSchema> = {}) {
    return runAsUser(this.env, user, (operations) => {
      const { limit = 20, cursor, plan_id } = parseOrThrow(instanceOptionsSchema, options);
      return operations.listPlanInstances(limit, cursor, plan_id);
    });
  }

  planInstance(user: string, instance: string) {
    return runAsUser(this.env, user, (operations) => operations.planInstance(instance));
  }

  resumePlanInstance(
    user: string,
    instance: string,
    resume: z.input<typeof resumeInstanceSchema> = {},
    commandId?: string,
  ) {
    return runAsUser(this.env, user, (operations) =>
      operations.resumePlanInstance(
        instance,
        parseOrThrow(resumeInstanceSchema, resume),
        parseCommandId("commandId", commandId),
      ),
    );
  }

  cancelPlanInstance(user: string, instance: string) {
    return runAsUser(this.env, user, (operations) => operations.cancelPlanInstance(instance));
  }
}
