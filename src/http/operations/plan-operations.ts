// Operations on plan templates (workflows) and their instances.
//
// Templates are rows of the directory; every change of the configuration adds a version. An instance is a conversation
// with its own Durable Object, and its id is derived from the id of this conversation.

import { requireDirectory } from "../../directory/directory-availability.ts";
import { listInstances } from "../../directory/instance-directory.ts";
import {
  addTemplate,
  addTemplateVersion,
  listTemplates,
  MAX_TEMPLATES,
  getPlanTemplate,
  setTemplateStatus,
  listTemplateVersions,
  type IdentifiedPlanConfig,
  type TemplateFilter,
} from "../../directory/template-directory.ts";
import { unwrapResult, type InternalResult } from "../../durable/conversation-api.ts";
import type { ConversationApi } from "../../durable/conversation/operations.ts";
import { createUserAgents } from "../../durable/conversation/create-ports.ts";
import type { Env } from "../../env.ts";
import { computeSha256 } from "../../lib/sha256.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { deriveId, createId } from "../../protocol/wire/ids.ts";
import type {
  InstanceList,
  WorkflowInstanceDetails,
  ResumeInstanceRequest,
  StartedInstance,
  StartInstanceRequest,
} from "../../protocol/workflows/workflow-instance.ts";
import type {
  SavedWorkflowTemplate,
  WorkflowConfig,
  WorkflowTemplate,
  WorkflowTemplateList,
  WorkflowTemplateVersions,
  WorkflowTemplateStatus,
} from "../../protocol/workflows/workflow-template.ts";
import type { Settings } from "../../settings.ts";
import { encodeCursor, decodeCursor } from "./list-cursor.ts";
import { matchesIdFormat } from "./id-validation.ts";
import { validatePlanTemplate, withDefaultIds, toNamedConfig } from "./validate-plan-template.ts";

const PLAN_ID = /^[A-Za-z0-9_-]{1,64}$/;
const INSTANCE_ID = /^inst-[0-9a-f]{32}$/;
/** Maximum attempts to find a free id for a template without one. */
const MAX_NAME_ATTEMPTS = 5;

/** Creates the operations for one user. `getConversationStub` returns the stub of a conversation. */
export function createPlanOperations(
  env: Env,
  settings: Settings,
  userId: string,
  getConversationStub: (id: string) => ConversationApi,
) {
  /** Returns the names of the agents that a listener may call. Released plans are not among them. */
  const listAgentNames = async (): Promise<ReadonlySet<string>> => {
    const agents = await createUserAgents(env, settings, userId).list();
    return new Set(agents.filter(({ source }) => source !== "plan").map(({ name }) => name));
  };

  /** Returns a version of a template, the current one by default. Throws `not_found`. */
  const getTemplate = async (planId: string, version?: number): Promise<WorkflowTemplate> => {
    const found = matchesIdFormat(planId, PLAN_ID)
      ? await requireDirectory(getPlanTemplate(env.DB, userId, planId, version))
      : null;
    if (found === null) throw createFault("not_found", "workflow.notFound");
    return found;
  };

  const setStatus = async (planId: string, status: WorkflowTemplateStatus): Promise<WorkflowTemplate> => {
    await requireDirectory(setTemplateStatus(env.DB, userId, planId, status, Date.now()));
    return getTemplate(planId);
  };

  /** Calls the conversation of an instance. Throws `not_found` if the id has another form or no instance. */
  const callInstance = async <T>(
    id: string,
    call: (api: ConversationApi) => Promise<InternalResult<T>>,
  ): Promise<T> => {
    const result = matchesIdFormat(id, INSTANCE_ID) ? await call(getConversationStub(deriveId(id, "conv"))) : null;
    if (result === null || (!result.ok && result.failure.code === "not_found")) {
      throw createFault("not_found", "workflow.instanceNotFound");
    }
    return unwrapResult(result);
  };

  return {
    /**
     * Validates and stores a template. Throws `unprocessable` with all problems, `conflict` if the given id exists, and
     * `too_many_requests` at the maximum number of templates. A derived id that exists gets a random suffix.
     */
    async createPlanTemplate(
      config: WorkflowConfig,
      status: WorkflowTemplateStatus = "draft",
    ): Promise<SavedWorkflowTemplate> {
      const complete = withDefaultIds(config);
      const warnings = validatePlanTemplate(complete, status, await listAgentNames());
      for (let attempt = 1; attempt <= MAX_NAME_ATTEMPTS; attempt++) {
        const candidate = config.plan_id === undefined && attempt > 1 ? withRandomSuffix(complete) : complete;
        const outcome = await requireDirectory(addTemplate(env.DB, userId, candidate, status, Date.now()));
        if (outcome === "added") return { ...(await getTemplate(candidate.plan_id)), warnings };
        if (outcome === "full") {
          throw createFault("too_many_requests", createMessage("workflow.limitReached", { max: MAX_TEMPLATES }));
        }
        if (config.plan_id !== undefined) break;
      }
      throw createFault("conflict", createMessage("workflow.idTaken", { id: complete.plan_id }), { field: "plan_id" });
    },

    /** Lists templates, newest first; archived ones only if the filter requests them. */
    async listPlanTemplates(
      limit: number,
      cursor?: string,
      filter: TemplateFilter = {},
    ): Promise<WorkflowTemplateList> {
      const after = cursor === undefined ? null : decodeCursor(cursor);
      const templates = await requireDirectory(listTemplates(env.DB, userId, limit, after, filter));
      const last = templates.length < limit ? undefined : templates.at(-1);
      return { templates, next_cursor: last === undefined ? null : encodeCursor(last.created_at, last.plan_id) };
    },

    planTemplate: getTemplate,

    /** Lists the versions of a template, newest first. Throws `not_found`. */
    async planTemplateVersions(planId: string): Promise<WorkflowTemplateVersions> {
      await getTemplate(planId);
      const versions = await requireDirectory(listTemplateVersions(env.DB, userId, planId));
      return versions ?? { versions: [] };
    },

    /**
     * Stores the next version of a template. Throws `conflict` if it is archived, or with the current version if
     * `basedOn` is another one; `unprocessable` for another `plan_id`, or with all problems of the configuration.
     */
    async updatePlanTemplate(planId: string, config: WorkflowConfig, basedOn: number): Promise<SavedWorkflowTemplate> {
      const { status } = await getTemplate(planId);
      if (config.plan_id !== undefined && config.plan_id !== planId) {
        throw createFault("unprocessable", createMessage("workflow.idFixed", { id: planId }), { field: "plan_id" });
      }
      if (status === "archived") throw createFault("conflict", "workflow.archived");
      const complete = withDefaultIds({ ...config, plan_id: planId });
      const warnings = validatePlanTemplate(complete, status, await listAgentNames());
      if (!(await requireDirectory(addTemplateVersion(env.DB, userId, complete, basedOn, Date.now())))) {
        const { version } = await getTemplate(planId);
        const text = createMessage("workflow.versionConflict", { version, base: basedOn });
        throw createFault("conflict", text, { field: "version", current_version: version });
      }
      return { ...(await getTemplate(planId)), warnings };
    },

    /** Changes the status. Throws `unprocessable` with all problems if a template to release has any. */
    async setPlanTemplateStatus(planId: string, status: WorkflowTemplateStatus): Promise<WorkflowTemplate> {
      const found = await getTemplate(planId);
      if (status === "released") validatePlanTemplate(toNamedConfig(found), status, await listAgentNames());
      return setStatus(planId, status);
    },

    /** Archives the template: it is no longer listed or started. Its instances continue. */
    async deletePlanTemplate(planId: string): Promise<{ plan_id: string; deleted: true }> {
      await getTemplate(planId);
      await setStatus(planId, "archived");
      return { plan_id: planId, deleted: true };
    },

    /**
     * Starts an instance of the current version. The id of its conversation is derived from the command id, so a
     * repeated command finds the instance that it has started. Without a command id, every call starts a new instance.
     * Throws `conflict` if the template is archived.
     */
    async startPlanInstance(
      planId: string,
      start: StartInstanceRequest,
      commandId: string = createId("cmd"),
    ): Promise<StartedInstance> {
      const found = await getTemplate(planId);
      const digest = await computeSha256(`plan-instance/${commandId}`);
      const api = getConversationStub(`conv-${digest.slice(0, 32)}`);
      // A repeated command may still refer to the instance that it started before the template was archived.
      if (found.status === "archived" && !(await api.instance()).ok) {
        throw createFault("conflict", "workflow.archivedStart");
      }
      return unwrapResult(await api.startInstance(commandId, { ...start, template: found }));
    },

    /** Lists instances, newest first; with `planId`, those of one template. */
    async listPlanInstances(limit: number, cursor?: string, planId?: string): Promise<InstanceList> {
      const after = cursor === undefined ? null : decodeCursor(cursor);
      const instances = await requireDirectory(listInstances(env.DB, userId, limit, after, planId));
      const last = instances.length < limit ? undefined : instances.at(-1);
      return {
        instances,
        next_cursor: last === undefined ? null : encodeCursor(last.created_at, last.plan_instance_id),
      };
    },

    planInstance: (id: string): Promise<WorkflowInstanceDetails> => callInstance(id, (api) => api.instance()),

    /** Retries the listeners that hold the instance, with additional values. Throws `conflict` if it is not held. */
    resumePlanInstance: (
      id: string,
      resume: ResumeInstanceRequest,
      commandId: string = createId("cmd"),
    ): Promise<StartedInstance> => callInstance(id, (api) => api.resumeInstance(commandId, resume)),

    /** Cancels the instance. Throws `conflict` if it has ended. */
    cancelPlanInstance: (id: string): Promise<WorkflowInstanceDetails> =>
      callInstance(id, (api) => api.cancelInstance()),
  };
}

/** Returns the configuration with a random suffix of its plan id. */
function withRandomSuffix(config: IdentifiedPlanConfig): IdentifiedPlanConfig {
  return { ...config, plan_id: `${config.plan_id.slice(0, 55)}-${createId("plan").slice(-8)}` };
}
