// A question of an agent or the planner: a form while it is open, then its outcome.

import { memo, useCallback, useMemo } from "react";
import { Link } from "wouter";
import type { Resume } from "../../protocol/commands.ts";
import type { Item } from "../../protocol/items.ts";
import type { View } from "../../protocol/view.ts";
import { useTalk } from "../chat/talk.ts";
import { useWords } from "../language.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Approve } from "./approve.tsx";
import { Closed } from "./closed.tsx";
import { Expiry } from "./expiry.tsx";
import { instanceWithForm } from "./held.ts";
import styles from "./question.module.css";
import { Reply } from "./reply.tsx";
import { elementOf, standOn } from "./seek.ts";
import { askedIn, standingOf, type Asked, type Standing } from "./standing.ts";
import { useAnswer } from "./use-answer.ts";
import { Who } from "./who.tsx";
import { WORDS } from "./words.ts";

export function Question({ item }: { readonly item: Item }) {
  const { view } = useTalk();
  const asked = useMemo(() => askedIn(item), [item]);
  if (asked === null) return null;
  const standing = standingOf(view, item, asked);
  const isOpen = standing.state === "open";
  const id = elementOf(asked.request_id);
  return (
    // The card takes the focus, not a button in it, so that a key pressed too early answers nothing.
    <section
      id={id}
      className={isOpen ? styles["card"] : `${styles["card"]} ${styles["closed"]}`}
      tabIndex={-1}
      aria-labelledby={`${id}-who`}
    >
      <header className={styles["head"]}>
        <Who id={`${id}-who`} agent={item.agent_name} approval={asked.approval?.tool} />
        {isOpen && asked.expires_at !== undefined ? <Expiry at={asked.expires_at} /> : null}
      </header>
      <Body asked={asked} standing={standing} view={view} />
    </section>
  );
}

function Body({
  asked,
  standing,
  view: { conversation, items },
}: {
  readonly asked: Asked;
  readonly standing: Standing;
  readonly view: View;
}) {
  if (standing.state !== "open") return <Closed asked={asked} standing={standing} />;
  // In the conversation of a task, questions can only be answered in the parent conversation.
  if (conversation?.parent_id !== undefined) return <Markdown text={asked.content} />;
  return <Form asked={asked} instance={instanceWithForm(items, asked.request_id)} />;
}

const Form = memo(function Form({ asked, instance }: { readonly asked: Asked; readonly instance: string | null }) {
  const say = useWords(WORDS);
  const { approval, content, options = [], request_id } = asked;
  const { progress, answer, draft } = useAnswer(request_id);
  const onAnswer = useCallback(
    (message: string, edited?: Resume["arguments"]) => {
      standOn(request_id);
      answer(message, edited);
    },
    [answer, request_id],
  );
  if (approval !== undefined) {
    return <Approve asked={asked} approval={approval} progress={progress} onAnswer={onAnswer} />;
  }
  return (
    <>
      <Markdown text={content} />
      {instance === null ? null : <Link href={`/instances/${encodeURIComponent(instance)}`}>{say("giveInForm")}</Link>}
      <Reply options={options} draft={draft} progress={progress} onAnswer={onAnswer} />
    </>
  );
});
