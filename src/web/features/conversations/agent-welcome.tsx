import { MessageSquare } from "lucide-react";
import type { Agent } from "../../../protocol/agents/agent.ts";
import { pickLanguage } from "../../ui/format/bilingual-text.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { escapeHiddenControls } from "../../../lib/escape-invisible.ts";
import { EmptyConversation } from "./empty-conversation.tsx";
import { collectSkillExamples } from "./skill-examples.ts";

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
