// Operations on plan instances (workflow instances): start, list, read, resume, cancel. An instance is a conversation
// with its own Durable Object, and its id is derived from the id of this conversation.

import { openDirectory } from "../../directory/open-directory.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import { listInstances } from "../../directory/instance-directory.ts";
import { unwrapResult, type InternalResult } from "../../durable/conversation-api.ts";
import type { ConversationApi } from "../../durable/conversation/operations.ts";
import type { PageQuery } from "../../protocol/api/endpoint.ts";
import { workflowEndpoints } from "../../protocol/api/workflow-endpoints.ts";
import { createId, deriveId } from "../../protocol/wire/ids.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import {
  computeInstanceConversationId,
  type ResumeInstanceRequest,
  type StartInstanceRequest,
} from "../../protocol/workflows/workflow-instance.ts";
import { getConversationStub } from "./conversation-access.ts";
import { matchesIdFormat } from "./id-validation.ts";
import { computeNextCursor, decodeCursor } from "./list-cursor.ts";
import { defineOperation, type Caller } from "./operation.ts";
import { getTemplate } from "./plan-templates.ts";
import { respondWithThread, THREAD_ANSWER } from "./respond-with-thread.ts";

const tag = "Plan instances";
const answer = "The current state of the instance";
const STARTED_ANSWER = {
  ...THREAD_ANSWER,
  answer: "Accepted: the work continues in the background, and the conversation contains its events",
};

export const planInstanceOperations = {
  /**
   * Starts an instance of the current version. The id of its conversation is derived from the command id, so a repeated
   * command finds the instance that it has started. `conflict` if the template is archived.
   */
  startPlanInstance: defineOperation(workflowEndpoints.startPlanInstance, {
    http: {
      tag,
      summary: "Start an instance of a workflow; `context` contains the values of its main task",
      example: { context: { seats: 12 }, verify: true },
      ...STARTED_ANSWER,
    },
    rpc: (plan: string, start: Partial<StartInstanceRequest> = {}, commandId?: string) => ({
      id: plan,
      body: start,
      commandId,
    }),
    async run(caller, { id, body, commandId = createId("cmd") }) {
      const template = await getTemplate(caller, id);
      const api = getConversationStub(caller, await computeInstanceConversationId(commandId));
      // A repeated command may still refer to the instance that it started before the template was archived.
      if (template.status === "archived" && !(await api.instance()).ok)
        throw createFault("conflict", "workflow.archivedStart");
      return unwrapResult(await api.startInstance(commandId, { ...body, template }));
    },
    respond: (started, call) => respondWithThread({ ...started, is_first: true }, call),
  }),
  /** Lists newest first. */
  listPlanInstances: defineOperation(workflowEndpoints.listPlanInstances, {
    http: {
      tag,
      summary: "List your workflow instances, newest first, optionally of one workflow",
      answer: "A page of instances",
    },
    rpc: (options?: PageQuery & { plan_id?: string }) => ({ query: options }),
    async run({ env, userId }, { query: { limit, cursor, plan_id } }) {
      const instances = await requireDirectory(
        listInstances(openDirectory(env.DB), userId, limit, decodeCursor(cursor), plan_id),
      );
      return {
        instances,
        next_cursor: computeNextCursor(instances, limit, (last) => [last.created_at, last.plan_instance_id]),
      };
    },
  }),
  planInstance: defineOperation(workflowEndpoints.planInstance, {
    http: { tag, summary: "Get an instance with its tasks, listeners, log and verification", answer },
    rpc: (instance: string) => ({ id: instance }),
    run: (caller, { id }) => callInstance(caller, id, (api) => api.instance()),
  }),
  /**
   * Retries the listeners that hold the instance, after setting the values of `resume`. `conflict` if it is not held.
   */
  resumePlanInstance: defineOperation(workflowEndpoints.resumePlanInstance, {
    http: {
      tag,
      summary: "Retry the listeners that hold an instance, with additional values",
      example: { context: { "001": { seats: 12 } } },
      ...STARTED_ANSWER,
    },
    rpc: (instance: string, resume: Partial<ResumeInstanceRequest> = {}, commandId?: string) => ({
      id: instance,
      body: resume,
      commandId,
    }),
    run: (caller, { id, body, commandId = createId("cmd") }) =>
      callInstance(caller, id, (api) => api.resumeInstance(commandId, body)),
    respond: (resumed, call) => respondWithThread({ ...resumed, is_first: false }, call),
  }),
  /** Cancels the instance. `conflict` if it has ended. */
  cancelPlanInstance: defineOperation(workflowEndpoints.cancelPlanInstance, {
    http: { tag, summary: "Cancel an instance permanently", answer },
    rpc: (instance: string) => ({ id: instance }),
    run: (caller, { id }) => callInstance(caller, id, (api) => api.cancelInstance()),
  }),
};

/** Calls the conversation of an instance. Throws `not_found` if the id has another form or no instance. */
async function callInstance<T>(
  caller: Caller,
  id: string,
  call: (api: ConversationApi) => Promise<InternalResult<T>>,
): Promise<T> {
  const isInstanceId = matchesIdFormat(id, /^inst-[0-9a-f]{32}$/);
  const result = isInstanceId ? await call(getConversationStub(caller, deriveId(id, "conv"))) : null;
  if (result === null || (!result.ok && result.failure.code === "not_found"))
    throw createFault("not_found", "workflow.instanceNotFound");
  return unwrapResult(result);
}
