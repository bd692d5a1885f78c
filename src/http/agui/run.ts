// Encodes the log of one thread as the events of one AG-UI run.
//
// State of one encoder: the folded thread state, the items and open messages (in `AgUiMessageEncoder`), the running
// steps, and the shared state that the client has. Frames must be passed in order from the start of the thread; frames
// before `since` are folded but not encoded.
// - Order within one frame: started steps, messages, state. If steps end: messages, ended steps, started steps, state.
// - The first encoded frame sends a state snapshot, later frames only differences.
// - A run ends with exactly one of `RUN_FINISHED` (end or interrupts) and `RUN_ERROR`. Open messages and steps are
//   closed before it.

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

/** The position of a run in the log. */
export type RunPlace = {
  /** The id of our thread. AG-UI has no id for it. */
  readonly thread: string;
  /** The `seq` of the first encoded frame. Earlier runs have sent the frames before it. */
  readonly since: number;
  /** True if the run starts with a message that the client has sent, so it is not repeated. */
  readonly isOwnAnswer: boolean;
};

/** The encoder of one run. */
export class Run {
  readonly #input: RunInput;
  readonly #place: RunPlace;
  readonly #items = new Map<string, Item>();
  readonly #telling: Telling;
  #state: ThreadState = NEW_THREAD;
  #triage: Triage | undefined;
  #isNamed = false;
  #retried = 0;
  /** The number of retries of this thread that the client already knows. */
  readonly #heardRetries: number;
  #steps: readonly string[] = [];
  /** The shared state that the client has; null before the first snapshot. */
  #shown: State | null = null;

  /** `messages` are the messages that the client has after the opening events. */
  constructor(input: RunInput, place: RunPlace, messages: readonly Message[]) {
    this.#input = input;
    this.#place = place;
    const { thread_id, retried = 0 } = input.shown;
    this.#heardRetries = thread_id === place.thread ? retried : 0;
    this.#telling = new Telling(messages, this.#items, this.#heardRetries);
  }

  /** True after the thread has ended and the last event was returned. */
  get isOver(): boolean {
    return isOver(this.#state.status);
  }

  /** Returns the first events of every run. A client with own tools is informed that they are not called. */
  opening(): RunEvent[] {
    const { tools } = this.#input;
    const unused: RunEvent[] =
      tools.length === 0 ? [] : [{ type: "CUSTOM", name: "tools_not_called", value: { tools } }];
    return [startedOf(this.#input), ...unused];
  }

  /** Returns the events of a frame. */
  hear(frame: Frame): RunEvent[] {
    const before = this.#state;
    this.#fold(frame);
    if (frame.seq < this.#place.since) {
      this.#know(frame);
      return [];
    }
    const told = this.#told(frame);
    // Most frames are chunks of text, which change neither steps nor state.
    if (this.#state === before && this.#shown !== null) return told;
    const [begun, over] = this.#step(stepsOf(this.#state, this.#triage, this.#isNamed));
    const inOrder = over.length > 0 ? [...told, ...over, ...begun] : [...begun, ...told];
    const heard = [...inOrder, ...this.#changed()];
    return this.isOver ? [...heard, ...this.#ended()] : heard;
  }

  /** Returns the last events of a run whose thread waits for answers. */
  resting(questions: readonly Pending[]): RunEvent[] {
    const interrupts = questions.map(interruptOf);
    return [...this.#changed(), ...this.#closing(), this.#finished({ type: "interrupt", interrupts })];
  }

  /** Returns the last events of a run whose thread cannot be read any more. The thread itself may continue. */
  breaking(code: string, message: string): RunEvent[] {
    return [...this.#closing(), { type: "RUN_ERROR", code, message }];
  }

  #fold(frame: Frame): void {
    this.#state = foldThread(this.#state, frame);
    if (frame.event === "triage_completed") this.#triage = frame.data.payload;
    if (frame.event === "task_retrying") this.#retried += 1;
    if (frame.event === "thread_started") this.#isNamed = frame.data.metadata?.["agent"] !== undefined;
  }

  /** Folds a frame into the items without encoding it. */
  #know(frame: Frame): void {
    shapeItems(this.#items, frame.seq, frame);
  }

  /** Encodes the messages of a frame. The message that the client has sent is not repeated. */
  #told(frame: Frame): RunEvent[] {
    const isOwn = this.#place.isOwnAnswer && isAnswer(frame) && frame.seq === this.#place.since;
    if (isOwn || frame.event === "thread_started") {
      this.#know(frame);
      return [];
    }
    return this.#telling.hear(frame);
  }

  /** Returns the change of the shared state since the last call. */
  #changed(): RunEvent[] {
    const before = this.#shown;
    const retried = Math.max(this.#retried, this.#heardRetries);
    const shown = stateOf(this.#place.thread, this.#state, this.#triage, retried);
    this.#shown = shown;
    if (before === null) return [{ type: "STATE_SNAPSHOT", snapshot: { ...this.#input.state, [STATE_KEY]: shown } }];
    const delta = patchOf(before, shown, `/${STATE_KEY}`);
    return delta.length === 0 ? [] : [{ type: "STATE_DELTA", delta }];
  }

  /** Replaces the running steps. Returns the events of started steps and of ended steps. */
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

  /** Closes open messages and running steps. */
  #closing(): RunEvent[] {
    return [...this.#telling.close(), ...this.#step([])[1]];
  }

  /** Returns the last events of a thread that has ended. */
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

/** Returns the first event of a run. */
export function startedOf({ threadId, runId, version }: RunInput): RunEvent {
  return {
    type: "RUN_STARTED",
    threadId,
    runId,
    ...(version === null ? {} : { protocolVersion: PROTOCOL_VERSION }),
  };
}

/**
 * Returns the last event of a run. The outcome `cancelled` is left out for clients before 1.0, which do not know it.
 */
export function finishedOf({ threadId, runId, version }: RunInput, outcome: Outcome): RunEvent {
  const isUnknown = outcome.type === "cancelled" && version === null;
  return { type: "RUN_FINISHED", threadId, runId, ...(isUnknown ? {} : { outcome }) };
}
