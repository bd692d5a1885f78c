// Announces a finished answer to screen readers. Partial text is not announced.

import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { View } from "../../protocol/view.ts";
import { useWords } from "../language.ts";
import { lastSaidOf } from "./last-said.ts";
import { useAgentNames } from "./names.ts";
import { WORDS } from "./words.ts";

/** Announce at most this many UTF-16 units; longer answers can be read in the transcript. */
const MAX_CHARS = 1_000;

export function Announcer({ view }: { readonly view: View }) {
  const say = useWords(WORDS);
  const nameOf = useAgentNames();
  const [words, setWords] = useState("");
  /** The ended threads; null before the first run. Threads that had ended when the view loaded are not announced. */
  const over = useRef<ReadonlySet<string>>(null);
  const announce = useEffectEvent(() => {
    const ended = view.threads.filter(({ status }) => status !== "open").map(({ thread_id }) => thread_id);
    const news = over.current === null ? [] : ended.filter((id) => over.current?.has(id) === false);
    over.current = new Set(ended);
    const last = news.at(-1);
    if (last === undefined) return;
    const heard = lastSaidOf(view, last);
    if (heard === undefined) return;
    setWords(say("answered", { name: nameOf(heard.agent), text: heard.text.slice(0, MAX_CHARS) }));
  });
  const { threads, isCaughtUp } = view;
  useEffect(() => {
    if (isCaughtUp) announce();
  }, [threads, isCaughtUp]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {words}
    </p>
  );
}
