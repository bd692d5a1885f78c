// Encodes the log of one thread as the events of one AG-UI run.
//
// State of one encoder: the folded thread state, the items and open messages (in `AgUiMessageEncoder`), the running
// steps, and the shared state that the client has. Frames must be passed in order from the start of the thread; frames
// before `since` are folded but not encoded.
// - Order within one frame: started steps, messages, state. If steps end: messages, ended steps, started steps, state.
// - The first encoded frame sends a state snapshot, later frames only differences.
// - A run ends with exactly one of `RUN_FINISHED` (end or interrupts) and `RUN_ERROR`. Open messages and steps are
//   closed before it.

import type { Frame, TriageResult } from "../../protocol/wire/events.ts";
import { applyEventToItems, type Item } from "../../protocol/wire/items.ts";
import type { PendingQuestion } from "../../protocol/wire/question.ts";
import { isUserAnswer } from "../../protocol/plans/fold-plans.ts";
import {
  foldThread,
  isFinalThreadStatus,
  INITIAL_THREAD_STATE,
  type ThreadState,
} from "../../protocol/wire/thread-state.ts";
import type { AgUiMessage, RunOutcome, RunEvent, AgUiTokenUsage } from "./agui-events.ts";
import { AGUI_PROTOCOL_VERSION, STATE_KEY, type RunInput } from "./run-input.ts";
import { toInterrupt } from "./interrupts.ts";
import { computeJsonPatch } from "./json-patch.ts";
import { buildSharedState, type SharedState } from "./shared-state.ts";
import { listRunningSteps } from "./run-steps.ts";
import { AgUiMessageEncoder } from "./agui-message-encoder.ts";

/** The position of a run in the log. */
export type RunPosition = {
  /** The id of our thread. AG-UI has no id for it. */
  readonly thread: string;
  /** The `seq` of the first encoded frame. Earlier runs have sent the frames before it. */
  readonly since: number;
  /** True if the run starts with a message of the client. It is not repeated if it was accepted as an answer. */
  readonly isOwnAnswer: boolean;
};

/** The encoder of one run. */
export class RunEncoder {
  readonly #input: RunInput;
  readonly #position: RunPosition;
  readonly #items = new Map<string, Item>();
  readonly #messages: AgUiMessageEncoder;
  #state: ThreadState = INITIAL_THREAD_STATE;
  #triage: TriageResult | undefined;
  #namesAgent = false;
  #retried = 0;
  /** The number of retries of this thread that the client already knows. */
  readonly #knownRetries: number;
  #steps: readonly string[] = [];
  /** The shared state that the client has; null before the first snapshot. */
  #knownState: SharedState | null = null;

  /** `messages` are the messages that the client has after the opening events. */
  constructor(input: RunInput, position: RunPosition, messages: readonly AgUiMessage[]) {
    this.#input = input;
    this.#position = position;
    const { thread_id, retried = 0 } = input.knownState;
    this.#knownRetries = thread_id === position.thread ? retried : 0;
    this.#messages = new AgUiMessageEncoder(messages, this.#items, this.#knownRetries);
  }

  /** True after the thread has ended and the last event was returned. */
  get isOver(): boolean {
    return isFinalThreadStatus(this.#state.status);
  }

  /** Returns the first events of every run. A client with own tools is informed that they are not called. */
  encodeOpening(): RunEvent[] {
    const { tools } = this.#input;
    const unused: RunEvent[] =
      tools.length === 0 ? [] : [{ type: "CUSTOM", name: "tools_not_called", value: { tools } }];
    return [toRunStarted(this.#input), ...unused];
  }

  /** Returns the events of a frame, with the last events of the run at its end; none for a frame before `since`. */
  encode(frame: Frame): RunEvent[] {
    const before = this.#state;
    this.#fold(frame);
    if (frame.seq < this.#position.since) {
      this.#foldItem(frame);
      return [];
    }
    const encoded = this.#encodeFrame(frame);
    // Most frames are chunks of text, which change neither steps nor state.
    if (this.#state === before && this.#knownState !== null) return encoded;
    const [startedSteps, endedSteps] = this.#updateSteps(listRunningSteps(this.#state, this.#triage, this.#namesAgent));
    const inOrder =
      endedSteps.length > 0 ? [...encoded, ...endedSteps, ...startedSteps] : [...startedSteps, ...encoded];
    const events = [...inOrder, ...this.#encodeStateChange()];
    return this.isOver ? [...events, ...this.#encodeEnd()] : events;
  }

  /** Returns the last events of a run whose thread waits for answers. */
  encodeInterrupts(questions: readonly PendingQuestion[]): RunEvent[] {
    const interrupts = questions.map(toInterrupt);
    return [
      ...this.#encodeStateChange(),
      ...this.#encodeClosing(),
      this.#createFinishedEvent({ type: "interrupt", interrupts }),
    ];
  }

  /** Returns the last events of a run whose thread cannot be read any more. The thread itself may continue. */
  encodeError(code: string, message: string): RunEvent[] {
    return [...this.#encodeClosing(), { type: "RUN_ERROR", code, message }];
  }

  #fold(frame: Frame): void {
    this.#state = foldThread(this.#state, frame);
    if (frame.event === "triage_completed") this.#triage = frame.data.payload;
    if (frame.event === "task_retrying") this.#retried += 1;
    if (frame.event === "thread_started") this.#namesAgent = frame.data.metadata?.["agent"] !== undefined;
  }

  /** Folds a frame into the items without encoding it. */
  #foldItem(frame: Frame): void {
    applyEventToItems(this.#items, frame.seq, frame);
  }

  /** Encodes the messages of a frame. The message that the client has sent is not repeated. */
  #encodeFrame(frame: Frame): RunEvent[] {
    const isOwn = this.#position.isOwnAnswer && isUserAnswer(frame) && frame.seq === this.#position.since;
    if (isOwn || frame.event === "thread_started") {
      this.#foldItem(frame);
      return [];
    }
    return this.#messages.encode(frame);
  }

  /** Returns the change of the shared state since the last call. */
  #encodeStateChange(): RunEvent[] {
    const before = this.#knownState;
    const retried = Math.max(this.#retried, this.#knownRetries);
    const sharedState = buildSharedState(this.#position.thread, this.#state, this.#triage, retried);
    this.#knownState = sharedState;
    if (before === null)
      return [{ type: "STATE_SNAPSHOT", snapshot: { ...this.#input.state, [STATE_KEY]: sharedState } }];
    const delta = computeJsonPatch(before, sharedState, `/${STATE_KEY}`);
    return delta.length === 0 ? [] : [{ type: "STATE_DELTA", delta }];
  }

  /** Replaces the running steps. Returns the events of started steps and of ended steps. */
  #updateSteps(next: readonly string[]): readonly [RunEvent[], RunEvent[]] {
    const before = this.#steps;
    this.#steps = next;
    const started = next.filter((name) => !before.includes(name));
    const ended = before.filter((name) => !next.includes(name));
    return [
      started.map((stepName) => ({ type: "STEP_STARTED", stepName })),
      ended.map((stepName) => ({ type: "STEP_FINISHED", stepName })),
    ];
  }

  /** Closes open messages and running steps. */
  #encodeClosing(): RunEvent[] {
    return [...this.#messages.close(), ...this.#updateSteps([])[1]];
  }

  /** Returns the last events of a thread that has ended. */
  #encodeEnd(): RunEvent[] {
    const { status, failure } = this.#state;
    if (status === "failed") {
      const { content = "It failed.", code = "failed" } = failure ?? {};
      return [...this.#encodeClosing(), { type: "RUN_ERROR", message: content, code, ...this.#getUsage() }];
    }
    return [
      ...this.#encodeClosing(),
      this.#createFinishedEvent({ type: status === "cancelled" ? "cancelled" : "success" }),
    ];
  }

  #createFinishedEvent(outcome: RunOutcome): RunEvent {
    return { ...toRunFinished(this.#input, outcome), ...this.#getUsage() };
  }

  #getUsage(): { usage?: AgUiTokenUsage[] } {
    const { usage } = this.#state;
    if (usage === undefined) return {};
    const { input_tokens: inputTokens, output_tokens: outputTokens } = usage;
    return { usage: [{ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }] };
  }
}

/** Returns the first event of a run. */
export function toRunStarted({ threadId, runId, version }: RunInput): RunEvent {
  return {
    type: "RUN_STARTED",
    threadId,
    runId,
    ...(version === null ? {} : { protocolVersion: AGUI_PROTOCOL_VERSION }),
  };
}

/**
 * Returns the last event of a run. The outcome `cancelled` is left out for clients before 1.0, which do not know it.
 */
export function toRunFinished({ threadId, runId, version }: RunInput, outcome: RunOutcome): RunEvent {
  const isUnknown = outcome.type === "cancelled" && version === null;
  return { type: "RUN_FINISHED", threadId, runId, ...(isUnknown ? {} : { outcome }) };
}
