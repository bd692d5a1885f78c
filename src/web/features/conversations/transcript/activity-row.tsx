// The row at the end of an open thread that shows its current activity.

import { useMessages, type Translate } from "../../../session/language.ts";
import type { ThreadActivity } from "./thread-activity.ts";
import { useAgentNames } from "../../agents/use-agent-names.ts";
import { useConversation } from "../state/conversation-context.ts";
import styles from "./activity-row.module.css";

/** Its mark moves, unless the thread waits for the person or the connection is not open. */
export function ActivityRow({ activity }: { readonly activity: ThreadActivity }) {
  const t = useMessages("chat");
  const getAgentName = useAgentNames();
  const { state } = useConversation();
  const isStill = activity.kind === "waiting" || state.status !== "open";
  return (
    <p className={styles["working"]}>
      <span className={`${styles["mark"]} ${isStill ? styles["still"] : ""}`} aria-hidden />
      <span>{formatActivity(activity, t, getAgentName)}</span>
      {activity.kind === "working" && activity.total > 1 ? (
        <span className={styles["more"]}>{t("tasksDone", { done: activity.done, total: activity.total })}</span>
      ) : null}
    </p>
  );
}

function formatActivity(
  activity: ThreadActivity,
  t: Translate<"chat">,
  getAgentName: (name: string) => string,
): string {
  switch (activity.kind) {
    case "asking":
      return t("asking", { names: formatNameList(activity.agents.map(getAgentName)) });
    case "working":
      return t("working", { names: formatNameList(activity.agents.map(getAgentName)), count: activity.agents.length });
    case "retrying":
      return t("retrying", { title: activity.title });
    case "writing":
      return t("writing", { name: getAgentName(activity.agent) });
    case "thinking":
    case "planning":
    case "waiting":
    case "verifying":
    case "summing":
      return t(activity.kind);
  }
}

function formatNameList(names: readonly string[]): string {
  return new Intl.ListFormat(document.documentElement.lang || "en").format(names);
}
