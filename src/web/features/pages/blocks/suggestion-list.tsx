import type { PageBlock } from "../../../../protocol/pages/page.ts";
import { useMessages } from "../../../session/language.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { Badge } from "../../../ui/badge.tsx";
import styles from "./blocks.module.css";

type SuggestionListBlock = Extract<PageBlock, { type: "suggestion_list" }>;

const PRIORITIES = {
  high: { tone: "bad", name: "priorityHigh" },
  medium: { tone: "warn", name: "priorityMedium" },
  low: { tone: "info", name: "priorityLow" },
} as const;

/** Suggestions in the given order, each with its priority. */
export function SuggestionList({ block }: { readonly block: SuggestionListBlock }) {
  const t = useMessages("blocks");
  return (
    <>
      <h3>{block.title}</h3>
      <ol className={styles["suggestions"]}>
        {block.items.map(({ title, description, priority, category }, i) => {
          const { tone, name } = PRIORITIES[priority];
          return (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={i}>
              <p className={styles["suggestionTitle"]}>
                <strong>{title}</strong>
                <Badge tone={tone}>{t(name)}</Badge>
                {category === "" ? null : <Badge>{category}</Badge>}
              </p>
              {description === "" ? null : <Markdown text={description} />}
            </li>
          );
        })}
      </ol>
    </>
  );
}
