import { useTalk } from "../chat/talk.ts";
import { useWords } from "../language.ts";
import { Question } from "../question/question.tsx";
import styles from "./instance.module.css";
import { WORDS } from "./words.ts";

/** The open questions of the agents of an instance, except the one that has its own form. */
export function Questions({ besides }: { readonly besides: string | undefined }) {
  const say = useWords(WORDS);
  const { view } = useTalk();
  const open = new Set(view.pending.map(({ request_id }) => request_id).filter((id) => id !== besides));
  if (open.size === 0) return null;
  const items = [...view.items.values()].filter(({ payload }) => open.has(String(payload["request_id"])));
  return (
    <section className={styles["section"]}>
      <h2>{say("questions")}</h2>
      {items.map((item) => (
        <Question key={item.item_id} item={item} />
      ))}
    </section>
  );
}
