import { MessageSquare } from "lucide-react";
import type { Agent } from "../../protocol/agent.ts";
import { halfFor } from "../bilingual.ts";
import { useLanguage, useWords } from "../language.ts";
import { plainly } from "../../protocol/visible.ts";
import { Beginning } from "../shell/beginning.tsx";
import { examplesOf } from "./examples.ts";
import { WORDS } from "./words.ts";

/** Shown in an empty conversation with a chosen agent: its description and example messages. */
export function AgentWelcome({ agent, onPick }: { readonly agent: Agent; readonly onPick: (message: string) => void }) {
  const say = useWords(WORDS);
  const language = useLanguage();
  const examples = examplesOf(agent, language).map(({ skill, message }) => ({
    title: plainly(skill),
    message: plainly(message),
    Icon: MessageSquare,
  }));
  return (
    <Beginning
      title={say("welcome", { name: plainly(agent.display_name ?? agent.name) })}
      more={plainly(halfFor(language, agent.description))}
      label={say("examples")}
      examples={examples}
      onPick={onPick}
    />
  );
}
