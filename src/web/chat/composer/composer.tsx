// The message box: writes a message or the answer to a question, and stops the running thread.

import { ArrowUp, Square } from "lucide-react";
import {
  useEffect,
  useId,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { DEFAULT_MAX_MESSAGE_BYTES, exceedsBytes, type Send } from "../../../protocol/commands.ts";
import { isComposing } from "../../composing.ts";
import { useFormat } from "../../format.ts";
import { useLanguage, useWords } from "../../language.ts";
import { refusalOf } from "../../refusal.ts";
import { isWritable } from "../../shell/shortcuts.ts";
import { IconButton } from "../../ui/button.tsx";
import { choose, useChoice, type Choice } from "./choice.ts";
import { ComposerOptions } from "./options.tsx";
import styles from "./composer.module.css";
import type { Draft } from "./draft.ts";
import { WORDS } from "./words.ts";

/** The effect of submitting. `blocked`: nothing can be sent for the reason `why`. */
export type Purpose =
  | { readonly kind: "message"; readonly isBusy: boolean }
  | { readonly kind: "answer"; readonly to: string; readonly isApproval: boolean }
  | { readonly kind: "blocked"; readonly why: string };

export type ComposerProps = {
  /** The conversation id, or "new". */
  readonly of: string;
  readonly draft: Draft;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly purpose: Purpose;
  /** The text is kept until the promise resolves; if it rejects, the reason is shown. */
  readonly onSubmit: (send: Send) => Promise<void> | void;
  /** Present while a thread runs. */
  readonly onStop?: (() => void) | undefined;
  readonly isStopping?: boolean;
  /** Puts the last message into the box for editing. */
  readonly onEditLast?: (() => void) | undefined;
  readonly children?: ReactNode;
};

export function Composer(props: ComposerProps) {
  const { of, draft, box, purpose, onStop, isStopping = false } = props;
  const say = useWords(WORDS);
  const format = useFormat();
  const hintId = useId();
  const text = useSyncExternalStore(draft.subscribe, draft.get);
  const choice = useChoice(of);
  const { submit, isBusy, reason } = useSubmit(props, choice);
  useFocus(box);
  const isTooLong = exceedsBytes(text, DEFAULT_MAX_MESSAGE_BYTES);
  const mayGo = text.trim() !== "" && !isTooLong && !isBusy && purpose.kind !== "blocked";
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (mayGo) submit();
    } else if (event.key === "Escape" && onStop !== undefined) onStop();
    else if (event.key === "ArrowUp" && text === "" && props.onEditLast !== undefined) {
      event.preventDefault();
      props.onEditLast();
    }
  };
  const placeholder = placeholderOf(purpose, say);
  const problem = isTooLong ? tooLong(text, say, (value) => format.number(value)) : reason;
  const hint = problem ?? (purpose.kind === "blocked" ? purpose.why : undefined);
  return (
    <div className={styles["place"]}>
      {props.children}
      <form
        className={styles["composer"]}
        onSubmit={(event) => {
          event.preventDefault();
          if (mayGo) submit();
        }}
      >
        <div className={styles["grow"]} data-text={`${text === "" ? placeholder : text}\n`}>
          <textarea
            ref={box}
            rows={1}
            value={text}
            readOnly={isBusy}
            aria-label={say("message")}
            aria-invalid={problem !== undefined}
            aria-describedby={hint === undefined ? undefined : hintId}
            placeholder={placeholder}
            enterKeyHint="send"
            onChange={(event) => draft.set(event.target.value)}
            onKeyDown={onKeyDown}
          />
        </div>
        <div className={styles["bar"]}>
          {purpose.kind === "message" ? (
            <ComposerOptions choice={choice} onChange={(next) => choose(of, next)} />
          ) : (
            <span />
          )}
          {onStop === undefined ? null : (
            <IconButton
              label={say(isStopping ? "stopping" : "stop")}
              look="plain"
              disabled={isStopping}
              onClick={onStop}
            >
              <Square size={14} fill="currentColor" aria-hidden />
            </IconButton>
          )}
          <IconButton label={labelOf(purpose, say)} look="primary" type="submit" disabled={!mayGo}>
            <ArrowUp size={18} aria-hidden />
          </IconButton>
        </div>
      </form>
      {hint === undefined ? null : (
        <p id={hintId} className={`${styles["hint"]} ${problem === undefined ? "" : styles["problem"]}`} role="status">
          {hint}
        </p>
      )}
    </div>
  );
}

type Saying = ReturnType<typeof useWords<keyof typeof WORDS.en>>;

function useSubmit({ draft, purpose, onSubmit, box }: ComposerProps, { agent, verify }: Choice) {
  const language = useLanguage();
  const say = useWords(WORDS);
  const [isBusy, setBusy] = useState(false);
  const [reason, setReason] = useState<string>();
  const [kind, setKind] = useState(purpose.kind);
  if (kind !== purpose.kind) {
    // The reason of a rejected answer does not apply to a text with another purpose.
    setKind(purpose.kind);
    setReason(undefined);
  }
  const submit = () => {
    const message = draft.get();
    const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const chosen = { ...(agent === "" ? {} : { agent }), ...(verify ? { verify } : {}) };
    setReason(undefined);
    const sent = onSubmit({ message, language, timezone, ...(purpose.kind === "message" ? chosen : {}) });
    if (sent === undefined) return draft.set("");
    setBusy(true);
    sent
      .then(() => draft.set(""))
      .catch((thrown: unknown) =>
        setReason(say(purpose.kind === "answer" ? "notAnswered" : "notSent", { reason: refusalOf(thrown).message })),
      )
      .finally(() => {
        setBusy(false);
        box.current?.focus();
      });
  };
  return { submit, isBusy, reason };
}

/** Focuses the box on mount, except on touch devices, where that opens a keyboard; and whenever "/" is pressed. */
function useFocus(box: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) box.current?.focus({ preventScroll: true });
    const hear = (event: globalThis.KeyboardEvent) => {
      const isBare = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
      if (event.key !== "/" || !isBare || event.defaultPrevented || isWritable(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener("keydown", hear);
    return () => removeEventListener("keydown", hear);
  }, [box]);
}

function placeholderOf(purpose: Purpose, say: Saying): string {
  switch (purpose.kind) {
    case "message":
      return say(purpose.isBusy ? "placeholderFollowUp" : "placeholder");
    case "answer":
      return say(purpose.isApproval ? "placeholderApproval" : "placeholderAnswer", { name: purpose.to });
    case "blocked":
      return say("placeholderQuestions");
  }
}

function labelOf(purpose: Purpose, say: Saying): string {
  if (purpose.kind === "answer") return say("answer");
  return say(purpose.kind === "message" && purpose.isBusy ? "sendNext" : "send");
}

function tooLong(text: string, say: Saying, number: (value: number) => string): string {
  const size = Math.ceil(new TextEncoder().encode(text).byteLength / 1024);
  return say("tooLong", { size: number(size), limit: number(DEFAULT_MAX_MESSAGE_BYTES / 1024) });
}
