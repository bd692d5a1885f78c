import type { Agent } from "../../../protocol/agents/agent.ts";
import { pickLanguage, filterByLanguage } from "../../ui/format/bilingual-text.ts";
import type { UiLanguage } from "../../session/language.ts";

const MAX_EXAMPLES = 6;

export type SkillExample = { readonly skill: string; readonly message: string };

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
