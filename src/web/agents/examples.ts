import type { Agent } from "../../protocol/agent.ts";
import { halfFor, onlyIn } from "../bilingual.ts";
import type { Language } from "../language.ts";

const MOST = 6;

export type SkillExample = { readonly skill: string; readonly message: string };

/**
 * Returns at most `MAX_EXAMPLES` distinct examples in `language`: the first of each skill, then the second of each, ….
 */
export function examplesOf({ skills }: Pick<Agent, "skills">, language: Language): SkillExample[] {
  const bySkill = skills.map(({ name, examples }) => ({
    skill: halfFor(language, name),
    messages: onlyIn(language, examples),
  }));
  const longest = Math.max(0, ...bySkill.map(({ messages }) => messages.length));
  const all = Array.from({ length: longest }, (_, i) =>
    bySkill.flatMap(({ skill, messages }) => {
      const message = messages[i];
      return message === undefined ? [] : [{ skill, message }];
    }),
  ).flat();
  return [...new Map(all.map((one) => [one.message, one])).values()].slice(0, MOST);
}
