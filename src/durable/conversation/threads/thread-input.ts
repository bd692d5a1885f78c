// The input of a thread: its request, with the properties that derive from it.

import { resolveInstanceLanguage } from "../../../core/listeners/start-instance.ts";
import { detectLanguage, type Language } from "../../../language/detect-language.ts";
import { toVisibleLine } from "../../../lib/visible-text.ts";
import { createTitle } from "../../../language/text-spans.ts";
import { ensurePresent } from "../../../lib/assert.ts";
import type { TurnRequest } from "../../../core/models/answer-options.ts";
import type { Settings } from "../../../settings.ts";
import { toSendCommand, type InstanceStart } from "../instance-start.ts";
import type { OpenThread } from "../storage/conversation-head.ts";
import type { ConversationStore } from "../storage/conversation-store.ts";

export type ThreadInput = {
  readonly request: TurnRequest;
  /** The input of the workflow instance; null if the thread executes none. */
  readonly start: InstanceStart | null;
  /** The title that the conversation gets from this request. */
  readonly title: string;
  /** The language of the sentences for people. */
  readonly language: Language;
};

/** Questions of an instance stay open for 30 days: nobody may be present. */
const INSTANCE_QUESTION_SECONDS = 30 * 86_400;

/** Returns the time in seconds after which a question of the thread expires (H2). */
export function getQuestionSeconds(
  { QUESTION_SECONDS }: Pick<Settings, "QUESTION_SECONDS">,
  start: ThreadInput["start"],
): number {
  return start === null ? QUESTION_SECONDS : INSTANCE_QUESTION_SECONDS;
}

/** Reads the input of an open thread. */
export function readThreadInput(
  store: ConversationStore,
  { command_id, is_instance }: Pick<OpenThread, "command_id" | "is_instance">,
): ThreadInput {
  const { request: stored } = ensurePresent(store.getCommand(command_id), "the command of an open thread");
  const start = is_instance === true ? (stored as InstanceStart) : null;
  const request = start === null ? (stored as TurnRequest) : toSendCommand(start);
  const { message, language } = request;
  return {
    request,
    start,
    title: toVisibleLine(createTitle(message)),
    language: start === null ? detectLanguage(message, language) : resolveInstanceLanguage(request),
  };
}
