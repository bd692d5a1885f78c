// The message box: writes a message or the answer to a question, and stops the running thread.

import { ArrowUp, Square } from "lucide-react";
import { useEffect, useId, useState, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { exceedsBytes } from "../../../../lib/text-size.ts";
import { DEFAULT_MAX_MESSAGE_BYTES, type SendCommand } from "../../../../protocol/wire/commands.ts";
import { isComposing, isTextInput } from "../../../ui/text-input.ts";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { useStore } from "../../../session/store.ts";
import { useLanguage, useMessages, type Translate } from "../../../session/language.ts";
import { toUserError } from "../../../session/user-error.ts";
import { IconButton } from "../../../ui/button.tsx";
import { ComposerOptions, setMessageOptions, useMessageOptions, type MessageOptions } from "./composer-options.tsx";
import styles from "./composer.module.css";
import type { DraftStore } from "../state/draft-store.ts";

/**
 * The effect of submitting. `message`: sends a message, which is queued while `isBusy`. `answer`: answers the question
 * of the agent `to` (display name). `blocked`: nothing can be sent for the reason `why`, text for people.
 */
export type ComposerMode =
  | { readonly kind: "message"; readonly isBusy: boolean }
  | { readonly kind: "answer"; readonly to: string; readonly isApproval: boolean }
  | { readonly kind: "blocked"; readonly why: string };

type ComposerProps = {
  /** The conversation id, or "new". */
  readonly conversationKey: string;
  readonly draft: DraftStore;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly purpose: ComposerMode;
  /**
   * Receives the text; for a message also the chosen agent and verification. If it returns a promise, the text stays,
   * read-only, until the promise resolves; if it rejects, the text stays and the reason is shown. Otherwise the text is
   * removed at once.
   */
  readonly onSubmit: (send: SendCommand) => Promise<void> | void;
  /** Present while a thread runs. */
  readonly onStop?: (() => void) | undefined;
  readonly isStopping?: boolean;
  /** Puts the last message into the box for editing. */
  readonly onEditLast?: (() => void) | undefined;
  /** Shown above the box. */
  readonly children?: ReactNode;
};

/** Enter submits, Escape calls `onStop`, and the arrow up key in an empty box calls `onEditLast`. */
export function Composer(props: ComposerProps) {
  const { conversationKey, draft, box, purpose, onStop, isStopping = false } = props;
  const t = useMessages("composer");
  const format = useFormatter();
  const hintId = useId();
  const text = useStore(draft);
  const choice = useMessageOptions(conversationKey);
  const { submit, isBusy, reason } = useSubmitMessage(props, choice);
  useTextareaFocus(box);
  const isTooLong = exceedsBytes(text, DEFAULT_MAX_MESSAGE_BYTES);
  const canSubmit = text.trim() !== "" && !isTooLong && !isBusy && purpose.kind !== "blocked";
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (canSubmit) submit();
    } else if (event.key === "Escape" && onStop !== undefined) onStop();
    else if (event.key === "ArrowUp" && text === "" && props.onEditLast !== undefined) {
      event.preventDefault();
      props.onEditLast();
    }
  };
  const placeholder = getPlaceholder(purpose, t);
  const problem = isTooLong ? formatTooLong(text, t, (value) => format.number(value)) : reason;
  const hint = problem ?? (purpose.kind === "blocked" ? purpose.why : undefined);
  return (
    <div className={styles["place"]}>
      {props.children}
      <form
        className={styles["composer"]}
        onSubmit={(event) => {
          event.preventDefault();
          if (canSubmit) submit();
        }}
      >
        <div className={styles["grow"]} data-text={`${text === "" ? placeholder : text}\n`}>
          <textarea
            ref={box}
            rows={1}
            value={text}
            readOnly={isBusy}
            aria-label={t("message")}
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
            <ComposerOptions choice={choice} onChange={(next) => setMessageOptions(conversationKey, next)} />
          ) : (
            <span />
          )}
          {onStop === undefined ? null : (
            <IconButton label={t(isStopping ? "stopping" : "stop")} look="plain" disabled={isStopping} onClick={onStop}>
              <Square size={14} fill="currentColor" aria-hidden />
            </IconButton>
          )}
          <IconButton label={getSubmitLabel(purpose, t)} look="primary" type="submit" disabled={!canSubmit}>
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

function useSubmitMessage({ draft, purpose, onSubmit, box }: ComposerProps, { agent, verify }: MessageOptions) {
  const language = useLanguage();
  const t = useMessages("composer");
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
        setReason(t(purpose.kind === "answer" ? "replyNotSent" : "notSent", { reason: toUserError(thrown).message })),
      )
      .finally(() => {
        setBusy(false);
        box.current?.focus();
      });
  };
  return { submit, isBusy, reason };
}

/** Focuses the box on mount, except on touch devices, where that opens a keyboard; and whenever "/" is pressed. */
function useTextareaFocus(box: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) box.current?.focus({ preventScroll: true });
    const handleKeyDown = (event: globalThis.KeyboardEvent) => {
      const isBare = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
      if (event.key !== "/" || !isBare || event.defaultPrevented || isTextInput(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener("keydown", handleKeyDown);
    return () => removeEventListener("keydown", handleKeyDown);
  }, [box]);
}

function getPlaceholder(purpose: ComposerMode, t: Translate<"composer">): string {
  switch (purpose.kind) {
    case "message":
      return t(purpose.isBusy ? "placeholderFollowUp" : "placeholder");
    case "answer":
      return t(purpose.isApproval ? "placeholderApproval" : "placeholderAnswer", { name: purpose.to });
    case "blocked":
      return t("placeholderQuestions");
  }
}

function getSubmitLabel(purpose: ComposerMode, t: Translate<"composer">): string {
  if (purpose.kind === "answer") return t("answer");
  return t(purpose.kind === "message" && purpose.isBusy ? "queue" : "send");
}

function formatTooLong(text: string, t: Translate<"composer">, number: (value: number) => string): string {
  const size = Math.ceil(new TextEncoder().encode(text).byteLength / 1024);
  return t("tooLong", { size: number(size), limit: number(DEFAULT_MAX_MESSAGE_BYTES / 1024) });
}
