// Converts the frames of a thread to an answer stream, for interfaces that only know text: the pieces of the answer,
// the steps of the work, and the end.
//
// The fold (`AnswerFold`) owns the plan, the last item of the answer and the latest failure. Frames must be
// passed in the order of `seq`, each once. A fold that starts in the middle of a thread lacks the plan, so it must be
// set before frames that depend on it. The stream ends with exactly one final event, or with none after an abort.

import { isClientCall } from "../core/turn/client-tools.ts";
import type { AcceptedCommand } from "../durable/conversation-api.ts";
import type { EventOf, Frame, Usage } from "../protocol/wire/events.ts";
import type { Plan, Task } from "../protocol/plans/task-plan.ts";
import { foldPlans, isUserAnswer } from "../protocol/plans/fold-plans.ts";
import { areAllTasksCancelled, foldThread, INITIAL_THREAD_STATE } from "../protocol/wire/thread-state.ts";
import { followWithRetry, readWithRetry } from "./follow-thread.ts";
import type { AnswerFailure, AnswerEvent } from "./answer-event.ts";
import type { Operations } from "./api/operations.ts";

/**
 * Opens the answer stream of an accepted thread. Its last event is `asked`, `failed`, `unfinished` or `done`; after an
 * abort of the signal it ends without one. Broken streams are continued where they broke. Neither an abort nor ending
 * the generator stops the work. Both this function and the generator throw a `Fault` if the thread cannot be read.
 */
export async function streamAnswer(
  operations: Operations,
  accepted: AcceptedCommand,
  signal: AbortSignal,
): Promise<AsyncGenerator<AnswerEvent, void>> {
  return readAnswerEvents(
    operations,
    accepted,
    await readWithRetry(() => operations.followThread(accepted), signal),
    signal,
  );
}

async function* readAnswerEvents(
  operations: Operations,
  { conversation_id: id, thread_id: thread, is_first, seq }: AcceptedCommand,
  first: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, void> {
  const fold = new AnswerFold();
  for await (const update of followWithRetry(
    operations,
    { id, thread, after: is_first ? 0 : seq - 1 },
    signal,
    first,
  )) {
    if (update.kind === "resting") {
      yield { kind: "asked", questions: update.questions };
      return;
    }
    for (const frame of update.frames) {
      // A fold that starts in the middle of the thread lacks the plan and the results of earlier tasks: read the
      // current plan when an answer of the user begins the stream, and before a failure, which needs the results.
      if (frame.event === "system_failed" || (isUserAnswer(frame) && !fold.hasPlan)) {
        const plans = await readWithRetry(() => operations.plans({ id }), signal);
        fold.setPlan(plans.find((plan) => plan.thread_id === thread));
      }
      for (const event of fold.apply(frame)) {
        yield event;
        if (isFinalEvent(event)) return;
      }
    }
  }
}

/**
 * Yields the events of a stored thread that `streamAnswer` yields to the reader of the message with this `seq`: up to its
 * end, or up to the question that a later message has answered. The last event is not final if the thread is running.
 * `frames` are all frames of the thread.
 */
export function* foldAnswer(frames: readonly Frame[], seq: number): Generator<AnswerEvent, void> {
  const fold = new AnswerFold();
  let state = INITIAL_THREAD_STATE;
  for (const frame of frames) {
    if (frame.seq > seq && isUserAnswer(frame)) break;
    state = foldThread(state, frame);
    for (const event of fold.apply(frame)) {
      if (frame.seq < seq) continue;
      yield event;
      if (isFinalEvent(event)) return;
    }
  }
  // The question is open, or the next frame is its answer.
  if (state.status === "input_required") yield { kind: "asked", questions: state.pending };
}

function isFinalEvent({ kind }: AnswerEvent): boolean {
  return kind === "asked" || kind === "failed" || kind === "unfinished" || kind === "done";
}

/**
 * Decides which events of a thread are the answer: the messages of the runtime and those of the agent of a plan with a
 * single task. If a plan has several tasks, or if the answer must have a format, the summary is the answer, and the
 * tasks are steps.
 */
class AnswerFold {
  #hasFormat = false;
  #plan: Plan | undefined;
  /** The item of the last text. Text of another item starts a paragraph. */
  #lastItemId = "";
  #hasText = false;
  /** The text of the answer if the thread ends without one. */
  #fallbackText = "";
  #failure: AnswerFailure | null = null;

  /** True if the plan is known, from a `plan_created` frame or from `setPlan`. */
  get hasPlan(): boolean {
    return this.#plan !== undefined;
  }

  /** Sets the current plan. Undefined changes nothing. */
  setPlan(plan: Plan | undefined): void {
    this.#plan = plan ?? this.#plan;
  }

  /** Folds one frame and returns its events, possibly none. */
  apply(frame: Frame): AnswerEvent[] {
    if (this.#plan !== undefined) this.#plan = foldPlans([this.#plan], frame)[0];
    switch (frame.event) {
      case "thread_started":
        this.#hasFormat = frame.data.metadata?.["answer_format"] !== undefined;
        return [];
      case "plan_created":
        this.#plan = frame.data.payload.plan;
        return [];
      case "message_chunk":
        return this.#isAnswering(frame.data.task_id) ? [this.#createText(frame)] : [];
      case "task_retrying":
        this.#lastItemId = "";
        return [{ kind: "taken_back", since: frame.data.payload.since ?? 0, taskId: frame.data.task_id }];
      case "reasoning":
        return this.#isAnswering(frame.data.task_id) ? [{ kind: "thought", text: frame.data.payload.content }] : [];
      case "message":
        return frame.data.role === "user" ? [] : this.#handleMessage(frame);
      case "tool_call_started":
        if (isClientCall(frame)) return [createClientCall(frame)];
        return this.#findTask(frame.data.task_id)?.status === "running"
          ? [createStep(`· ${frame.data.payload.tool_name}`)]
          : [];
      case "task_started":
      case "task_completed":
      case "task_failed":
      case "task_cancelled":
        return this.#handleTaskEvent(frame);
      case "plan_failed":
      case "system_failed":
        return this.#handleFailure(frame);
      case "done":
        return this.#createEnd(frame);
      default:
        return [];
    }
  }

  #findTask(id: string): Task | undefined {
    return this.#plan?.tasks.find(({ task_id }) => task_id === id);
  }

  /** True if the text of this task is part of the answer. */
  #isAnswering(taskId: string): boolean {
    return this.#findTask(taskId) === undefined || (this.#plan?.tasks.length === 1 && !this.#hasFormat);
  }

  #createText({ seq, data }: EventOf<"message_chunk"> & { seq: number }): AnswerEvent {
    const isNew = this.#hasText && data.item_id !== this.#lastItemId;
    this.#hasText = true;
    this.#lastItemId = data.item_id;
    return { kind: "text", text: data.payload.content, isNew, seq, taskId: data.task_id };
  }

  /** Converts other messages to steps. The message of a recurring task is the answer if no other text comes. */
  #handleMessage({ data }: EventOf<"message">): AnswerEvent[] {
    if (this.#findTask(data.task_id)?.pattern === "recurring") this.#fallbackText = data.payload.content;
    return [createStep(data.payload.content)];
  }

  #handleTaskEvent(
    frame: EventOf<"task_started" | "task_completed" | "task_failed" | "task_cancelled">,
  ): AnswerEvent[] {
    const task = this.#findTask(frame.data.task_id);
    if (task === undefined) return [];
    switch (frame.event) {
      case "task_started":
        return [createStep(`▸ ${task.title} (${task.agent_name})`)];
      case "task_completed":
        return [createStep(`✓ ${task.title}`)];
      case "task_failed":
      case "task_cancelled":
        return [createStep(`✗ ${task.title}: ${frame.data.payload.content}`), ...this.#recordFailedTask(frame)];
      default:
        return [];
    }
  }

  /** Records the outcome if it is that of the only task. For several tasks, the summary contains it. */
  #recordFailedTask({ event, data }: EventOf<"task_failed" | "task_cancelled">): AnswerEvent[] {
    if (this.#plan?.tasks.length !== 1) return [];
    const { content, code = "agent_failed" } = data.payload;
    if (event === "task_cancelled") this.#fallbackText = content;
    else this.#failure = { code, message: content };
    return [];
  }

  /**
   * Handles a failure of the plan or the thread. A failed verification does not invalidate the answer, so it only adds
   * text. After any other failure, the results of completed tasks become the answer; without results, the stream fails.
   */
  #handleFailure({ event, data }: EventOf<"plan_failed" | "system_failed">): AnswerEvent[] {
    const { content, code = event } = data.payload;
    if (code === "verification_failed") return [this.#createAddedText(content)];
    this.#failure = { code, message: content };
    if (!this.#hasResults) return [{ kind: "failed", ...this.#failure }];
    const { tasks = [] } = this.#plan ?? {};
    // The text of a single task is already part of the answer.
    return tasks.length === 1 ? [] : [this.#createAddedText(formatOutcomes(tasks))];
  }

  get #hasResults(): boolean {
    return this.#plan?.tasks.some(({ status, result = "" }) => status === "completed" && result.trim() !== "") ?? false;
  }

  /** Returns the final event, and before it the fallback text if there was no answer. */
  #createEnd({ data }: EventOf<"done">): AnswerEvent[] {
    const usage = (data.metadata?.["usage"] as Usage | undefined) ?? null;
    if (this.#failure !== null) {
      return [
        this.#hasResults ? { kind: "unfinished", usage, ...this.#failure } : { kind: "failed", ...this.#failure },
      ];
    }
    const results = this.#plan?.tasks.flatMap(({ result = "" }) => (result === "" ? [] : [result])) ?? [];
    const fallbackText = this.#fallbackText === "" ? results.join("\n\n") : this.#fallbackText;
    const addedText = this.#hasText || fallbackText === "" ? [] : [this.#createAddedText(fallbackText)];
    const isStopped = this.#plan !== undefined && areAllTasksCancelled([this.#plan]);
    return [...addedText, { kind: "done", usage, isCancelled: isStopped || data.metadata?.["cancelled"] === true }];
  }

  /** Returns text that belongs to no task. Its `seq` is the maximum, so that it is never retracted. */
  #createAddedText(text: string): AnswerEvent {
    const isNew = this.#hasText;
    this.#hasText = true;
    return { kind: "text", text, isNew, seq: Number.MAX_SAFE_INTEGER, taskId: "" };
  }
}

/** Formats the result or error of each task under its title, as Markdown. */
function formatOutcomes(tasks: readonly Task[]): string {
  const getText = ({ status, result = "", error = "" }: Task) => (status === "completed" ? result : error);
  const withText = tasks.filter((task) => getText(task).trim() !== "");
  return withText.map((task) => `**${task.title}**\n\n${getText(task)}`).join("\n\n");
}

function createStep(text: string): AnswerEvent {
  return { kind: "step", text };
}

function createClientCall({ data }: EventOf<"tool_call_started">): AnswerEvent {
  const { tool_call_id: id, tool_name: name, tool_arguments: args = "{}" } = data.payload;
  return { kind: "client_call", call: { id, name, arguments: args } };
}
