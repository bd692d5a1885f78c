// The row at the end of an open thread that shows its current activity.

import { useWords, type Say } from "../language.ts";
import type { ThreadActivity } from "./thread-activity.ts";
import { useAgentNames } from "./use-agent-names.ts";
import { useConversation } from "./conversation-context.ts";
import { WORDS } from "./words.ts";
import styles from "./activity-row.module.css";

export function ActivityRow({ activity }: { readonly activity: ThreadActivity }) {
  const say = useWords(WORDS);
  const nameOf = useAgentNames();
  const { state } = useConversation();
  const isStill = activity.kind === "waiting" || state.status !== "open";
  return (
    <p className={styles["working"]}>
      <span className={`${styles["mark"]} ${isStill ? styles["still"] : ""}`} aria-hidden />
      <span>{formatActivity(activity, say, nameOf)}</span>
      {activity.kind === "working" && activity.total > 1 ? (
        <span className={styles["more"]}>{say("tasksDone", { done: activity.done, total: activity.total })}</span>
      ) : null}
    </p>
  );
}

function formatActivity(
  activity: ThreadActivity,
  say: Say<keyof typeof WORDS.en>,
  nameOf: (name: string) => string,
): string {
  switch (activity.kind) {
    case "asking":
      return say("asking", { names: formatNameList(activity.agents.map(nameOf)) });
    case "working":
      return say("working", { names: formatNameList(activity.agents.map(nameOf)), count: activity.agents.length });
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

function formatNameList(names: readonly string[]): string {
  return new Intl.ListFormat(document.documentElement.lang || "en").format(names);
}
