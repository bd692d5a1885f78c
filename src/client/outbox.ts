// Commands on their way: kept until the server has acknowledged them, however often the line drops.

import type { ClientCommand } from "../protocol/commands.ts";
import type { ControlFrame } from "../protocol/frames.ts";

export type Ack = Extract<ControlFrame, { type: "ack" }>;
type Refusal = Extract<ControlFrame, { type: "error" }>;

/** The server understood a command and refuses to carry it out. */
export class CommandRefused extends Error {
  override readonly name = "CommandRefused";
  readonly code: string;
  readonly field: string | undefined;
  /** Seconds after which it may go better. */
  readonly retryAfter: number | undefined;

  constructor(frame: Refusal) {
    super(frame.message);
    this.code = frame.code;
    this.field = frame.field;
    this.retryAfter = frame.retry_after;
  }
}

type Waiting = {
  readonly command: ClientCommand;
  readonly resolve: (ack: Ack) => void;
  readonly reject: (reason: unknown) => void;
};

export type Outbox = {
  /** Keeps a command; the promise settles with the server's answer to it, over whichever socket that comes. */
  add(command: ClientCommand): Promise<Ack>;
  /** Unanswered commands, oldest first: what to send on a new socket. The ids stay, so none is carried out twice. */
  pending(): readonly ClientCommand[];
  /** Settles the command that is answered. Answers to unknown commands are ignored: they were settled before. */
  settle(answer: Ack | Refusal): void;
  rejectAll(reason: unknown): void;
};

export function createOutbox(): Outbox {
  const waiting = new Map<string, Waiting>();
  return {
    add: (command) =>
      new Promise((resolve, reject) => {
        waiting.set(command.id, { command, resolve, reject });
      }),
    pending: () => [...waiting.values()].map((entry) => entry.command),
    settle(answer) {
      const entry = waiting.get(answer.id ?? "");
      if (entry === undefined) return;
      waiting.delete(entry.command.id);
      if (answer.type === "ack") entry.resolve(answer);
      else entry.reject(new CommandRefused(answer));
    },
    rejectAll(reason) {
      for (const entry of waiting.values()) entry.reject(reason);
      waiting.clear();
    },
  };
}
