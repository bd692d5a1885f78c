import type { ReactNode } from "react";
import type { Skill } from "../../protocol/agents/agent.ts";
import { useLanguage, useWords } from "../language.ts";
import styles from "./skill-list.module.css";
import { pickLanguage } from "../bilingual-text.ts";
import { WORDS } from "./words.ts";

/** The skills of an agent with their descriptions; `children` renders more below each. */
export function SkillList({
  skills,
  children,
}: {
  readonly skills: readonly Skill[];
  readonly children?: (skill: Skill) => ReactNode;
}) {
  const say = useWords(WORDS);
  const language = useLanguage();
  if (skills.length === 0) return <p className={styles["description"]}>{say("noSkills")}</p>;
  return (
    <ul className={styles["skills"]}>
      {skills.map((skill) => (
        <li key={skill.id} className={styles["skill"]}>
          <strong>{pickLanguage(language, skill.name)}</strong>
          <p className={styles["description"]}>{pickLanguage(language, skill.description)}</p>
          {children?.(skill)}
        </li>
      ))}
    </ul>
  );
}
