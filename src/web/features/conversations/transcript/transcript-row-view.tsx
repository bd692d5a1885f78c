// Renders one row of the transcript. It renders again only if the row object has changed.

import { CalendarClock } from "lucide-react";
import { memo, type ReactNode } from "react";
import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { useMessages } from "../../../session/language.ts";
import { PlanCard } from "../task-plan/plan-card.tsx";
import { ThreadEndRow } from "./thread-end-row.tsx";
import { FailureRow } from "./failure-row.tsx";
import { MessageRow } from "./message-row.tsx";
import { OutgoingRow } from "./outgoing-row.tsx";
import { useAgentNames } from "../../agents/use-agent-names.ts";
import styles from "./transcript-row-view.module.css";
import type { TranscriptRow } from "./transcript-row.ts";
import { ItemView } from "../items/item-view.tsx";
import { ActivityRow } from "./activity-row.tsx";

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
