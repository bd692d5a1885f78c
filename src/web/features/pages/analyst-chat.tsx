// The input for requests to the analyst, with the messages exchanged here and the analyst's question.

import { SendHorizontal } from "lucide-react";
import { useId, useState, type FormEvent, type KeyboardEvent } from "react";
import type { ClarifyOptions } from "../../../protocol/pages/analysis-api.ts";
import { isComposing } from "../../ui/text-input.ts";
import { useMessages } from "../../session/language.ts";
import { Markdown } from "../../ui/markdown/markdown.tsx";
import { Button } from "../../ui/button.tsx";
import { Loading } from "../../ui/notice.tsx";
import { TextArea } from "../../ui/field.tsx";
import styles from "./analyst-chat.module.css";
import { toggleMember } from "./chart/chart-data.ts";
import type { AnalystMessage, AnalystChatState } from "./use-analyst-chat.ts";

/**
 * The input is cleared when a message is sent, and restored if it was not accepted. While the analyst thinks or a page
 * is generated, nothing can be sent. `isAboutPage`: requests change the shown page.
 */
export function AnalystChat({
  chat,
  isAboutPage = false,
  isBusy,
}: {
  readonly chat: AnalystChatState;
  readonly isAboutPage?: boolean;
  /** True while a page is being generated. */
  readonly isBusy: boolean;
}) {
  const t = useMessages("pages");
  const [text, setText] = useState("");
  const isWaiting = chat.isThinking || isBusy;
  const send = () => {
    const message = text.trim();
    if (message === "" || isWaiting) return;
    setText("");
    void chat.send(message).then((isTaken) => {
      // Restores a message that was not accepted.
      if (!isTaken) setText((now) => (now === "" ? message : now));
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    // Enter confirms the composition of an input method.
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    send();
  };
  return (
    <section className={styles["ask"]}>
      <div role="log" className={styles["said"]}>
        {chat.messages.map((one, i) => (
          // oxlint-disable-next-line react/no-array-index-key
          <AnalystMessageLine key={i} message={one} />
        ))}
      </div>
      {chat.isThinking ? <ThinkingIndicator /> : null}
      {isWaiting || chat.question === null || chat.question.choices.length === 0 ? null : (
        <QuestionChoices question={chat.question} onChoose={chat.send} />
      )}
      <form onSubmit={submit} className={styles["form"]}>
        <TextArea
          label={t(isAboutPage ? "changeRequest" : "request")}
          hint={t(isAboutPage ? "changeRequestHint" : "requestHint")}
          rows={2}
          value={text}
          maxLength={8_000}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={handleKeyDown}
        />
        <Button look="primary" type="submit" disabled={isWaiting || text.trim() === ""}>
          <SendHorizontal size={16} aria-hidden />
          {t(isAboutPage ? "send" : "create")}
        </Button>
      </form>
    </section>
  );
}

function ThinkingIndicator() {
  const t = useMessages("pages");
  return (
    <div className={styles["thinking"]}>
      <Loading />
      <span>{t("thinking")}</span>
    </div>
  );
}

function AnalystMessageLine({ message: { sender, text } }: { readonly message: AnalystMessage }) {
  const t = useMessages("pages");
  if (sender === "analyst") return <Markdown text={text} />;
  return (
    <p className={styles[sender]} {...(sender === "failure" ? { role: "alert" } : {})}>
      {sender === "person" ? <span className="visually-hidden">{t("you")} </span> : null}
      {text}
    </p>
  );
}

/**
 * The choices of a question as buttons; for multiple choice, checkboxes that are sent together. Other answers are
 * typed.
 */
function QuestionChoices({
  question: { type, choices },
  onChoose,
}: {
  readonly question: ClarifyOptions;
  readonly onChoose: (message: string) => Promise<unknown>;
}) {
  const t = useMessages("pages");
  const name = useId();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  if (type === "single_select")
    return (
      <div className={styles["choices"]}>
        {choices.map(({ label, value, description }) => (
          <Button key={value} title={description} onClick={() => void onChoose(label)}>
            {label}
          </Button>
        ))}
      </div>
    );
  return (
    <div className={styles["choices"]}>
      {choices.map(({ label, value, description }) => (
        <label key={value} title={description} className={styles["choice"]}>
          <input
            type="checkbox"
            name={name}
            checked={chosen.has(label)}
            onChange={() => setChosen((now) => toggleMember(now, label))}
          />
          {label}
        </label>
      ))}
      <Button disabled={chosen.size === 0} onClick={() => void onChoose([...chosen].join(", "))}>
        {t("choose")}
      </Button>
    </div>
  );
}
