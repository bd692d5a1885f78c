// The input for requests to the analyst, with the messages exchanged here and the analyst's question.

import { SendHorizontal } from "lucide-react";
import { useId, useState, type FormEvent, type KeyboardEvent } from "react";
import type { ClarifyOptions } from "../../protocol/analysis.ts";
import { isComposing } from "../composing.ts";
import { useWords } from "../language.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Button } from "../ui/button.tsx";
import { Loading } from "../ui/notice.tsx";
import { TextArea } from "../ui/text-area.tsx";
import styles from "./ask.module.css";
import { toggled } from "./toggled.ts";
import type { Said, Wish } from "./use-wish.ts";
import { WORDS } from "./words.ts";

export function Ask({
  wish,
  isAboutPage = false,
  isBusy,
}: {
  readonly wish: Wish;
  readonly isAboutPage?: boolean;
  /** True while a page is being generated. */
  readonly isBusy: boolean;
}) {
  const say = useWords(WORDS);
  const [text, setText] = useState("");
  const isWaiting = wish.isThinking || isBusy;
  const send = () => {
    const message = text.trim();
    if (message === "" || isWaiting) return;
    setText("");
    void wish.say(message).then((isTaken) => {
      // Restores a message that was not accepted.
      if (!isTaken) setText((now) => (now === "" ? message : now));
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const type = (event: KeyboardEvent) => {
    // Enter confirms the composition of an input method.
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    send();
  };
  return (
    <section className={styles["ask"]}>
      <div role="log" className={styles["said"]}>
        {wish.said.map((one, i) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Line key={i} said={one} />
        ))}
      </div>
      {wish.isThinking ? <Thinking /> : null}
      {isWaiting || wish.question === null || wish.question.choices.length === 0 ? null : (
        <Choices question={wish.question} onChoose={wish.say} />
      )}
      <form onSubmit={submit} className={styles["form"]}>
        <TextArea
          label={say(isAboutPage ? "wishChange" : "wish")}
          hint={say(isAboutPage ? "wishChangeHint" : "wishHint")}
          rows={2}
          value={text}
          maxLength={8_000}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={type}
        />
        <Button look="primary" type="submit" disabled={isWaiting || text.trim() === ""}>
          <SendHorizontal size={16} aria-hidden />
          {say(isAboutPage ? "send" : "ask")}
        </Button>
      </form>
    </section>
  );
}

function Thinking() {
  const say = useWords(WORDS);
  return (
    <div className={styles["thinking"]}>
      <Loading />
      <span>{say("thinking")}</span>
    </div>
  );
}

function Line({ said: { by, text } }: { readonly said: Said }) {
  const say = useWords(WORDS);
  if (by === "analyst") return <Markdown text={text} />;
  return (
    <p className={styles[by]} {...(by === "failure" ? { role: "alert" } : {})}>
      {by === "person" ? <span className="visually-hidden">{say("you")}: </span> : null}
      {text}
    </p>
  );
}

/**
 * The choices of a question as buttons; for multiple choice, checkboxes that are sent together. Other answers are
 * typed.
 */
function Choices({
  question: { type, choices },
  onChoose,
}: {
  readonly question: ClarifyOptions;
  readonly onChoose: (message: string) => Promise<unknown>;
}) {
  const say = useWords(WORDS);
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
            onChange={() => setChosen((now) => toggled(now, label))}
          />
          {label}
        </label>
      ))}
      <Button disabled={chosen.size === 0} onClick={() => void onChoose([...chosen].join(", "))}>
        {say("choose")}
      </Button>
    </div>
  );
}
