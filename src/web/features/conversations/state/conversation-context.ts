// The React context of an open conversation: its state and its commands.

import { createContext, use } from "react";
import type { ConnectionState } from "../../../../client/connect.ts";
import type { CancelCommand, ResumeCommand, SendCommand } from "../../../../protocol/wire/commands.ts";
import type { ConversationView } from "../../../../protocol/wire/view.ts";

/** A message that is not in the event log yet: it is being sent, or the server has refused it. */
export type OutgoingMessage = {
  readonly key: string;
  readonly text: string;
  readonly status: "sending" | "failed";
  /** The reason of the refusal, as text for people. */
  readonly reason?: string;
};

/** The commands of a conversation. In `ConversationPane`, the object changes only with the language. */
export type ConversationCommands = {
  /** Puts a message into the outbox. Without `agent`, the server selects the agent. */
  readonly send: (message: string, options?: Pick<SendCommand, "agent" | "verify">) => void;
  /**
   * Answers an open question. Rejects with a `Fault` or `CommandRefused`, whose message is text for people, or with an
   * `AbortError` if there is no connection.
   */
  readonly answer: (message: string, options?: Omit<ResumeCommand, "message">) => Promise<void>;
  /** Cancels a thread or a task; without a target, the oldest open thread of a message. Rejects like `answer`. */
  readonly cancel: (target?: CancelCommand) => Promise<void>;
  /** Puts a text into the message box, above a text that is already there, and focuses the box. */
  readonly edit: (text: string) => void;
  /** Sends a refused message again. `key`: see `OutgoingMessage`. */
  readonly retry: (key: string) => void;
  /** Removes an outgoing message. Returns its text; "" if there is no such message. */
  readonly discard: (key: string) => string;
};

export type ConversationContextValue = ConversationCommands & {
  readonly id: string;
  readonly view: ConversationView;
  readonly state: ConnectionState;
  readonly outgoing: readonly OutgoingMessage[];
};

/** Provided together around every open conversation, in `ConversationPane` and on the page of a workflow instance. */
export const ConversationContext = createContext<ConversationContextValue | null>(null);
export const ConversationCommandsContext = createContext<ConversationCommands | null>(null);

/** Returns the surrounding conversation. The component renders with every change. Throws an Error if there is none. */
export function useConversation(): ConversationContextValue {
  const conversation = use(ConversationContext);
  if (conversation === null) throw new Error("This part of a conversation stands outside of one.");
  return conversation;
}

/** Returns only the commands, so the component does not render with every change. Throws an Error if there are none. */
export function useConversationCommands(): ConversationCommands {
  const commands = use(ConversationCommandsContext);
  if (commands === null) throw new Error("This part of a conversation stands outside of one.");
  return commands;
}
