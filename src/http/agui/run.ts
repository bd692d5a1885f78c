// A thread as a run of AG-UI: what each of its frames tells.

import type { Frame, Triage } from "../../protocol/events.ts";
import { shapeItems, type Item } from "../../protocol/items.ts";
import type { Pending } from "../../protocol/question.ts";
import { isAnswer } from "../../protocol/tasks.ts";
import { foldThread, isOver, NEW_THREAD, type ThreadState } from "../../protocol/thread-state.ts";
import type { Message, Outcome, RunEvent, TokenUsage } from "./events.ts";
import { PROTOCOL_VERSION, STATE_KEY, type RunInput } from "./input.ts";
import { interruptOf } from "./interrupts.ts";
import { patchOf } from "./patch.ts";
import { stateOf, type State } from "./state.ts";
import { stepsOf } from "./steps.ts";
import { Telling } from "./telling.ts";

export type RunPlace = {
  /** The thread's own id, which is no id of AG-UI. */
  readonly thread: string;
  /** The first number that is told. What comes before it was told by earlier runs. */
  readonly since: number;
  /** The client has the words of the answer that this run began with. */
  readonly isOwnAnswer: boolean;
};

export class Run {
  readonly #input: RunInput;
  readonly #place: RunPlace;
  readonly #items = new Map<string, Item>();
  readonly #telling: Telling;
  #state: ThreadState = NEW_THREAD;
  #triage: Triage | undefined;
  #isNamed = false;
  #retried = 0;
  /** How often the client had heard already that work began anew. */
  readonly #heardRetries: number;
  #steps: readonly string[] = [];
  /** The state that the client has of it. */
  #shown: State | null = null;

  /** `messages` are those that the client has once it has heard `opening`. */
  constructor(input: RunInput, place: RunPlace, messages: readonly Message[]) {
    this.#input = input;
    this.#place = place;
    const { thread_id, retried = 0 } = input.shown;
    this.#heardRetries = thread_id === place.thread ? retried : 0;
    this.#telling = new Telling(messages, this.#items, this.#heardRetries);
  }

  get isOver(): boolean {
    return isOver(this.#state.status);
  }

  /** What every run begins with. */
  opening(): RunEvent[] {
    const { tools } = this.#input;
    const unused: RunEvent[] =
      tools.length === 0 ? [] : [{ type: "CUSTOM", name: "tools_not_called", value: { tools } }];
    return [startedOf(this.#input), ...unused];
  }

  hear(frame: Frame): RunEvent[] {
    const before = this.#state;
    this.#fold(frame);
    if (frame.seq < this.#place.since) {
      this.#know(frame);
      return [];
    }
    const told = this.#told(frame);
    // Most frames are pieces of text, and change nothing else.
    if (this.#state === before && this.#shown !== null) return told;
    const [begun, over] = this.#step(stepsOf(this.#state, this.#triage, this.#isNamed));
    const inOrder = over.length > 0 ? [...told, ...over, ...begun] : [...begun, ...told];
    const heard = [...inOrder, ...this.#changed()];
    return this.isOver ? [...heard, ...this.#ended()] : heard;
  }

  /** How the run ends when the thread rests on questions. */
  resting(questions: readonly Pending[]): RunEvent[] {
    const interrupts = questions.map(interruptOf);
    return [...this.#changed(), ...this.#closing(), this.#finished({ type: "interrupt", interrupts })];
  }

  /** How it ends when the thread cannot be read any more; its work may well go on. */
  breaking(code: string, message: string): RunEvent[] {
    return [...this.#closing(), { type: "RUN_ERROR", code, message }];
  }

  #fold(frame: Frame): void {
    this.#state = foldThread(this.#state, frame);
    if (frame.event === "triage_completed") this.#triage = frame.data.payload;
    if (frame.event === "task_retrying") this.#retried += 1;
    if (frame.event === "thread_started") this.#isNamed = frame.data.metadata?.["agent"] !== undefined;
  }

  #know(frame: Frame): void {
    shapeItems(this.#items, frame.seq, frame);
  }

  #told(frame: Frame): RunEvent[] {
    const isOwn = this.#place.isOwnAnswer && isAnswer(frame) && frame.seq === this.#place.since;
    if (isOwn || frame.event === "thread_started") {
      this.#know(frame);
      return [];
    }
    return this.#telling.hear(frame);
  }

  #changed(): RunEvent[] {
    const before = this.#shown;
    const retried = Math.max(this.#retried, this.#heardRetries);
    const shown = stateOf(this.#place.thread, this.#state, this.#triage, retried);
    this.#shown = shown;
    if (before === null) return [{ type: "STATE_SNAPSHOT", snapshot: { ...this.#input.state, [STATE_KEY]: shown } }];
    const delta = patchOf(before, shown, `/${STATE_KEY}`);
    return delta.length === 0 ? [] : [{ type: "STATE_DELTA", delta }];
  }

  /** The steps that begin and those that are over. */
  #step(next: readonly string[]): readonly [RunEvent[], RunEvent[]] {
    const before = this.#steps;
    this.#steps = next;
    const begun = next.filter((name) => !before.includes(name));
    const over = before.filter((name) => !next.includes(name));
    return [
      begun.map((stepName) => ({ type: "STEP_STARTED", stepName })),
      over.map((stepName) => ({ type: "STEP_FINISHED", stepName })),
    ];
  }

  #closing(): RunEvent[] {
    return [...this.#telling.close(), ...this.#step([])[1]];
  }

  #ended(): RunEvent[] {
    const { status, failure } = this.#state;
    if (status === "failed") {
      const { content = "It failed.", code = "failed" } = failure ?? {};
      return [...this.#closing(), { type: "RUN_ERROR", message: content, code, ...this.#usage() }];
    }
    return [...this.#closing(), this.#finished({ type: status === "cancelled" ? "cancelled" : "success" })];
  }

  #finished(outcome: Outcome): RunEvent {
    return { ...finishedOf(this.#input, outcome), ...this.#usage() };
  }

  #usage(): { usage?: TokenUsage[] } {
    const { usage } = this.#state;
    if (usage === undefined) return {};
    const { input_tokens: inputTokens, output_tokens: outputTokens } = usage;
    return { usage: [{ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }] };
  }
}

export function startedOf({ threadId, runId, version }: RunInput): RunEvent {
  return {
    type: "RUN_STARTED",
    threadId,
    runId,
    ...(version === null ? {} : { protocolVersion: PROTOCOL_VERSION }),
  };
}

/** Before 1.0 nothing is cancelled: a run that was stopped is over. */
export function finishedOf({ threadId, runId, version }: RunInput, outcome: Outcome): RunEvent {
  const isUnknown = outcome.type === "cancelled" && version === null;
  return { type: "RUN_FINISHED", threadId, runId, ...(isUnknown ? {} : { outcome }) };
}
