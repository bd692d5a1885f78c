import { ArrowRight } from "lucide-react";
import { Link } from "wouter";
import { useAgentNames } from "../chat/use-agent-names.ts";
import { useWords } from "../language.ts";
import styles from "./steps.module.css";
import { getStringField, type JsonFields } from "./step-values.ts";
import { WORDS } from "./words.ts";

/** Shows that an agent handed work to another, with a link to that conversation unless it is the current one. */
export function HandoffLine({
  fields,
  currentConversationId,
}: {
  readonly fields: JsonFields;
  readonly currentConversationId: string;
}) {
  const say = useWords(WORDS);
  const id = getStringField(fields, "conversation_id");
  const agent = useAgentNames()(getStringField(fields, "agent_name"));
  return (
    <div className={styles["handoff"]}>
      <ArrowRight size={16} aria-hidden />
      <p>
        {say(fields["phase"] === "end" ? "handoffEnds" : "handoffStarts", { agent })}{" "}
        {id === "" || id === currentConversationId ? null : (
          <Link href={`/c/${encodeURIComponent(id)}`}>{say("openConversation")}</Link>
        )}
      </p>
    </div>
  );
}
