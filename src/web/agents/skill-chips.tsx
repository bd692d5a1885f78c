import type { Skill } from "../../protocol/agents/agent.ts";
import { useLanguage, useWords } from "../language.ts";
import { Badge } from "../ui/badge.tsx";
import styles from "./agents-page.module.css";
import { pickLanguage } from "../bilingual-text.ts";
import { WORDS } from "./words.ts";

/** The names of an agent's skills. */
export function SkillChips({ skills }: { readonly skills: readonly Skill[] }) {
  const say = useWords(WORDS);
  const language = useLanguage();
  if (skills.length === 0) return null;
  return (
    <ul className={styles["chips"]} aria-label={say("skills")}>
      {skills.map(({ id, name }) => (
        <li key={id}>
          <Badge tone="info">{pickLanguage(language, name)}</Badge>
        </li>
      ))}
    </ul>
  );
}
