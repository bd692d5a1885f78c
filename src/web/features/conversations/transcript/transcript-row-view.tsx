// Renders one row of the transcript. It renders again only if the row object has changed.

import { CalendarClock } from "lucide-react";
import { memo, type ReactNode } from "react";
import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { useMessages, type Translate } from "../../../session/language.ts";
import { PlanCard } from "../task-plan/plan-card.tsx";
import { ThreadEndRow, FailureRow } from "./thread-end-row.tsx";
import { MessageRow, OutgoingRow } from "./message-row.tsx";
import { useAgentNames } from "../../agents/use-agents.ts";
import styles from "./transcript-row-view.module.css";
import type { TranscriptRow, ThreadActivity } from "./transcript-row.ts";
import { ItemView } from "../items/item-view.tsx";
import { useConversation } from "../state/conversation-context.ts";

export const TranscriptRowView = memo(function TranscriptRowView({ row }: { readonly row: TranscriptRow }) {
  return <div className={`${styles["row"]} ${styles[row.kind] ?? ""}`}>{renderRowContent(row)}</div>;
});

function renderRowContent(row: TranscriptRow): ReactNode {
  switch (row.kind) {
    case "message":
      return <MessageRow item={row.item} isQueued={row.isQueued} />;
    case "run":
      return <ScheduleRunRow item={row.item} />;
    case "plan":
      return <PlanCard plan={row.plan} />;
    case "text":
    case "reasoning":
    case "tool":
    case "component":
    case "verification":
      return (
        <AgentArticle speaker={row.speaker} item={row.item}>
          <ItemView item={row.item} isLive={row.isLive} />
        </AgentArticle>
      );
    case "question":
      return <ItemView item={row.item} isLive={false} />;
    case "failure":
      return <FailureRow item={row.item} resend={row.resend} />;
    case "working":
      return <ActivityRow activity={row.activity} />;
    case "end":
      return <ThreadEndRow thread={row.thread} answer={row.answer} outcome={row.outcome} resend={row.resend} />;
    case "outgoing":
      return <OutgoingRow outgoing={row.outgoing} />;
  }
}

/** Content of an agent, under its name if the speaker has changed. */
function AgentArticle({
  speaker,
  item,
  children,
}: {
  readonly speaker: string | undefined;
  readonly item: Item;
  readonly children: ReactNode;
}) {
  const getAgentName = useAgentNames();
  const name = getAgentName(item.agent_name);
  return (
    <article aria-label={name}>
      {speaker === undefined ? null : (
        <p className={styles["speaker"]} aria-hidden>
          <Avatar name={name === "Orrery" ? name : speaker} label={name} size="small" />
          {name}
        </p>
      )}
      {children}
    </article>
  );
}

function ScheduleRunRow({ item }: { readonly item: Item }) {
  const t = useMessages("chat");
  return (
    <p className={styles["scheduled"]}>
      <CalendarClock size={16} aria-hidden />
      <span>{t("scheduledRun")}</span>
      <strong>{getItemText(item)}</strong>
    </p>
  );
}

// The row at the end of an open thread that shows its current activity.

/** Its mark moves, unless the thread waits for the person or the connection is not open. */
function ActivityRow({ activity }: { readonly activity: ThreadActivity }) {
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
