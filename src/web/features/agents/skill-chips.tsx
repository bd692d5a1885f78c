import type { Skill } from "../../../protocol/agents/agent.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { Badge } from "../../ui/badge.tsx";
import styles from "./agents-page.module.css";
import { pickLanguage } from "../../ui/format/bilingual-text.ts";

/** The names of an agent's skills; nothing if there are none. */
export function SkillChips({ skills }: { readonly skills: readonly Skill[] }) {
  const t = useMessages("agents");
  const language = useLanguage();
  if (skills.length === 0) return null;
  return (
    <ul className={styles["chips"]} aria-label={t("skills")}>
      {skills.map(({ id, name }) => (
        <li key={id}>
          <Badge tone="info">{pickLanguage(language, name)}</Badge>
        </li>
      ))}
    </ul>
  );
}
