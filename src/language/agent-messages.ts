// The sentences that every agent may need: its JSON-RPC errors and the end of its runs.
//
// An agent in a Worker of its own loads only this part of the catalogue (`messages/agent-en.json` and `agent-zh.json`).
// Its sentences have no choices and no formatted numbers, so that they need no MessageFormat.

import type { Language } from "./detect-language.ts";
import en from "./messages/agent-en.json" with { type: "json" };
import zh from "./messages/agent-zh.json" with { type: "json" };

type AgentMessageKey = keyof typeof en;

/** The sentences by language and key. `messages.ts` contains them as well. */
export const AGENT_MESSAGES = { en, zh } satisfies Record<Language, Readonly<Record<AgentMessageKey, string>>>;

/** Formats a sentence in a language. `params` are the values of its placeholders. */
export function formatAgentMessage(
  language: Language,
  key: AgentMessageKey,
  params: Readonly<Record<string, string>> = {},
): string {
  return AGENT_MESSAGES[language][key].replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
}
