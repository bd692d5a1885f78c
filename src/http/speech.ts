// A thread for readers who take only words: an answer, and what is told of the work until it is there.

import type { Accepted } from "../durable/api.ts";
import type { EventOf, Frame, Usage } from "../protocol/events.ts";
import type { Plan, Task } from "../protocol/plan.ts";
import { foldPlans, isAnswer } from "../protocol/tasks.ts";
import { areStopped } from "../protocol/thread-state.ts";
import { follow, patiently } from "./follow.ts";
import type { Failure, Spoken } from "./spoken.ts";
import type { Verbs } from "./verbs.ts";

/**
 * What is said in a thread from where it was accepted, up to `asked`, `failed`, `unfinished` or `done`, one of which is
 * last. A stream that breaks is taken up where it broke. Leaving, or aborting the signal while nothing comes, stops none
 * of the work. Rejects with a `Fault` when the thread cannot be read, and so does what it resolves with.
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
      // Folded from the middle of a thread, a plan would not have what its tasks brought.
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
 * Which of a thread's events are the answer: what the runtime itself says, and what the agent of a plan's only task
 * says. Of several tasks, the summary is the answer, and how each stands is a step.
 */
class Speech {
  #plan: Plan | undefined;
  #item = "";
  #hasSpoken = false;
  /** What to answer with where nothing was said. */
  #instead = "";
  #failure: Failure | null = null;

  get hasPlan(): boolean {
    return this.#plan !== undefined;
  }

  /** The plan as it stands by now. */
  know(plan: Plan | undefined): void {
    this.#plan = plan ?? this.#plan;
  }

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

  #isAnswering(taskId: string): boolean {
    return this.#taskOf(taskId) === undefined || this.#plan?.tasks.length === 1;
  }

  #text({ seq, data }: EventOf<"message_chunk"> & { seq: number }): Spoken {
    const isNew = this.#hasSpoken && data.item_id !== this.#item;
    this.#hasSpoken = true;
    this.#item = data.item_id;
    return { kind: "text", text: data.payload.content, isNew, seq, taskId: data.task_id };
  }

  /** What is told besides; of a task that recurs, there is nothing else. */
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

  /** Of several tasks, the summary tells which have failed. */
  #stopped({ event, data }: EventOf<"task_failed" | "task_cancelled">): Spoken[] {
    if (this.#plan?.tasks.length !== 1) return [];
    const { content, code = "agent_failed" } = data.payload;
    if (event === "task_cancelled") this.#instead = content;
    else this.#failure = { code, message: content };
    return [];
  }

  /** What was not verified was answered all the same. Any other failure is the end of it. */
  #fail({ event, data }: EventOf<"plan_failed" | "system_failed">): Spoken[] {
    const { content, code = event } = data.payload;
    if (code === "verification_failed") return [this.#added(content)];
    this.#failure = { code, message: content };
    if (!this.#hasResults) return [{ kind: "failed", ...this.#failure }];
    const { tasks = [] } = this.#plan ?? {};
    // The words of an only task were the answer already.
    return tasks.length === 1 ? [] : [this.#added(outcomes(tasks))];
  }

  get #hasResults(): boolean {
    return this.#plan?.tasks.some(({ status, result = "" }) => status === "completed" && result.trim() !== "") ?? false;
  }

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

  #added(text: string): Spoken {
    const isNew = this.#hasSpoken;
    this.#hasSpoken = true;
    return { kind: "text", text, isNew, seq: Number.MAX_SAFE_INTEGER, taskId: "" };
  }
}

/** What has come of each task, under its title. */
function outcomes(tasks: readonly Task[]): string {
  const words = ({ status, result = "", error = "" }: Task) => (status === "completed" ? result : error);
  const said = tasks.filter((task) => words(task).trim() !== "");
  return said.map((task) => `**${task.title}**\n\n${words(task)}`).join("\n\n");
}

function step(text: string): Spoken {
  return { kind: "step", text };
}
