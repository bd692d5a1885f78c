import { escapeInvisible } from "../../protocol/text/escape-invisible.ts";
import { useAgentNames } from "../chat/use-agent-names.ts";
import { useWords } from "../language.ts";
import { Avatar } from "../ui/avatar.tsx";
import styles from "./question-card.module.css";
import { WORDS } from "./words.ts";

/** The heading of a question: the agent that asks and, for an approval, the tool. */
export function QuestionHeading({
  id,
  agent,
  approval,
}: {
  readonly id: string;
  readonly agent: string | undefined;
  readonly approval?: string | undefined;
}) {
  const say = useWords(WORDS);
  const name = useAgentNames()(agent);
  const isApproval = approval !== undefined;
  const words =
    agent === undefined
      ? say(isApproval ? "somebodyWantsApproval" : "somebodyAsks")
      : say(isApproval ? "wantsApproval" : "asks", { who: name });
  return (
    <h2 id={id} className={styles["who"]}>
      {agent === undefined ? null : <Avatar name={agent} label={name} size="small" />}
      <span>{words}</span>
      {isApproval ? <code className={styles["tool"]}>{escapeInvisible(approval)}</code> : null}
    </h2>
  );
}
