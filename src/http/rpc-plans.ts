// The methods of the RPC entrypoint that concern plan templates and their instances.
//
// All arguments are validated inside `runAsUser`, so invalid ones become a failed `Result` instead of an exception.

import { WorkerEntrypoint } from "cloudflare:workers";
import * as z from "zod";
import type { Env } from "../env.ts";
import { parseAt, parseWith } from "../protocol/fault.ts";
import { resumeInstanceSchema, startInstanceSchema } from "../protocol/plan-instance.ts";
import {
  planConfigSchema,
  templateStatusSchema,
  type PlanInput,
  type TemplateStatus,
} from "../protocol/plan-template.ts";
import { commandIdAt } from "./command-id.ts";
import { actingFor } from "./acting.ts";

/** The options of paginated lists. */
export const pageSchema = z.strictObject({ limit: z.int().min(1).max(100).optional(), cursor: z.string().optional() });
export const versionSchema = z.int().min(1).optional();
const templatesSchema = pageSchema.extend({
  status: templateStatusSchema.optional(),
  search: z.string().max(200).optional(),
});
const instancesSchema = pageSchema.extend({ plan_id: z.string().max(64).optional() });

/** Implements part of `OrreryApi`; see there for the contracts. */
export class PlanDoor extends WorkerEntrypoint<Env> {
  createPlanTemplate(user: string, config: PlanInput, status: "draft" | "released" = "draft") {
    return actingFor(this.env, user, (verbs) =>
      verbs.createPlanTemplate(
        parseWith(planConfigSchema, config),
        parseAt("status", templateStatusSchema.exclude(["archived"]), status),
      ),
    );
  }

  listPlanTemplates(user: string, options: z.input<typeof templatesSchema> = {}) {
    return actingFor(this.env, user, (verbs) => {
      const { limit = 20, cursor, ...wanted } = parseWith(templatesSchema, options);
      return verbs.listPlanTemplates(limit, cursor, wanted);
    });
  }

  planTemplate(user: string, plan: string, version?: number) {
    return actingFor(this.env, user, (verbs) => verbs.planTemplate(plan, parseAt("version", versionSchema, version)));
  }

  planTemplateVersions(user: string, plan: string) {
    return actingFor(this.env, user, (verbs) => verbs.planTemplateVersions(plan));
  }

  updatePlanTemplate(user: string, plan: string, config: PlanInput, basedOn: number) {
    return actingFor(this.env, user, (verbs) =>
      verbs.updatePlanTemplate(
        plan,
        parseWith(planConfigSchema, config),
        parseAt("basedOn", versionSchema.unwrap(), basedOn),
      ),
    );
  }

  setPlanTemplateStatus(user: string, plan: string, status: TemplateStatus) {
    return actingFor(this.env, user, (verbs) =>
      verbs.setPlanTemplateStatus(plan, parseAt("status", templateStatusSchema, status)),
    );
  }

  deletePlanTemplate(user: string, plan: string) {
    return actingFor(this.env, user, (verbs) => verbs.deletePlanTemplate(plan));
  }

  startPlanInstance(user: string, plan: string, start: z.input<typeof startInstanceSchema> = {}, commandId?: string) {
    return actingFor(this.env, user, (verbs) =>
      verbs.startPlanInstance(plan, parseWith(startInstanceSchema, start), commandIdAt("commandId", commandId)),
    );
  }

  listPlanInstances(user: string, options: z.input<typeof instancesSchema> = {}) {
    return actingFor(this.env, user, (verbs) => {
      const { limit = 20, cursor, plan_id } = parseWith(instancesSchema, options);
      return verbs.listPlanInstances(limit, cursor, plan_id);
    });
  }

  planInstance(user: string, instance: string) {
    return actingFor(this.env, user, (verbs) => verbs.planInstance(instance));
  }

  resumePlanInstance(
    user: string,
    instance: string,
    resume: z.input<typeof resumeInstanceSchema> = {},
    commandId?: string,
  ) {
    return actingFor(this.env, user, (verbs) =>
      verbs.resumePlanInstance(instance, parseWith(resumeInstanceSchema, resume), commandIdAt("commandId", commandId)),
    );
  }

  cancelPlanInstance(user: string, instance: string) {
    return actingFor(this.env, user, (verbs) => verbs.cancelPlanInstance(instance));
  }
}
