// What the agent of a plan asks of the runtime, for a user: a part of what any other Worker may ask.

import type { Resume } from "./commands.ts";
import type { PlanInstance, ResumeInstance, StartedInstance, StartInstance } from "./plan-instance.ts";
import type { Task } from "./plan.ts";
import type { Context } from "./question.ts";
import type { Result } from "./result.ts";

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
  /** Lines of frames of one thread, up to its rest or its end. */
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
