// Reads out what was answered, once it is whole: pieces of text as they come would be noise.

import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { View } from "../../protocol/view.ts";
import { useWords } from "../language.ts";
import { lastSaidOf } from "./last-said.ts";
import { useAgentNames } from "./names.ts";
import { WORDS } from "./words.ts";

/** Long answers are read in the transcript. */
const MAX_CHARS = 1_000;

export function Announcer({ view }: { readonly view: View }) {
  const say = useWords(WORDS);
  const nameOf = useAgentNames();
  const [words, setWords] = useState("");
  /** The threads that are known to be over: what had ended before is no news. */
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
