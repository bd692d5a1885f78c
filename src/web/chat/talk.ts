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

/** What can be done in a conversation: the same functions as long as it is shown. */
export type TalkActions = {
  readonly send: (message: string, options?: Pick<Send, "agent" | "verify">) => void;
  /** Rejects with a `Fault` or `CommandRefused`, whose words are for the person. */
  readonly answer: (message: string, options?: Omit<Resume, "message">) => Promise<void>;
  readonly cancel: (target?: Cancel) => Promise<void>;
  /** Puts a text into the box for writing, to be changed and sent. */
  readonly edit: (text: string) => void;
  /** Sends a refused message again. */
  readonly retry: (key: string) => void;
  /** Takes a message that was not sent out of the way. Returns its text. */
  readonly discard: (key: string) => string;
};

export type Talk = TalkActions & {
  readonly id: string;
  readonly view: View;
  readonly state: ConnectionState;
  readonly outgoing: readonly Outgoing[];
};

export const TalkContext = createContext<Talk | null>(null);
export const TalkActionsContext = createContext<TalkActions | null>(null);

/** The conversation that the component stands in. Draws again with everything that happens in it. */
export function useTalk(): Talk {
  const talk = use(TalkContext);
  if (talk === null) throw new Error("This part of a conversation stands outside of one.");
  return talk;
}

/** What can be done in the conversation, for components that are not to draw again with it. */
export function useTalkActions(): TalkActions {
  const actions = use(TalkActionsContext);
  if (actions === null) throw new Error("This part of a conversation stands outside of one.");
  return actions;
}
