// The React context of an open conversation: its state and its commands.

import { createContext, use } from "react";
import type { ConnectionState } from "../../client/connect.ts";
import type { Cancel, Resume, Send } from "../../protocol/commands.ts";
import type { View } from "../../protocol/view.ts";

/** A message that is not in the event log yet: it is being sent, or the server has refused it. */
export type Outgoing = {
  readonly key: string;
  readonly text: string;
  readonly status: "sending" | "failed";
  /** The reason of the refusal, as text for people. */
  readonly reason?: string;
};

/** The commands of a conversation. The functions do not change while it is shown. */
export type TalkActions = {
  readonly send: (message: string, options?: Pick<Send, "agent" | "verify">) => void;
  /** Rejects with a `Fault` or `CommandRefused`, whose message is text for people. */
  readonly answer: (message: string, options?: Omit<Resume, "message">) => Promise<void>;
  readonly cancel: (target?: Cancel) => Promise<void>;
  /** Puts a text into the message box. */
  readonly edit: (text: string) => void;
  /** Sends a refused message again. */
  readonly retry: (key: string) => void;
  /** Removes a message that was not sent. Returns its text. */
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

/** Returns the surrounding conversation. The component renders with every change. Throws if there is none. */
export function useTalk(): Talk {
  const talk = use(TalkContext);
  if (talk === null) throw new Error("This part of a conversation stands outside of one.");
  return talk;
}

/** Returns the commands only: the component does not render with every change. Throws if there is none. */
export function useTalkActions(): TalkActions {
  const actions = use(TalkActionsContext);
  if (actions === null) throw new Error("This part of a conversation stands outside of one.");
  return actions;
}
