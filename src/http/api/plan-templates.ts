// Operations on plan templates (workflows): create, list, read, update, release, archive. Templates are rows of the
// directory; every change of the configuration adds a version.

import { openDirectory } from "../../directory/open-directory.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import {
  addTemplate,
  addTemplateVersion,
  getPlanTemplate,
  listTemplates,
  listTemplateVersions,
  MAX_TEMPLATES,
  setTemplateStatus,
  type IdentifiedPlanConfig,
} from "../../directory/template-directory.ts";
import { createUserAgents } from "../../durable/conversation/create-ports.ts";
import { createMessage } from "../../language/messages.ts";
import type { PageQuery } from "../../protocol/api/endpoint.ts";
import { workflowEndpoints } from "../../protocol/api/workflow-endpoints.ts";
import { parseNamedValue } from "../../protocol/wire/fault.ts";
import { createId } from "../../protocol/wire/ids.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { EXAMPLE_WORKFLOW } from "../../protocol/workflows/example-workflow.ts";
import type {
  SavedWorkflowTemplate,
  WorkflowConfigInput,
  WorkflowTemplate,
  WorkflowTemplateStatus,
} from "../../protocol/workflows/workflow-template.ts";
import { matchesIdFormat } from "./id-validation.ts";
import { computeNextCursor, decodeCursor } from "./list-cursor.ts";
import { defineOperation, type Caller } from "./operation.ts";
import { toNamedConfig, validatePlanTemplate, withDefaultIds } from "./validate-plan-template.ts";

const tag = "Plan templates";
const answer = "The workflow";
const storedAnswer = "The workflow. `warnings` lists the problems that prevent the release of a draft";
/** The limit of the body exceeds that of a stored template, because JSON may have white space and escapes. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** Maximum attempts to find a free id for a template without one. */
const MAX_NAME_ATTEMPTS = 5;

export const planTemplateOperations = {
  /**
   * Stores a plan template, by default as a draft. A mismatch with the schema is `invalid_request`; a template that
   * cannot be executed is `unprocessable`, with all problems; a `plan_id` that exists is `conflict`.
   */
  createPlanTemplate: defineOperation(workflowEndpoints.createPlanTemplate, {
    http: {
      tag,
      summary: "Create a workflow of tasks, and of listeners that run when the status of a task changes",
      maxBytes: MAX_BODY_BYTES,
      example: EXAMPLE_WORKFLOW,
      status: 201,
      answer: storedAnswer,
    },
    rpc: (config: WorkflowConfigInput, status?: "draft" | "released") => ({ body: { ...config, status } }),
    async run(caller, { body: { status = "draft", ...config } }): Promise<SavedWorkflowTemplate> {
      const { env, userId } = caller;
      const complete = withDefaultIds(config);
      const warnings = validatePlanTemplate(complete, status, await listAgentNames(caller));
      for (let attempt = 1; attempt <= MAX_NAME_ATTEMPTS; attempt++) {
        const candidate = config.plan_id === undefined && attempt > 1 ? withRandomSuffix(complete) : complete;
        const outcome = await requireDirectory(
          addTemplate(openDirectory(env.DB), userId, candidate, status, Date.now()),
        );
        if (outcome === "added") return { ...(await getTemplate(caller, candidate.plan_id)), warnings };
        if (outcome === "full")
          throw createFault("too_many_requests", createMessage("workflow.limitReached", { max: MAX_TEMPLATES }));
        if (config.plan_id !== undefined) break;
      }
      throw createFault("conflict", createMessage("workflow.idTaken", { id: complete.plan_id }), { field: "plan_id" });
    },
  }),
  /**
   * Lists newest first; archived templates only if `status` requests them. `search`: part of name, description or id.
   */
  listPlanTemplates: defineOperation(workflowEndpoints.listPlanTemplates, {
    http: {
      tag,
      summary: "List your workflows, newest first; archived ones only with `status=archived`",
      answer: "A page of workflows",
    },
    rpc: (options?: PageQuery & { status?: WorkflowTemplateStatus; search?: string }) => ({ query: options }),
    async run({ env, userId }, { query: { limit, cursor, ...filter } }) {
      const templates = await requireDirectory(
        listTemplates(openDirectory(env.DB), userId, limit, decodeCursor(cursor), filter),
      );
      return { templates, next_cursor: computeNextCursor(templates, limit, (last) => [last.created_at, last.plan_id]) };
    },
  }),
  /** Returns the current version of a template, or the given one. */
  planTemplate: defineOperation(workflowEndpoints.planTemplate, {
    http: { tag, summary: "Get a workflow, by default in its current version", answer },
    rpc: (plan: string, version?: number) => ({ id: plan, query: { version } }),
    run: (caller, { id, query: { version } }) => getTemplate(caller, id, version),
  }),
  /** Lists the versions of a template, newest first. */
  planTemplateVersions: defineOperation(workflowEndpoints.planTemplateVersions, {
    http: { tag, summary: "List the versions of a workflow, newest first", answer: "The versions" },
    rpc: (plan: string) => ({ id: plan }),
    async run(caller, { id }) {
      await getTemplate(caller, id);
      const versions = await requireDirectory(listTemplateVersions(openDirectory(caller.env.DB), caller.userId, id));
      return versions ?? { versions: [] };
    },
  }),
  /**
   * Stores the next version. `conflict` if archived or, with `current_version`, if `basedOn` is another version;
   * `unprocessable` for another `plan_id`, or with all problems of the configuration.
   */
  updatePlanTemplate: defineOperation(workflowEndpoints.updatePlanTemplate, {
    http: {
      tag,
      summary: "Create the next version of a workflow; `version` is the version on which it is based",
      maxBytes: MAX_BODY_BYTES,
      example: { ...EXAMPLE_WORKFLOW, version: 1 },
      answer: storedAnswer,
    },
    rpc: (plan: string, config: WorkflowConfigInput, basedOn: number) => ({
      id: plan,
      body: {
        ...config,
        version: parseNamedValue("basedOn", workflowEndpoints.updatePlanTemplate.body.shape.version, basedOn),
      },
    }),
    async run(caller, { id, body: { version: basedOn, ...config } }): Promise<SavedWorkflowTemplate> {
      const { env, userId } = caller;
      const { status } = await getTemplate(caller, id);
      if (config.plan_id !== undefined && config.plan_id !== id)
        throw createFault("unprocessable", createMessage("workflow.idFixed", { id }), { field: "plan_id" });
      if (status === "archived") throw createFault("conflict", "workflow.archived");
      const complete = withDefaultIds({ ...config, plan_id: id });
      const warnings = validatePlanTemplate(complete, status, await listAgentNames(caller));
      if (!(await requireDirectory(addTemplateVersion(openDirectory(env.DB), userId, complete, basedOn, Date.now())))) {
        const { version } = await getTemplate(caller, id);
        const text = createMessage("workflow.versionConflict", { version, base: basedOn });
        throw createFault("conflict", text, { field: "version", current_version: version });
      }
      return { ...(await getTemplate(caller, id)), warnings };
    },
  }),
  /** Changes the status. Releasing a template with problems is `unprocessable`. */
  setPlanTemplateStatus: defineOperation(workflowEndpoints.setPlanTemplateStatus, {
    http: {
      tag,
      summary: "Release or archive a workflow, or make it a draft again",
      example: { status: "released" },
      answer,
    },
    rpc: (plan: string, status: WorkflowTemplateStatus) => ({ id: plan, body: { status } }),
    async run(caller, { id, body: { status } }) {
      const found = await getTemplate(caller, id);
      if (status === "released") validatePlanTemplate(toNamedConfig(found), status, await listAgentNames(caller));
      await setStatus(caller, id, status);
      return getTemplate(caller, id);
    },
  }),
  /** Archives the template: it is no longer listed or started. Its instances continue. */
  deletePlanTemplate: defineOperation(workflowEndpoints.deletePlanTemplate, {
    http: {
      tag,
      summary: "Archive a workflow, so that it cannot be started; its instances continue",
      answer: "The workflow was archived",
    },
    rpc: (plan: string) => ({ id: plan }),
    async run(caller, { id }) {
      await getTemplate(caller, id);
      await setStatus(caller, id, "archived");
      return { plan_id: id, deleted: true as const };
    },
  }),
};

/** Returns a version of a template, the current one by default. Throws `not_found`. */
export async function getTemplate({ env, userId }: Caller, id: string, version?: number): Promise<WorkflowTemplate> {
  const isPlanId = matchesIdFormat(id, /^[A-Za-z0-9_-]{1,64}$/);
  const found = isPlanId ? await requireDirectory(getPlanTemplate(openDirectory(env.DB), userId, id, version)) : null;
  if (found === null) throw createFault("not_found", "workflow.notFound");
  return found;
}

async function setStatus({ env, userId }: Caller, id: string, status: WorkflowTemplateStatus): Promise<void> {
  await requireDirectory(setTemplateStatus(openDirectory(env.DB), userId, id, status, Date.now()));
}

/** Returns the names of the agents that a listener may call. Released plans are not among them. */
async function listAgentNames({ env, settings, userId }: Caller): Promise<ReadonlySet<string>> {
  const agents = await createUserAgents(env, settings, userId).list();
  return new Set(agents.filter(({ source }) => source !== "plan").map(({ name }) => name));
}

/** Returns the configuration with a random suffix of its plan id. */
function withRandomSuffix(config: IdentifiedPlanConfig): IdentifiedPlanConfig {
  return { ...config, plan_id: `${config.plan_id.slice(0, 55)}-${createId("plan").slice(-8)}` };
}
