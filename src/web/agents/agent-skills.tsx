import { Link } from "wouter";
import type { Agent } from "../../protocol/agents/agent.ts";
import { useLanguage, useWords } from "../language.ts";
import { Badge } from "../ui/badge.tsx";
import { buildChatAddress } from "./agent-address.ts";
import styles from "./agent-page.module.css";
import { filterByLanguage } from "../bilingual-text.ts";
import { SkillList } from "./skill-list.tsx";
import { WORDS } from "./words.ts";

/** The skills of an agent with tags and examples; each example opens a new conversation. */
export function AgentSkills({ agent }: { readonly agent: Agent }) {
  const say = useWords(WORDS);
  const language = useLanguage();
  return (
    <SkillList skills={agent.skills}>
      {({ examples, tags }) => (
        <>
          {examples.length === 0 ? null : (
            <ul className={styles["examples"]} aria-label={say("examples")}>
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
