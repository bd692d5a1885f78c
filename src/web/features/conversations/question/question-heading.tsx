import { escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { useAgentNames } from "../../agents/use-agent-names.ts";
import { useMessages } from "../../../session/language.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import styles from "./question-card.module.css";

/** The heading of a question: the agent that asks, if it is known, and for an approval the name of its tool. */
export function QuestionHeading({
  id,
  agent,
  approval,
}: {
  readonly id: string;
  readonly agent: string | undefined;
  readonly approval?: string | undefined;
}) {
  const t = useMessages("question");
  const name = useAgentNames()(agent);
  const isApproval = approval !== undefined;
  const words =
    agent === undefined
      ? t(isApproval ? "anonymousApproval" : "anonymousQuestion")
      : t(isApproval ? "wantsApproval" : "asks", { who: name });
  return (
    <h2 id={id} className={styles["who"]}>
      {agent === undefined ? null : <Avatar name={agent} label={name} size="small" />}
      <span>{words}</span>
      {isApproval ? <code className={styles["tool"]}>{escapeInvisible(approval)}</code> : null}
    </h2>
  );
}
