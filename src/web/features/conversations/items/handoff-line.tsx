import { ArrowRight } from "lucide-react";
import { Link } from "wouter";
import { useAgentNames } from "../../agents/use-agent-names.ts";
import { useMessages } from "../../../session/language.ts";
import styles from "./steps.module.css";
import { getStringField, type JsonFields } from "../state/step-values.ts";

/**
 * Shows that work was handed to an agent or that the agent has finished it (`phase` is "end"), with a link to its
 * conversation unless it is shown already.
 */
export function HandoffLine({
  fields,
  currentConversationId,
}: {
  readonly fields: JsonFields;
  readonly currentConversationId: string;
}) {
  const t = useMessages("steps");
  const id = getStringField(fields, "conversation_id");
  const agent = useAgentNames()(getStringField(fields, "agent_name"));
  return (
    <div className={styles["handoff"]}>
      <ArrowRight size={16} aria-hidden />
      <p>
        {t(fields["phase"] === "end" ? "handoffEnds" : "handoffStarts", { agent })}{" "}
        {id === "" || id === currentConversationId ? null : (
          <Link href={`/c/${encodeURIComponent(id)}`}>{t("openConversation")}</Link>
        )}
      </p>
    </div>
  );
}
