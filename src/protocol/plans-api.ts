// The RPC methods of the runtime that the agent of a plan uses. They are a subset of the `Orrery` entrypoint.

import type { Resume } from "./commands.ts";
import type { PlanInstance, ResumeInstance, StartedInstance, StartInstance } from "./plan-instance.ts";
import type { Task } from "./plan.ts";
import type { Context } from "./question.ts";
import type { Result } from "./result.ts";

/** All methods act for `user` and return faults as failed results. A repeated `commandId` is carried out once. */
export type PlansApi = {
  startPlanInstance(
    user: string,
    plan: string,
    start: Partial<StartInstance>,
    commandId: string,
  ): Promise<Result<StartedInstance>>;
  planInstance(user: string, instance: string): Promise<Result<PlanInstance>>;
  resumePlanInstance(
    user: string,
    instance: string,
    resume: Partial<ResumeInstance>,
    commandId: string,
  ): Promise<Result<StartedInstance>>;
  cancelPlanInstance(user: string, instance: string): Promise<Result<PlanInstance>>;
  /** Streams the frames of one thread after the number `after`, as JSON lines, until the thread pauses or ends. */
  follow(
    user: string,
    conversation: string,
    after: number,
    thread: string,
  ): Promise<Result<ReadableStream<Uint8Array>>>;
  /** Answers a question in a conversation. */
  resume(user: string, conversation: string, answer: Resume, commandId: string): Promise<Result<unknown>>;
  context(user: string, conversation: string): Promise<Result<Context>>;
  task(user: string, task: string): Promise<Result<Task>>;
};
