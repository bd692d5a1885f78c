import { useConversation } from "../chat/conversation-context.ts";
import { useWords } from "../language.ts";
import { QuestionCard } from "../question/question-card.tsx";
import styles from "./workflow-instance.module.css";
import { WORDS } from "./words.ts";

/** The open questions of the agents of an instance, except the one that has its own form. */
export function WorkflowQuestions({ excludedId }: { readonly excludedId: string | undefined }) {
  const say = useWords(WORDS);
  const { view } = useConversation();
  const open = new Set(view.pending.map(({ request_id }) => request_id).filter((id) => id !== excludedId));
  if (open.size === 0) return null;
  const items = [...view.items.values()].filter(({ payload }) => open.has(String(payload["request_id"])));
  return (
    <section className={styles["section"]}>
      <h2>{say("questions")}</h2>
      {items.map((item) => (
        <QuestionCard key={item.item_id} item={item} />
      ))}
    </section>
  );
}
