// The record of one message: the client's commands, their acknowledgements, and the kills before them.

import type { Script } from "./scripts.ts";

/**
 * An acknowledged cancellation. After `seq`, only closing events of its target may follow. `taskId` is null for the
 * whole thread; `life` is the number of kills before the acknowledgement.
 */
export type Cancelled = { readonly taskId: string | null; readonly seq: number; readonly life: number };

/** An acknowledged answer to a question. */
export type Answered = { readonly requestId: string; readonly seq: number };

export type Turn = {
  readonly script: Script;
  readonly commandId: string;
  /** The number of kills before the message was sent. */
  readonly bornAt: number;
  /** The number of kills before its end was received; null until then. */
  endedAt: number | null;
  threadId: string;
  /** The `seq` of its `thread_started`, as acknowledged. */
  seq: number;
  /** True once a cancellation of the thread or a task was sent, whether or not it was acknowledged. */
  isDisturbed: boolean;
  readonly cancels: Cancelled[];
  readonly answers: Answered[];
};

/** Creates the record of a message that is about to be sent. `kills` is the number of kills so far. */
export function newTurn(script: Script, commandId: string, kills: number): Turn {
  return {
    script,
    commandId,
    bornAt: kills,
    endedAt: null,
    threadId: "",
    seq: 0,
    isDisturbed: false,
    cancels: [],
    answers: [],
  };
}
