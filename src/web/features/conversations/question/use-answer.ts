// Answers one question.
//
// The hook owns the progress of the answer and uses the draft of the question. Invariant: one answer is in flight at a
// time, and none is sent after the first that succeeded. If the card is unmounted without an answer in flight (another
// client answered, or the question expired), the draft moves to the message box, so that no text is lost. If an answer
// fails after the card was unmounted, the refusal is shown as a toast and the draft moves as well.

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { ResumeCommand } from "../../../../protocol/wire/commands.ts";
import { getDraft, type DraftStore } from "../state/draft-store.ts";
import { useConversationCommands, type ConversationCommands } from "../state/conversation-context.ts";
import { getLanguage, getMessages } from "../../../session/language.ts";
import { toUserError, type UserError } from "../../../session/user-error.ts";
import { showToast } from "../../../ui/toast.tsx";

/** The progress of an answer. It stays `sent` until the view contains the answer. */
export type AnswerProgress =
  | { readonly status: "idle" }
  | { readonly status: "sending"; readonly message: string }
  | { readonly status: "sent"; readonly message: string }
  | { readonly status: "failed"; readonly refusal: UserError };

export type AnswerHandle = {
  readonly progress: AnswerProgress;
  /**
   * Sends an answer; `edited` are the arguments of an approval in place of the requested ones. Ignored while an answer
   * is in flight or after an answer has succeeded. Success removes the draft.
   */
  readonly answer: (message: string, edited?: ResumeCommand["arguments"]) => void;
  /** The draft of the text answer. */
  readonly draft: DraftStore;
};

/** Returns progress, draft (key `answer.<request id>`) and sender of the answer. `requestId` must not change. */
export function useAnswer(requestId: string): AnswerHandle {
  const commands = useConversationCommands();
  const isInFlight = useRef(false);
  const isShown = useRef(true);
  const [progress, setProgress] = useState<AnswerProgress>({ status: "idle" });
  const draft = getDraft(`answer.${requestId}`);
  const handleUnmount = useEffectEvent(() => {
    isShown.current = false;
    if (!isInFlight.current) moveDraftToComposer(draft, commands);
  });
  useEffect(() => {
    isShown.current = true;
    return () => handleUnmount();
  }, []);
  const answer = useCallback(
    (message: string, edited?: ResumeCommand["arguments"]) => {
      if (isInFlight.current) return;
      isInFlight.current = true;
      setProgress({ status: "sending", message });
      const more = { request_id: requestId, ...(edited === undefined ? {} : { arguments: edited }) };
      commands.answer(message, more).then(
        () => {
          draft.set("");
          setProgress({ status: "sent", message });
        },
        (thrown: unknown) => {
          const refusal = toUserError(thrown);
          isInFlight.current = false;
          setProgress({ status: "failed", refusal });
          // After unmount, another answer was faster and its event arrived first.
          if (isShown.current) return;
          showToast(formatAnswerRefusal(refusal), "failed");
          moveDraftToComposer(draft, commands);
        },
      );
    },
    [requestId, commands, draft],
  );
  return { progress, answer, draft };
}

/** Moves an unsent draft to the message box. */
function moveDraftToComposer(draft: DraftStore, { edit }: ConversationCommands): void {
  const text = draft.get();
  if (text.trim() === "") return;
  draft.set("");
  edit(text);
}

/** Returns true while an answer is in flight and after it has succeeded: no other answer can be sent then. */
export function isAnswerPending({ status }: AnswerProgress): boolean {
  return status === "sending" || status === "sent";
}

const TRANSLATED_CODES = ["question_answered", "question_expired", "question_cancelled"] as const;

/**
 * Returns the reason why an answer was refused, in the current language: translated for the codes of a question that is
 * no longer open and for `internal`, otherwise the message of the server.
 */
export function formatAnswerRefusal({ code, message }: UserError): string {
  const t = getMessages(getLanguage(), "question");
  const known = TRANSLATED_CODES.find((name) => name === code);
  return known === undefined ? (code === "internal" ? t("sendFailed") : message) : t(known);
}
