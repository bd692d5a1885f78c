import { useConversation } from "../../conversations/state/conversation-context.ts";
import { useMessages } from "../../../session/language.ts";
import { QuestionCard } from "../../conversations/question/question-card.tsx";
import styles from "./workflow-instance.module.css";

/** The open questions of an instance, except `excludedId`, which has a form of its own; nothing if there are none. */
export function WorkflowQuestions({ excludedId }: { readonly excludedId: string | undefined }) {
  const t = useMessages("workflows");
  const { view } = useConversation();
  const open = new Set(view.pending.map(({ request_id }) => request_id).filter((id) => id !== excludedId));
  if (open.size === 0) return null;
  const items = [...view.items.values()].filter(({ payload }) => open.has(String(payload["request_id"])));
  return (
    <section className={styles["section"]}>
      <h2>{t("questions")}</h2>
      {items.map((item) => (
        <QuestionCard key={item.item_id} item={item} />
      ))}
    </section>
  );
}
