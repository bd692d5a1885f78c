// The row at the end of an open thread that shows its current activity.

import { useWords, type Say } from "../language.ts";
import type { Activity } from "./activity.ts";
import { useAgentNames } from "./names.ts";
import { useTalk } from "./talk.ts";
import { WORDS } from "./words.ts";
import styles from "./working.module.css";

export function Working({ activity }: { readonly activity: Activity }) {
  const say = useWords(WORDS);
  const nameOf = useAgentNames();
  const { state } = useTalk();
  const isStill = activity.kind === "waiting" || state.status !== "open";
  return (
    <p className={styles["working"]}>
      <span className={`${styles["mark"]} ${isStill ? styles["still"] : ""}`} aria-hidden />
      <span>{wordsFor(activity, say, nameOf)}</span>
      {activity.kind === "working" && activity.total > 1 ? (
        <span className={styles["more"]}>{say("tasksDone", { done: activity.done, total: activity.total })}</span>
      ) : null}
    </p>
  );
}

function wordsFor(activity: Activity, say: Say<keyof typeof WORDS.en>, nameOf: (name: string) => string): string {
  switch (activity.kind) {
    case "asking":
      return say("asking", { names: listOf(activity.agents.map(nameOf)) });
    case "working":
      return say("working", { names: listOf(activity.agents.map(nameOf)), count: activity.agents.length });
    case "retrying":
      return say("retrying", { title: activity.title });
    case "writing":
      return say("writing", { name: nameOf(activity.agent) });
    case "thinking":
    case "planning":
    case "waiting":
    case "verifying":
    case "summing":
      return say(activity.kind);
  }
}

function listOf(names: readonly string[]): string {
  return new Intl.ListFormat(document.documentElement.lang || "en").format(names);
}
