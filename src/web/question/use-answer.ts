import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Resume } from "../../protocol/commands.ts";
import { draftOf, type Draft } from "../chat/composer/draft.ts";
import { useTalkActions, type TalkActions } from "../chat/talk.ts";
import { refusalOf, type Refusal } from "../refusal.ts";
import { toast } from "../ui/toast.tsx";
import { refusalWords } from "./refused.ts";

/** How far an answer has come. `sent` until the conversation tells it. */
export type Progress =
  | { readonly status: "idle" }
  | { readonly status: "sending"; readonly message: string }
  | { readonly status: "sent"; readonly message: string }
  | { readonly status: "failed"; readonly refusal: Refusal };

export type Answering = {
  readonly progress: Progress;
  /** Answers once, however often it is called until that has failed. Stays the same function. */
  readonly answer: (message: string, edited?: Resume["arguments"]) => void;
  /** Words of one's own, as far as they are written. */
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
          // Another answer was quicker, and its word came first.
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

/** Answered somewhere else, or too late: what was begun goes on in the box below. */
function giveBack(draft: Draft, { edit }: TalkActions): void {
  const text = draft.get();
  if (text.trim() === "") return;
  draft.set("");
  edit(text);
}

/** Whether nothing can be answered at the moment. */
export function isBusy({ status }: Progress): boolean {
  return status === "sending" || status === "sent";
}
