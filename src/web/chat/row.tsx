// Renders one row of the transcript. It renders again only if the row object has changed.

import { CalendarClock } from "lucide-react";
import { memo, type ReactNode } from "react";
import { textOf, type Item } from "../../protocol/items.ts";
import { Avatar } from "../ui/avatar.tsx";
import { useWords } from "../language.ts";
import { PlanCard } from "../plan/plan-card.tsx";
import { EndRow } from "./end-row.tsx";
import { FailureRow } from "./failure-row.tsx";
import { MessageRow } from "./message-row.tsx";
import { OutgoingRow } from "./outgoing-row.tsx";
import { useAgentNames } from "./names.ts";
import styles from "./row.module.css";
import type { Row } from "./row-kinds.ts";
import { StepOf } from "./step.tsx";
import { WORDS } from "./words.ts";
import { Working } from "./working.tsx";

export const RowView = memo(function RowView({ row }: { readonly row: Row }) {
  return <div className={`${styles["row"]} ${styles[row.kind] ?? ""}`}>{contentOf(row)}</div>;
});

function contentOf(row: Row): ReactNode {
  switch (row.kind) {
    case "message":
      return <MessageRow item={row.item} isQueued={row.isQueued} />;
    case "run":
      return <RunRow item={row.item} />;
    case "plan":
      return <PlanCard plan={row.plan} />;
    case "text":
    case "reasoning":
    case "tool":
    case "component":
    case "verification":
      return (
        <Spoken by={row.speaker} item={row.item}>
          <StepOf item={row.item} isLive={row.isLive} />
        </Spoken>
      );
    case "question":
      return <StepOf item={row.item} isLive={false} />;
    case "failure":
      return <FailureRow item={row.item} again={row.again} />;
    case "working":
      return <Working activity={row.activity} />;
    case "end":
      return <EndRow thread={row.thread} answer={row.answer} outcome={row.outcome} again={row.again} />;
    case "outgoing":
      return <OutgoingRow outgoing={row.outgoing} />;
  }
}

/** Content of an agent, under its name if the speaker has changed. */
function Spoken({
  by,
  item,
  children,
}: {
  readonly by: string | undefined;
  readonly item: Item;
  readonly children: ReactNode;
}) {
  const nameOf = useAgentNames();
  const name = nameOf(item.agent_name);
  return (
    <article aria-label={name}>
      {by === undefined ? null : (
        <p className={styles["speaker"]} aria-hidden>
          <Avatar name={name === "Orrery" ? name : by} label={name} size="small" />
          {name}
        </p>
      )}
      {children}
    </article>
  );
}

function RunRow({ item }: { readonly item: Item }) {
  const say = useWords(WORDS);
  return (
    <p className={styles["scheduled"]}>
      <CalendarClock size={16} aria-hidden />
      <span>{say("scheduledRun")}</span>
      <strong>{textOf(item)}</strong>
    </p>
  );
}
