// Announces the last answer of a thread to screen readers when the thread ends. Partial text is not announced.

import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { ConversationView } from "../../../../protocol/wire/view.ts";
import { useMessages } from "../../../session/language.ts";
import { findLastAnswer } from "./last-answer.ts";
import { useAgentNames } from "../../agents/use-agents.ts";

/** Announce at most this many UTF-16 units; longer answers can be read in the transcript. */
const MAX_CHARS = 1_000;

/** A live region that is not visible. It stays empty for threads that had ended when the view was caught up. */
export function AnswerAnnouncer({ view }: { readonly view: ConversationView }) {
  const t = useMessages("chat");
  const getAgentName = useAgentNames();
  const [announcement, setAnnouncement] = useState("");
  /** The ended threads; null before the first run. Threads that had ended when the view loaded are not announced. */
  const knownEnded = useRef<ReadonlySet<string>>(null);
  const announce = useEffectEvent(() => {
    const ended = view.threads.filter(({ status }) => status !== "open").map(({ thread_id }) => thread_id);
    const newlyEnded = knownEnded.current === null ? [] : ended.filter((id) => knownEnded.current?.has(id) === false);
    knownEnded.current = new Set(ended);
    const last = newlyEnded.at(-1);
    if (last === undefined) return;
    const answer = findLastAnswer(view, last);
    if (answer === undefined) return;
    setAnnouncement(t("answered", { name: getAgentName(answer.agent), text: answer.text.slice(0, MAX_CHARS) }));
  });
  const { threads, isCaughtUp } = view;
  useEffect(() => {
    if (isCaughtUp) announce();
  }, [threads, isCaughtUp]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {announcement}
    </p>
  );
}
