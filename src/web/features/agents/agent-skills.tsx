import { Link } from "wouter";
import type { Agent, Skill } from "../../../protocol/agents/agent.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { Badge } from "../../ui/badge.tsx";
import { buildChatAddress } from "./agent-address.ts";
import styles from "./agent-page.module.css";
import { filterByLanguage, pickLanguage } from "../../ui/format/bilingual-text.ts";
import type { ReactNode } from "react";

/**
 * The skills of an agent with tags and examples in the current language. While the agent is enabled, an example links
 * to a new conversation in which it is filled in.
 */
export function AgentSkills({ agent }: { readonly agent: Agent }) {
  const t = useMessages("agents");
  const language = useLanguage();
  return (
    <SkillList skills={agent.skills}>
      {({ examples, tags }) => (
        <>
          {examples.length === 0 ? null : (
            <ul className={styles["examples"]} aria-label={t("examples")}>
              {filterByLanguage(language, examples).map((example) => (
                <li key={example}>
                  {agent.enabled ? (
                    <Link href={buildChatAddress(agent.name, example)}>{example}</Link>
                  ) : (
                    <span>{example}</span>
                  )}
                </li>
              ))}
            </ul>
          )}
          {tags.length === 0 ? null : (
            <p className={styles["tags"]}>
              {filterByLanguage(language, tags).map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </p>
          )}
        </>
      )}
    </SkillList>
  );
}

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
  if (skills.length === 0) return <p className={styles["skillListDescription"]}>{t("noSkills")}</p>;
  return (
    <ul className={styles["skills"]}>
      {skills.map((skill) => (
        <li key={skill.id} className={styles["skill"]}>
          <strong>{pickLanguage(language, skill.name)}</strong>
          <p className={styles["skillListDescription"]}>{pickLanguage(language, skill.description)}</p>
          {children?.(skill)}
        </li>
      ))}
    </ul>
  );
}
