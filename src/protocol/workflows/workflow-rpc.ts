// The RPC methods of the runtime that the agent of a plan uses. They are a subset of the `Orrery` entrypoint.

import type { ResumeCommand } from "../wire/commands.ts";
import type {
  WorkflowInstanceDetails,
  ResumeInstanceRequest,
  StartedInstance,
  StartInstanceRequest,
} from "./workflow-instance.ts";
import type { Task } from "../plans/task-plan.ts";
import type { QuestionContext } from "../wire/question.ts";
import type { RpcResult } from "../wire/rpc-result.ts";

/** All methods act for `user` and return faults as failed results. A repeated `commandId` is carried out once. */
export type WorkflowRuntimeApi = {
  /** Starts an instance of the template `plan`. `not_found` if it does not exist, `conflict` if it is archived. */
  startPlanInstance(
    user: string,
    plan: string,
    start: Partial<StartInstanceRequest>,
    commandId: string,
  ): Promise<RpcResult<StartedInstance>>;
  planInstance(user: string, instance: string): Promise<RpcResult<WorkflowInstanceDetails>>;
  /** Retries the listeners that hold the instance. `conflict` if none does. */
  resumePlanInstance(
    user: string,
    instance: string,
    resume: Partial<ResumeInstanceRequest>,
    commandId: string,
  ): Promise<RpcResult<StartedInstance>>;
  cancelPlanInstance(user: string, instance: string): Promise<RpcResult<WorkflowInstanceDetails>>;
  /** Streams the frames of one thread after the `seq` `after`, as JSON lines, until the thread pauses or ends. */
  follow(
    user: string,
    conversation: string,
    after: number,
    thread: string,
  ): Promise<RpcResult<ReadableStream<Uint8Array>>>;
  /** Answers a question in a conversation. */
  resume(user: string, conversation: string, answer: ResumeCommand, commandId: string): Promise<RpcResult<unknown>>;
  /** Returns the open questions of a conversation. */
  context(user: string, conversation: string): Promise<RpcResult<QuestionContext>>;
  task(user: string, task: string): Promise<RpcResult<Task>>;
};
