// The options of a direct answer: what a client of a model interface gives besides the text of its message.

import type { SendCommand } from "../../protocol/wire/commands.ts";
import type { AnswerFormat, ChatMessage, ToolSpec } from "../ports.ts";

/** The options of the direct answer to a message. JSON; stored with the message. */
export type AnswerOptions = {
  /**
   * The messages that triage reads in place of the text: the text with images, or the results of client tools with the
   * calls and the text before them.
   */
  readonly input?: readonly ChatMessage[];
  readonly clientTools?: ClientTools;
  /** The format of the answer, whoever makes it. */
  readonly format?: AnswerFormat;
};

/**
 * Tools of the client. Triage may call them; the calls end the thread, and the client runs them and sends the results
 * in its next message.
 */
export type ClientTools = {
  readonly tools: readonly ToolSpec[];
  /** Triage must call one of the tools: it may neither answer nor hand off. */
  readonly mustCall: boolean;
  /** Triage may make only one call at a time. */
  readonly callsOnce: boolean;
};

/** A message with the options of its direct answer. */
export type TurnRequest = SendCommand & { readonly answer?: AnswerOptions };
