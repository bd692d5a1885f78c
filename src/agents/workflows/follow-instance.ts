// Follows a plan instance until it ends or asks a question, and yields its changes.
//
// It owns the cursor into the log of the instance (`after`) and the reader of one stream at a time. The loop reads a
// stream to its end, fetches the instance, and decides: ended, question, too late, or read again from the cursor. A
// broken stream is not an error: the host comes back with everything it stored. Every change yields the component
// `plan_instance_link` and a checkpoint with the new cursor, so a crash continues from there. Requests are repeated
// by `requestRuntime`; a failure that persists is thrown as a `Fault`.

import {
  INSTANCE_COMPONENT,
  INSTANCE_TASK_COMPONENT,
  type WorkflowInstanceDetails,
} from "../../protocol/workflows/workflow-instance.ts";
import { LineSplitter } from "../../lib/line-splitter.ts";
import type { PendingQuestion } from "../../protocol/wire/question.ts";
import { sleep } from "../../lib/retry.ts";
import type { AgentRunEvent } from "../kit/agent.ts";
import { checkpoint } from "../kit/ask.ts";
import {
  requestRuntime,
  type WorkflowRunContext,
  type InstancePosition,
  type WorkflowAgentState,
} from "./workflow-context.ts";

/** The reason why following ended; `pending` is the question of the instance's thread. */
export type FollowOutcome =
  | { readonly kind: "ended"; readonly instance: WorkflowInstanceDetails }
  | {
      readonly kind: "asks";
      readonly instance: WorkflowInstanceDetails;
      readonly pending: PendingQuestion;
      readonly position: InstancePosition;
    }
  /** The instance continues, but `deadline` of the context has passed. */
  | { readonly kind: "late" };

const REOPEN_PAUSE_MS = 500;

/**
 * Follows the instance from a position until it ends, asks a question or the deadline passes. Yields its component and
 * a checkpoint after every change. Throws the abort reason of the signal, and the `Fault` of a request that keeps
 * failing.
 */
export async function* followInstance(
  ctx: WorkflowRunContext,
  from: InstancePosition,
): AsyncGenerator<AgentRunEvent, FollowOutcome> {
  const { api, userId, signal } = ctx;
  let position = from;
  for (;;) {
    const { conversation_id, thread_id, plan_instance_id } = position;
    const { after } = position;
    const stream = await requestRuntime(ctx, () => api.follow(userId, conversation_id, after, thread_id));
    position = yield* readStream(ctx, position, stream);
    signal.throwIfAborted();
    const instance = await getInstance(ctx, plan_instance_id);
    yield createInstanceComponent(instance);
    if (hasEnded(instance)) return { kind: "ended", instance };
    const { pending } = await requestRuntime(ctx, () => api.context(userId, conversation_id));
    const pendingQuestion = pending.find((question) => question.thread_id === thread_id);
    if (pendingQuestion !== undefined) return { kind: "asks", instance, pending: pendingQuestion, position };
    if (Date.now() >= ctx.deadline) return { kind: "late" };
    await sleep(REOPEN_PAUSE_MS);
  }
}

function getInstance(ctx: WorkflowRunContext, id: string): Promise<WorkflowInstanceDetails> {
  return requestRuntime(ctx, () => ctx.api.planInstance(ctx.userId, id));
}

/** True if the instance has ended. An error that waits for a resume is not the end. */
function hasEnded({ status, waiting_for_resume }: WorkflowInstanceDetails): boolean {
  return status === "done" || status === "cancelled" || (status === "error" && !waiting_for_resume);
}

/**
 * Reads one stream to its end, its break or the deadline, and returns the new position. Yields a checkpoint at least
 * every `keepaliveMs`, which shows that the agent is alive.
 */
async function* readStream(
  ctx: WorkflowRunContext,
  from: InstancePosition,
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<AgentRunEvent, InstancePosition> {
  const { signal, keepaliveMs, deadline } = ctx;
  const reader = stream.getReader();
  const splitter = new LineSplitter();
  const stop = Promise.withResolvers<"stop">();
  const stopReading = (): void => stop.resolve("stop");
  signal.addEventListener("abort", stopReading, { once: true });
  let position = from;
  try {
    const next = () => reader.read().catch(() => ({ done: true as const, value: undefined }));
    let reading = next();
    while (!signal.aborted && Date.now() < deadline) {
      const keepalive = Promise.withResolvers<"sign">();
      const timer = setTimeout(() => keepalive.resolve("sign"), Math.min(keepaliveMs, deadline - Date.now()));
      const chunk = await Promise.race([reading, keepalive.promise, stop.promise]);
      clearTimeout(timer);
      if (chunk === "stop") break;
      if (chunk === "sign") {
        yield createCheckpoint(position);
        continue;
      }
      if (chunk.done) break;
      const changes = splitter.feed(chunk.value).map(parseLine);
      position = { ...position, after: Math.max(position.after, ...changes.map(({ seq }) => seq)) };
      if (changes.some(({ isChange }) => isChange)) {
        yield createInstanceComponent(await getInstance(ctx, position.plan_instance_id));
        yield createCheckpoint(position);
      }
      reading = next();
    }
    return position;
  } finally {
    signal.removeEventListener("abort", stopReading);
    // A pending read is left alone: it ends with its stream.
    await reader.cancel().catch(() => undefined);
  }
}

/** Creates the checkpoint with which a repeated run follows the instance from this position. */
export function createCheckpoint(position: InstancePosition): AgentRunEvent {
  return checkpoint({ at: "instance", place: position } satisfies WorkflowAgentState);
}

/** Parses a line of the stream: its sequence number, and true if it changes how the instance is displayed. */
function parseLine(line: string): { readonly seq: number; readonly isChange: boolean } {
  const frame = JSON.parse(line) as { seq: number; data?: { payload?: { component_type?: string } } };
  const type = frame.data?.payload?.component_type;
  return { seq: frame.seq, isChange: type === INSTANCE_TASK_COMPONENT || type === INSTANCE_COMPONENT };
}

/** Creates the component that shows the state of the instance. Each one replaces the one before. */
function createInstanceComponent({
  plan_instance_id,
  plan_id,
  name,
  conversation_id,
  status,
  waiting_for_resume,
  tasks,
}: WorkflowInstanceDetails): AgentRunEvent {
  const content = {
    plan_instance_id,
    plan_id,
    name,
    conversation_id,
    status,
    waiting_for_resume,
    tasks: tasks.map((task) => ({ task_id: task.task_id, name: task.name, status: task.status })),
  };
  return {
    type: "component",
    component_type: "plan_instance_link",
    component_id: plan_instance_id,
    content: JSON.stringify(content),
  };
}
