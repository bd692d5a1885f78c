// The commands that the server has not answered yet. The outbox owns them and their promises, in the order of sending.
//
// Invariants: a command stays until it is answered or all are rejected; each promise settles once. Ids are unique and
// do not change, so the server carries out a repeated command once (T2).
// The outbox sends nothing itself: the connection sends `listPending` on every new socket.
// Failure: `rejectAll` empties it. An answer to an unknown id has no effect.

import type { ClientCommand } from "../protocol/wire/commands.ts";
import type { ControlFrame } from "../protocol/wire/server-frames.ts";

/** The acknowledgement of a command. */
export type Ack = Extract<ControlFrame, { type: "ack" }>;
type CommandErrorFrame = Extract<ControlFrame, { type: "error" }>;

/** The error of a command that the server refused. `code` is the code of the fault, `field` the offending field. */
export class CommandRefused extends Error {
  override readonly name = "CommandRefused";
  readonly code: string;
  readonly field: string | undefined;
  /** Seconds after which another attempt may succeed. */
  readonly retryAfter: number | undefined;

  constructor(frame: CommandErrorFrame) {
    super(frame.message);
    this.code = frame.code;
    this.field = frame.field;
    this.retryAfter = frame.retry_after;
  }
}

type PendingCommand = {
  readonly command: ClientCommand;
  readonly resolve: (ack: Ack) => void;
  readonly reject: (reason: unknown) => void;
};

export type CommandOutbox = {
  /** Adds a command. The promise settles with the answer of the server, on any socket. */
  add(command: ClientCommand): Promise<Ack>;
  /** Lists unanswered commands, oldest first. */
  listPending(): readonly ClientCommand[];
  /** Settles the answered command. Ignores answers to unknown ids, because those were settled before. */
  settle(answer: Ack | CommandErrorFrame): void;
  /** Rejects all commands with this reason and removes them. */
  rejectAll(reason: unknown): void;
};

/** Creates an empty outbox. */
export function createCommandOutbox(): CommandOutbox {
  const pendingCommands = new Map<string, PendingCommand>();
  return {
    add: (command) =>
      new Promise((resolve, reject) => {
        pendingCommands.set(command.id, { command, resolve, reject });
      }),
    listPending: () => [...pendingCommands.values()].map((entry) => entry.command),
    settle(answer) {
      const entry = pendingCommands.get(answer.id ?? "");
      if (entry === undefined) return;
      pendingCommands.delete(entry.command.id);
      if (answer.type === "ack") entry.resolve(answer);
      else entry.reject(new CommandRefused(answer));
    },
    rejectAll(reason) {
      for (const entry of pendingCommands.values()) entry.reject(reason);
      pendingCommands.clear();
    },
  };
}
