// What an agent or the planner asks the person: a form as long as it is open, and then what became of it.

import { memo } from "react";
import type { Item } from "../../protocol/items.ts";
import { useTalk } from "../chat/talk.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Approve } from "./approve.tsx";
import { ClosedQuestion } from "./closed.tsx";
import { elementOf } from "./seek.ts";
import { Expiry } from "./expiry.tsx";
import { Reply } from "./reply.tsx";
import { askedIn, standingOf, type Asked } from "./standing.ts";
import { useAnswer } from "./use-answer.ts";
import { Who } from "./who.tsx";
import styles from "./question.module.css";

export function Question({ item }: { readonly item: Item }) {
  const { view } = useTalk();
  const asked = askedIn(item);
  if (asked === null) return null;
  const standing = standingOf(view, item, asked);
  if (standing.state !== "open") return <ClosedQuestion item={item} asked={asked} standing={standing} />;
  return <OpenQuestion item={item} />;
}

const OpenQuestion = memo(function OpenQuestion({ item }: { readonly item: Item }) {
  const asked = askedIn(item);
  return asked === null ? null : <Form item={item} asked={asked} />;
});

function Form({ item, asked }: { readonly item: Item; readonly asked: Asked }) {
  const { progress, answer } = useAnswer(asked.request_id);
  const id = elementOf(asked.request_id);
  const { approval, expires_at, content, options = [] } = asked;
  return (
    // Whoever is led here stands on the card: nothing is answered by a key pressed too early.
    <section id={id} className={styles["card"]} tabIndex={-1} aria-labelledby={`${id}-who`}>
      <header className={styles["head"]}>
        <Who id={`${id}-who`} agent={item.agent_name} approval={approval?.tool} />
        {expires_at === undefined ? null : <Expiry at={expires_at} />}
      </header>
      {approval === undefined ? (
        <>
          <Markdown text={content} />
          <Reply options={options} progress={progress} onAnswer={answer} />
        </>
      ) : (
        <Approve asked={asked} approval={approval} progress={progress} onAnswer={answer} />
      )}
    </section>
  );
}
