import { useCallback, useRef, useState } from "react";
import type { Resume } from "../../protocol/commands.ts";
import { useTalkActions } from "../chat/talk.ts";
import { refusalOf, type Refusal } from "../refusal.ts";

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
};

export function useAnswer(requestId: string): Answering {
  const talk = useTalkActions();
  const isUnderWay = useRef(false);
  const [progress, setProgress] = useState<Progress>({ status: "idle" });
  const answer = useCallback(
    (message: string, edited?: Resume["arguments"]) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      setProgress({ status: "sending", message });
      const more = { request_id: requestId, ...(edited === undefined ? {} : { arguments: edited }) };
      talk.answer(message, more).then(
        () => setProgress({ status: "sent", message }),
        (thrown: unknown) => {
          isUnderWay.current = false;
          setProgress({ status: "failed", refusal: refusalOf(thrown) });
        },
      );
    },
    [requestId, talk],
  );
  return { progress, answer };
}

/** Whether nothing can be answered at the moment. */
export function isBusy({ status }: Progress): boolean {
  return status === "sending" || status === "sent";
}
