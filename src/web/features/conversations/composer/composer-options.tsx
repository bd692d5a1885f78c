// Controls of the message box: the agent that answers, and verification of its work.

import { ShieldCheck } from "lucide-react";
import { useAgents } from "../../agents/use-agents.ts";
import { useMessages } from "../../../session/language.ts";
import { escapeHiddenControls } from "../../../../lib/escape-invisible.ts";
import styles from "./composer.module.css";
import { createStore, useStore } from "../../../session/store.ts";

/** Offers the enabled agents that are not hidden, "automatic", and the chosen agent even if it is none of these. */
export function ComposerOptions({
  choice,
  onChange,
}: {
  readonly choice: MessageOptions;
  readonly onChange: (choice: MessageOptions) => void;
}) {
  const t = useMessages("composer");
  const { data = [] } = useAgents();
  const agents = data.filter(({ enabled, hidden }) => enabled && !hidden);
  // A link can name an agent that is unknown or not loaded yet; show its name before the message is sent.
  const isOther = choice.agent !== "" && agents.every(({ name }) => name !== choice.agent);
  return (
    <div className={styles["options"]}>
      <select
        className={styles["agent"]}
        aria-label={t("chooseAgent")}
        title={t("chooseAgent")}
        value={choice.agent}
        onChange={(event) => onChange({ ...choice, agent: event.target.value })}
      >
        <option value="">{t("automatic")}</option>
        {isOther ? <option value={choice.agent}>{escapeHiddenControls(choice.agent)}</option> : null}
        {agents.map(({ name, display_name = name }) => (
          <option key={name} value={name}>
            {display_name}
          </option>
        ))}
      </select>
      <button
        type="button"
        className={styles["verify"]}
        aria-pressed={choice.verify}
        title={t("verifyMore")}
        onClick={() => onChange({ ...choice, verify: !choice.verify })}
      >
        <ShieldCheck size={16} aria-hidden />
        {t("verify")}
      </button>
    </div>
  );
}

// The send options (agent and verification) chosen per conversation.
//
// Owns a module-level map that lives as long as the page and is not stored. The key is the conversation id, or "new"
// for a conversation that has not been created. Every change notifies all subscribers.

/** `agent`: the name of the agent that answers; "" if the server selects it. `verify`: agents verify their own work. */
export type MessageOptions = { readonly agent: string; readonly verify: boolean };

const DEFAULT_MESSAGE_OPTIONS: MessageOptions = { agent: "", verify: false };
const optionsByKey = createStore<ReadonlyMap<string, MessageOptions>>(new Map());

/** Returns the options of a conversation; by default no agent and no verification. */
export const getMessageOptions = (key: string): MessageOptions =>
  optionsByKey.get().get(key) ?? DEFAULT_MESSAGE_OPTIONS;

/** Replaces the options of a conversation, until the page is reloaded. */
export function setMessageOptions(key: string, choice: MessageOptions): void {
  optionsByKey.set(new Map(optionsByKey.get()).set(key, choice));
}

/** Like `getMessageOptions`. The component renders again when the options of the key change. */
export const useMessageOptions = (key: string): MessageOptions =>
  useStore({ subscribe: optionsByKey.subscribe, get: () => getMessageOptions(key) });
