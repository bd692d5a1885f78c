import { MessageSquare } from "lucide-react";
import type { Agent } from "../../../protocol/agents/agent.ts";
import { pickLanguage, filterByLanguage } from "../../ui/format/bilingual-text.ts";
import { useLanguage, useMessages, type UiLanguage } from "../../session/language.ts";
import { escapeHiddenControls } from "../../../lib/escape-invisible.ts";
import { EmptyConversation } from "./empty-conversation.tsx";

/** Shown in an empty conversation with a chosen agent: its description and at most six example messages. */
export function AgentWelcome({ agent, onPick }: { readonly agent: Agent; readonly onPick: (message: string) => void }) {
  const t = useMessages("agents");
  const language = useLanguage();
  const examples = collectSkillExamples(agent, language).map(({ skill, message }) => ({
    title: escapeHiddenControls(skill),
    message: escapeHiddenControls(message),
    Icon: MessageSquare,
  }));
  return (
    <EmptyConversation
      title={t("welcome", { name: escapeHiddenControls(agent.display_name ?? agent.name) })}
      more={escapeHiddenControls(pickLanguage(language, agent.description))}
      label={t("examples")}
      examples={examples}
      onPick={onPick}
    />
  );
}

const MAX_EXAMPLES = 6;

type SkillExample = { readonly skill: string; readonly message: string };

/**
 * Returns at most `MAX_EXAMPLES` examples with distinct messages: the first of each skill, then the second of each, ….
 * The examples of a skill are those in `language`, or all if there are none.
 */
export function collectSkillExamples({ skills }: Pick<Agent, "skills">, language: UiLanguage): SkillExample[] {
  const bySkill = skills.map(({ name, examples }) => ({
    skill: pickLanguage(language, name),
    messages: filterByLanguage(language, examples),
  }));
  const longest = Math.max(0, ...bySkill.map(({ messages }) => messages.length));
  const all = Array.from({ length: longest }, (_, i) =>
    bySkill.flatMap(({ skill, messages }) => {
      const message = messages[i];
      return message === undefined ? [] : [{ skill, message }];
    }),
  ).flat();
  return [...new Map(all.map((one) => [one.message, one])).values()].slice(0, MAX_EXAMPLES);
}
