import type { ReactNode } from "react";
import type { Skill } from "../../../protocol/agents/agent.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import styles from "./skill-list.module.css";
import { pickLanguage } from "../../ui/format/bilingual-text.ts";

/** The skills of an agent with their descriptions, or a note if there are none. `children` renders more below each. */
export function SkillList({
  skills,
  children,
}: {
  readonly skills: readonly Skill[];
  readonly children?: (skill: Skill) => ReactNode;
}) {
  const t = useMessages("agents");
  const language = useLanguage();
  if (skills.length === 0) return <p className={styles["description"]}>{t("noSkills")}</p>;
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
