// Converts the frames of a thread to an answer stream, for interfaces that only know text: the pieces of the answer,
// the steps of the work, and the end.
//
// The fold (`AnswerFold`) owns the plan, the last item of the answer and the latest failure. Frames must be
// passed in the order of `seq`, each once. A fold that starts in the middle of a thread lacks the plan, so it must be
// set before frames that depend on it. The stream ends with exactly one final event.

import type { Accepted } from "../durable/api.ts";
import type { EventOf, Frame, Usage } from "../protocol/events.ts";
import type { Plan, Task } from "../protocol/plan.ts";
import { foldPlans, isAnswer } from "../protocol/tasks.ts";
import { areStopped } from "../protocol/thread-state.ts";
import { follow, patiently } from "./follow.ts";
import type { Failure, Spoken } from "./spoken.ts";
import type { Verbs } from "./verbs.ts";

/**
 * Opens the answer stream of an accepted thread. Its last event is `asked`, `failed`, `unfinished` or `done`. Broken
 * streams are continued where they broke. Ending the generator, or aborting the signal while it waits, does not stop
 * the work. Both this function and the generator throw a `Fault` if the thread cannot be read.
 */
export async function spokenIn(
  verbs: Verbs,
  accepted: Accepted,
  signal: AbortSignal,
): Promise<AsyncGenerator<Spoken, void>> {
  return speaking(verbs, accepted, await patiently(() => verbs.followThread(accepted), signal), signal);
}

async function* speaking(
  verbs: Verbs,
  { conversation_id: id, thread_id: thread, is_first, seq }: Accepted,
  first: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Spoken, void> {
  const speech = new Speech();
  for await (const heard of follow(verbs, { id, thread, after: is_first ? 0 : seq - 1 }, signal, first)) {
    if (heard.kind === "resting") {
      yield { kind: "asked", questions: heard.questions };
      return;
    }
    for (const frame of heard.frames) {
      // If the thread is read from its middle, the fold has no plan, and the results of earlier tasks are missing. Read
      // the current plan.
      if (frame.event === "system_failed" || (isAnswer(frame) && !speech.hasPlan)) {
        const plans = await patiently(() => verbs.plans(id), signal);
        speech.know(plans.find((plan) => plan.thread_id === thread));
      }
      for (const spoken of speech.hear(frame)) {
        yield spoken;
        if (isLast(spoken)) return;
      }
    }
  }
}

function isLast({ kind }: Spoken): boolean {
  return kind === "asked" || kind === "failed" || kind === "unfinished" || kind === "done";
}

/**
 * Decides which events of a thread are the answer: the messages of the runtime and those of the agent of a plan with a
 * single task. If a plan has several tasks, the summary is the answer, and the tasks are steps.
 */
class Speech {
  #plan: Plan | undefined;
  /** The item of the last text. Text of another item starts a paragraph. */
  #item = "";
  #hasSpoken = false;
  /** The text of the answer if the thread ends without one. */
  #instead = "";
  #failure: Failure | null = null;

  get hasPlan(): boolean {
    return this.#plan !== undefined;
  }

  /** Sets the current plan. Undefined changes nothing. */
  know(plan: Plan | undefined): void {
    this.#plan = plan ?? this.#plan;
  }

  /** Folds one frame and returns its events. */
  hear(frame: Frame): Spoken[] {
    if (this.#plan !== undefined) this.#plan = foldPlans([this.#plan], frame)[0];
    switch (frame.event) {
      case "plan_created":
        this.#plan = frame.data.payload.plan;
        return [];
      case "message_chunk":
        return this.#isAnswering(frame.data.task_id) ? [this.#text(frame)] : [];
      case "task_retrying":
        this.#item = "";
        return [{ kind: "taken_back", since: frame.data.payload.since ?? 0, taskId: frame.data.task_id }];
      case "reasoning":
        return this.#isAnswering(frame.data.task_id) ? [{ kind: "thought", text: frame.data.payload.content }] : [];
      case "message":
        return frame.data.role === "user" ? [] : this.#notice(frame);
      case "tool_call_started":
        return this.#taskOf(frame.data.task_id)?.status === "running"
          ? [step(`· ${frame.data.payload.tool_name}`)]
          : [];
      case "task_started":
      case "task_completed":
      case "task_failed":
      case "task_cancelled":
        return this.#stepOf(frame);
      case "plan_failed":
      case "system_failed":
        return this.#fail(frame);
      case "done":
        return this.#end(frame);
      default:
        return [];
    }
  }

  #taskOf(id: string): Task | undefined {
    return this.#plan?.tasks.find(({ task_id }) => task_id === id);
  }

  /** True if the text of this task is part of the answer. */
  #isAnswering(taskId: string): boolean {
    return this.#taskOf(taskId) === undefined || this.#plan?.tasks.length === 1;
  }

  #text({ seq, data }: EventOf<"message_chunk"> & { seq: number }): Spoken {
    const isNew = this.#hasSpoken && data.item_id !== this.#item;
    this.#hasSpoken = true;
    this.#item = data.item_id;
    return { kind: "text", text: data.payload.content, isNew, seq, taskId: data.task_id };
  }

  /** Converts other messages to steps. The message of a recurring task is the answer if no other text comes. */
  #notice({ data }: EventOf<"message">): Spoken[] {
    if (this.#taskOf(data.task_id)?.pattern === "recurring") this.#instead = data.payload.content;
    return [step(data.payload.content)];
  }

  #stepOf(frame: EventOf<"task_started" | "task_completed" | "task_failed" | "task_cancelled">): Spoken[] {
    const task = this.#taskOf(frame.data.task_id);
    if (task === undefined) return [];
    switch (frame.event) {
      case "task_started":
        return [step(`▸ ${task.title} (${task.agent_name})`)];
      case "task_completed":
        return [step(`✓ ${task.title}`)];
      case "task_failed":
      case "task_cancelled":
        return [step(`✗ ${task.title}: ${frame.data.payload.content}`), ...this.#stopped(frame)];
      default:
        return [];
    }
  }

  /** Records the outcome if it is that of the only task. For several tasks, the summary contains it. */
  #stopped({ event, data }: EventOf<"task_failed" | "task_cancelled">): Spoken[] {
    if (this.#plan?.tasks.length !== 1) return [];
    const { content, code = "agent_failed" } = data.payload;
    if (event === "task_cancelled") this.#instead = content;
    else this.#failure = { code, message: content };
    return [];
  }

  /**
   * Handles a failure of the plan or the thread. A failed verification does not invalidate the answer, so it only adds
   * text. After any other failure, the results of completed tasks become the answer.
   */
  #fail({ event, data }: EventOf<"plan_failed" | "system_failed">): Spoken[] {
    const { content, code = event } = data.payload;
    if (code === "verification_failed") return [this.#added(content)];
    this.#failure = { code, message: content };
    if (!this.#hasResults) return [{ kind: "failed", ...this.#failure }];
    const { tasks = [] } = this.#plan ?? {};
    // The text of a single task is already part of the answer.
    return tasks.length === 1 ? [] : [this.#added(outcomes(tasks))];
  }

  get #hasResults(): boolean {
    return this.#plan?.tasks.some(({ status, result = "" }) => status === "completed" && result.trim() !== "") ?? false;
  }

  /** Returns the final event, and before it the fallback text if there was no answer. */
  #end({ data }: EventOf<"done">): Spoken[] {
    const usage = (data.metadata?.["usage"] as Usage | undefined) ?? null;
    if (this.#failure !== null) {
      return [
        this.#hasResults ? { kind: "unfinished", usage, ...this.#failure } : { kind: "failed", ...this.#failure },
      ];
    }
    const results = this.#plan?.tasks.flatMap(({ result = "" }) => (result === "" ? [] : [result])) ?? [];
    const instead = this.#instead === "" ? results.join("\n\n") : this.#instead;
    const said = this.#hasSpoken || instead === "" ? [] : [this.#added(instead)];
    const isStopped = this.#plan !== undefined && areStopped([this.#plan]);
    return [...said, { kind: "done", usage, isCancelled: isStopped || data.metadata?.["cancelled"] === true }];
  }

  /** Returns text that belongs to no task. Its `seq` is the maximum, so that it is never retracted. */
  #added(text: string): Spoken {
    const isNew = this.#hasSpoken;
    this.#hasSpoken = true;
    return { kind: "text", text, isNew, seq: Number.MAX_SAFE_INTEGER, taskId: "" };
  }
}

/** Formats the result or error of each task under its title, as Markdown. */
function outcomes(tasks: readonly Task[]): string {
  const words = ({ status, result = "", error = "" }: Task) => (status === "completed" ? result : error);
  const said = tasks.filter((task) => words(task).trim() !== "");
  return said.map((task) => `**${task.title}**\n\n${words(task)}`).join("\n\n");
}

function step(text: string): Spoken {
  return { kind: "step", text };
}
