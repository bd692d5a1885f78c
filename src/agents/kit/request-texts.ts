// The texts of a request by their authors, and the reason why a call needs approval after they were read (P1).

import { createMessage, type Message } from "../../language/messages.ts";
import { escapeInvisible } from "../../lib/escape-invisible.ts";
import type { AgentRequest } from "../../protocol/agents/agent.ts";
import type { ArgumentVerdict, ReadTexts, UntrustedText } from "../../protocol/provenance/examine-arguments.ts";

/** Returns the texts of the person in a request. Without provenance, the query and its context are the person's. */
export function listPersonTexts({ query, reply, metadata }: AgentRequest): string[] {
  const { provenance, user_profile = {}, current_context = {} } = metadata;
  const texts =
    provenance === undefined ? [query, JSON.stringify(current_context)] : [provenance.query, ...provenance.person];
  const answers = reply === undefined ? [] : [reply.answer.message, JSON.stringify(reply.answer.arguments ?? {})];
  return [...texts, JSON.stringify(user_profile), ...answers];
}

/** Returns the untrusted texts of a request: results of other tasks, and what the runtime declares. */
export function listUntrustedTexts({ metadata: { provenance, dependencies = [] } }: AgentRequest): UntrustedText[] {
  const results = dependencies.map(({ agent_name, task_id, result }) => ({
    source: agent_name,
    text: result,
    ref: task_id,
  }));
  const declared = (provenance?.untrusted ?? []).map(({ source, text, ref }) => ({
    source,
    text,
    ...(ref === undefined ? {} : { ref }),
  }));
  return [...results, ...declared];
}

/** Returns the reason why a call with this verdict needs approval; null if it needs none. */
export function createApprovalRemark(
  { origins, hasPersonValue }: ArgumentVerdict,
  { untrusted }: ReadTexts,
): Message | null {
  if (origins.length > 0) return createMessage("approval.untrustedInput", { sources: listSourceNames(origins) });
  const read = untrusted.filter(({ onlyPhrases }) => onlyPhrases !== true);
  if (read.length === 0 || hasPersonValue) return null;
  return createMessage("approval.noPersonValue", { sources: listSourceNames(read) });
}

/** Returns the names of the sources, each once, with invisible characters escaped. */
export function listSourceNames(texts: readonly { readonly source: string }[]): string[] {
  return [...new Set(texts.map(({ source }) => escapeInvisible(source)))];
}
