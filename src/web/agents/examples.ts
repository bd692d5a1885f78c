import type { Agent } from "../../protocol/agent.ts";
import { halfFor, onlyIn } from "../bilingual.ts";
import type { Language } from "../language.ts";

const MOST = 6;

export type SkillExample = { readonly skill: string; readonly message: string };

/** What an agent may be asked to begin with: the first example of each skill, then the second ones, a handful at most. */
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
