// Answers one question.
//
// The hook owns the progress of the answer and uses the draft of the question. Invariant: one answer is in flight at a
// time, and none is sent after the first that succeeded. If the card is unmounted without an answer in flight (another
// client answered, or the question expired), the draft moves to the message box, so that no text is lost. If an answer
// fails after the card was unmounted, the refusal is shown as a toast and the draft moves as well.

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Resume } from "../../protocol/commands.ts";
import { draftOf, type Draft } from "../chat/composer/draft.ts";
import { useTalkActions, type TalkActions } from "../chat/talk.ts";
import { refusalOf, type Refusal } from "../refusal.ts";
import { toast } from "../ui/toast.tsx";
import { refusalWords } from "./refused.ts";

/** The progress of an answer. It stays `sent` until the view contains the answer. */
export type Progress =
  | { readonly status: "idle" }
  | { readonly status: "sending"; readonly message: string }
  | { readonly status: "sent"; readonly message: string }
  | { readonly status: "failed"; readonly refusal: Refusal };

export type Answering = {
  readonly progress: Progress;
  /** Sends an answer. Ignored while one is in flight or after one has succeeded. Always the same function. */
  readonly answer: (message: string, edited?: Resume["arguments"]) => void;
  /** The draft of the text answer. */
  readonly draft: Draft;
};

export function useAnswer(requestId: string): Answering {
  const talk = useTalkActions();
  const isUnderWay = useRef(false);
  const isShown = useRef(true);
  const [progress, setProgress] = useState<Progress>({ status: "idle" });
  const draft = draftOf(`answer.${requestId}`);
  const leave = useEffectEvent(() => {
    isShown.current = false;
    if (!isUnderWay.current) giveBack(draft, talk);
  });
  useEffect(() => {
    isShown.current = true;
    return () => leave();
  }, []);
  const answer = useCallback(
    (message: string, edited?: Resume["arguments"]) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      setProgress({ status: "sending", message });
      const more = { request_id: requestId, ...(edited === undefined ? {} : { arguments: edited }) };
      talk.answer(message, more).then(
        () => {
          draft.set("");
          setProgress({ status: "sent", message });
        },
        (thrown: unknown) => {
          const refusal = refusalOf(thrown);
          isUnderWay.current = false;
          setProgress({ status: "failed", refusal });
          // After unmount, another answer was faster and its event arrived first.
          if (isShown.current) return;
          toast(refusalWords(refusal), "failed");
          giveBack(draft, talk);
        },
      );
    },
    [requestId, talk, draft],
  );
  return { progress, answer, draft };
}

/** Moves an unsent draft to the message box. */
function giveBack(draft: Draft, { edit }: TalkActions): void {
  const text = draft.get();
  if (text.trim() === "") return;
  draft.set("");
  edit(text);
}

/** Returns true while no answer can be sent. */
export function isBusy({ status }: Progress): boolean {
  return status === "sending" || status === "sent";
}
