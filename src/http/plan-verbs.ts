// Operations on plan templates (workflows) and their instances.
//
// Templates are rows of the directory; every change of the configuration adds a version. An instance is a conversation
// with its own Durable Object, and its id is derived from the id of this conversation.

import { fromDirectory } from "../directory/availability.ts";
import { listInstances } from "../directory/plan-instances.ts";
import {
  addTemplate,
  addVersion,
  listTemplates,
  MOST_TEMPLATES,
  planTemplate,
  setTemplateStatus,
  templateVersions,
  type NamedConfig,
  type TemplatesWanted,
} from "../directory/plan-templates.ts";
import { valueOf, type ConversationApi, type Result } from "../durable/api.ts";
import { agentsOf } from "../durable/world.ts";
import type { Env } from "../env.ts";
import { sha256 } from "../protocol/digest.ts";
import { Fault } from "../protocol/fault.ts";
import { companion, mint } from "../protocol/ids.ts";
import type {
  InstancePage,
  PlanInstance,
  ResumeInstance,
  StartedInstance,
  StartInstance,
} from "../protocol/plan-instance.ts";
import type {
  KeptPlanTemplate,
  PlanConfig,
  PlanTemplate,
  PlanTemplatePage,
  PlanVersions,
  TemplateStatus,
} from "../protocol/plan-template.ts";
import type { Settings } from "../settings.ts";
import { cursorOf, placeIn } from "./cursor.ts";
import { isOfForm } from "./ids.ts";
import { judge, named, plainly } from "./plan-rules.ts";

const PLAN_ID = /^[A-Za-z0-9_-]{1,64}$/;
const INSTANCE_ID = /^inst-[0-9a-f]{32}$/;
/** Maximum attempts to find a free id for a template without one. */
const TRIES = 5;

/** Creates the operations for one user. `getConversationStub` returns the stub of a conversation. */
export function planVerbsOf(
  env: Env,
  settings: Settings,
  userId: string,
  conversation: (id: string) => ConversationApi,
) {
  /** Returns the names of the agents that a listener may call. Released plans are not among them. */
  const agentNames = async (): Promise<ReadonlySet<string>> => {
    const agents = await agentsOf(env, settings, userId).list();
    return new Set(agents.filter(({ source }) => source !== "plan").map(({ name }) => name));
  };

  /** Returns a version of a template, the current one by default. Throws `not_found`. */
  const template = async (planId: string, version?: number): Promise<PlanTemplate> => {
    const found = isOfForm(planId, PLAN_ID) ? await fromDirectory(planTemplate(env.DB, userId, planId, version)) : null;
    if (found === null) throw new Fault("not_found", "There is no such plan template.");
    return found;
  };

  const setStatus = async (planId: string, status: TemplateStatus): Promise<PlanTemplate> => {
    await fromDirectory(setTemplateStatus(env.DB, userId, planId, status, Date.now()));
    return template(planId);
  };

  /** Calls the conversation of an instance. Throws `not_found` if the id has another form or no instance. */
  const instanceOf = async <T>(id: string, take: (from: ConversationApi) => Promise<Result<T>>): Promise<T> => {
    const result = isOfForm(id, INSTANCE_ID) ? await take(conversation(companion(id, "conv"))) : null;
    if (result === null || (!result.ok && result.failure.code === "not_found")) {
      throw new Fault("not_found", "There is no such instance.");
    }
    return valueOf(result);
  };

  return {
    /**
     * Validates and stores a template. Throws `unprocessable` with all problems, `conflict` if the given id exists, and
     * `too_many_requests` at the maximum number of templates. A derived id that exists gets a random suffix.
     */
    async createPlanTemplate(config: PlanConfig, status: TemplateStatus = "draft"): Promise<KeptPlanTemplate> {
      const complete = named(config);
      const warnings = judge(complete, status, await agentNames());
      for (let tries = 1; tries <= TRIES; tries++) {
        const ours = config.plan_id === undefined && tries > 1 ? differently(complete) : complete;
        const outcome = await fromDirectory(addTemplate(env.DB, userId, ours, status, Date.now()));
        if (outcome === "added") return { ...(await template(ours.plan_id)), warnings };
        if (outcome === "full") {
          const words = `You have ${MOST_TEMPLATES} plan templates, which is the most.`;
          throw new Fault("too_many_requests", words);
        }
        if (config.plan_id !== undefined) break;
      }
      const words = `plan_id: you have a plan template called ${complete.plan_id} already.`;
      throw new Fault("conflict", words, { field: "plan_id" });
    },

    async listPlanTemplates(limit: number, cursor?: string, wanted: TemplatesWanted = {}): Promise<PlanTemplatePage> {
      const after = cursor === undefined ? null : placeIn(cursor);
      const templates = await fromDirectory(listTemplates(env.DB, userId, limit, after, wanted));
      const last = templates.length < limit ? undefined : templates.at(-1);
      return { templates, next_cursor: last === undefined ? null : cursorOf(last.created_at, last.plan_id) };
    },

    planTemplate: template,

    async planTemplateVersions(planId: string): Promise<PlanVersions> {
      await template(planId);
      const versions = await fromDirectory(templateVersions(env.DB, userId, planId));
      return versions ?? { versions: [] };
    },

    /**
     * Stores the next version of a template. Throws `conflict` with the current version if `basedOn` is another
     * version.
     */
    async updatePlanTemplate(planId: string, config: PlanConfig, basedOn: number): Promise<KeptPlanTemplate> {
      const { status } = await template(planId);
      if (config.plan_id !== undefined && config.plan_id !== planId) {
        throw new Fault("unprocessable", `plan_id: it is ${planId} and stays so.`, { field: "plan_id" });
      }
      if (status === "archived") throw new Fault("conflict", "The template is archived. Make it a draft first.");
      const complete = named({ ...config, plan_id: planId });
      const warnings = judge(complete, status, await agentNames());
      if (!(await fromDirectory(addVersion(env.DB, userId, complete, basedOn, Date.now())))) {
        const { version } = await template(planId);
        const words = `version: the template is at version ${version}, and this is based on ${basedOn}.`;
        throw new Fault("conflict", words, { field: "version", current_version: version });
      }
      return { ...(await template(planId)), warnings };
    },

    /** Changes the status. A release requires a template without problems. */
    async setPlanTemplateStatus(planId: string, status: TemplateStatus): Promise<PlanTemplate> {
      const found = await template(planId);
      if (status === "released") judge(plainly(found), status, await agentNames());
      return setStatus(planId, status);
    },

    /** Archives the template. Its instances continue. */
    async deletePlanTemplate(planId: string): Promise<{ plan_id: string; deleted: true }> {
      await template(planId);
      await setStatus(planId, "archived");
      return { plan_id: planId, deleted: true };
    },

    /**
     * Starts an instance. The id of its conversation is derived from the command id, so a repeated command finds the
     * instance that it has started. Without a command id, every call starts a new instance.
     */
    async startPlanInstance(
      planId: string,
      start: StartInstance,
      commandId: string = mint("cmd"),
    ): Promise<StartedInstance> {
      const found = await template(planId);
      const digest = await sha256(`plan-instance/${commandId}`);
      const api = conversation(`conv-${digest.slice(0, 32)}`);
      // A repeated command may still refer to the instance that it started before the template was archived.
      if (found.status === "archived" && !(await api.instance()).ok) {
        throw new Fault("conflict", "The template is archived: it cannot be started.");
      }
      return valueOf(await api.startInstance(commandId, { ...start, template: found }));
    },

    async listPlanInstances(limit: number, cursor?: string, planId?: string): Promise<InstancePage> {
      const after = cursor === undefined ? null : placeIn(cursor);
      const instances = await fromDirectory(listInstances(env.DB, userId, limit, after, planId));
      const last = instances.length < limit ? undefined : instances.at(-1);
      return { instances, next_cursor: last === undefined ? null : cursorOf(last.created_at, last.plan_instance_id) };
    },

    planInstance: (id: string): Promise<PlanInstance> => instanceOf(id, (from) => from.instance()),

    resumePlanInstance: (
      id: string,
      resume: ResumeInstance,
      commandId: string = mint("cmd"),
    ): Promise<StartedInstance> => instanceOf(id, (from) => from.resumeInstance(commandId, resume)),

    cancelPlanInstance: (id: string): Promise<PlanInstance> => instanceOf(id, (from) => from.cancelInstance()),
  };
}

/** Returns the configuration with a random suffix of its plan id. */
function differently(config: NamedConfig): NamedConfig {
  return { ...config, plan_id: `${config.plan_id.slice(0, 55)}-${mint("plan").slice(-8)}` };
}
