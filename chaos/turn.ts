// What a person did and was told about one message.

import type { Script } from "./scripts.ts";

/** A cancellation that was acknowledged: after `seq` nothing of its target may be told but its end. */
export type Cancelled = { readonly taskId: string | null; readonly seq: number; readonly life: number };

/** An answer that was acknowledged. */
export type Answered = { readonly requestId: string; readonly seq: number };

export type Turn = {
  readonly script: Script;
  readonly commandId: string;
  /** How often the host had been killed when it was sent. */
  readonly bornAt: number;
  /** How often when its end was seen; null before. */
  endedAt: number | null;
  threadId: string;
  /** The number of its `thread_started`, as acknowledged. */
  seq: number;
  /** Somebody asked to cancel it or one of its tasks, whether or not that was acknowledged. */
  isDisturbed: boolean;
  readonly cancels: Cancelled[];
  readonly answers: Answered[];
};

/** One that is about to be sent, after so many kills. */
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
