// The React context of an open conversation: its state and its commands.

import { createContext, use } from "react";
import type { ConnectionState } from "../../client/connect.ts";
import type { CancelCommand, ResumeCommand, SendCommand } from "../../protocol/wire/commands.ts";
import type { ConversationView } from "../../protocol/wire/view.ts";

/** A message that is not in the event log yet: it is being sent, or the server has refused it. */
export type OutgoingMessage = {
  readonly key: string;
  readonly text: string;
  readonly status: "sending" | "failed";
  /** The reason of the refusal, as text for people. */
  readonly reason?: string;
};

/** The commands of a conversation. The functions do not change while it is shown. */
export type ConversationCommands = {
  readonly send: (message: string, options?: Pick<SendCommand, "agent" | "verify">) => void;
  /** Rejects with a `Fault` or `CommandRefused`, whose message is text for people. */
  readonly answer: (message: string, options?: Omit<ResumeCommand, "message">) => Promise<void>;
  readonly cancel: (target?: CancelCommand) => Promise<void>;
  /** Puts a text into the message box. */
  readonly edit: (text: string) => void;
  /** Sends a refused message again. */
  readonly retry: (key: string) => void;
  /** Removes a message that was not sent. Returns its text. */
  readonly discard: (key: string) => string;
};

export type ConversationContextValue = ConversationCommands & {
  readonly id: string;
  readonly view: ConversationView;
  readonly state: ConnectionState;
  readonly outgoing: readonly OutgoingMessage[];
};

export const ConversationContext = createContext<ConversationContextValue | null>(null);
export const ConversationCommandsContext = createContext<ConversationCommands | null>(null);

/** Returns the surrounding conversation. The component renders with every change. Throws if there is none. */
export function useConversation(): ConversationContextValue {
  const conversation = use(ConversationContext);
  if (conversation === null) throw new Error("This part of a conversation stands outside of one.");
  return conversation;
}

/** Returns the commands only: the component does not render with every change. Throws if there is none. */
export function useConversationCommands(): ConversationCommands {
  const commands = use(ConversationCommandsContext);
  if (commands === null) throw new Error("This part of a conversation stands outside of one.");
  return commands;
}
