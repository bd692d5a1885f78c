// A conversation as its views use it.

import { createContext, use } from "react";
import type { ConnectionState } from "../../client/connect.ts";
import type { Cancel, Resume, Send } from "../../protocol/commands.ts";
import type { View } from "../../protocol/view.ts";

/** A message on its way: told to the server and not yet in its log, or refused by it. */
export type Outgoing = {
  readonly key: string;
  readonly text: string;
  readonly status: "sending" | "failed";
  /** Why it was refused, in words. */
  readonly reason?: string;
};

export type Talk = {
  readonly id: string;
  readonly view: View;
  readonly state: ConnectionState;
  readonly outgoing: readonly Outgoing[];
  send(message: string, options?: Pick<Send, "agent" | "verify">): void;
  /** Rejects with a `Fault` or `CommandRefused`, whose words are for the person. */
  answer(message: string, options?: Omit<Resume, "message">): Promise<void>;
  cancel(target?: Cancel): Promise<void>;
  /** Puts a text into the box for writing, to be changed and sent. */
  edit(text: string): void;
};

export const TalkContext = createContext<Talk | null>(null);

/** The conversation that the component stands in. */
export function useTalk(): Talk {
  const talk = use(TalkContext);
  if (talk === null) throw new Error("This part of a conversation stands outside of one.");
  return talk;
}
