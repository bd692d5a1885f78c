import { Link } from "wouter";
import type { Agent } from "../../protocol/agent.ts";
import { useLanguage, useWords } from "../language.ts";
import { Badge } from "../ui/badge.tsx";
import { talkTo } from "./address.ts";
import styles from "./agent.module.css";
import { onlyIn } from "../bilingual.ts";
import { SkillList } from "./skill-list.tsx";
import { WORDS } from "./words.ts";

/** The skills of an agent with tags and examples; each example opens a new conversation. */
export function Skills({ agent }: { readonly agent: Agent }) {
  const say = useWords(WORDS);
  const language = useLanguage();
  return (
    <SkillList skills={agent.skills}>
      {({ examples, tags }) => (
        <>
          {examples.length === 0 ? null : (
            <ul className={styles["examples"]} aria-label={say("examples")}>
              {onlyIn(language, examples).map((example) => (
                <li key={example}>
                  {agent.enabled ? <Link href={talkTo(agent.name, example)}>{example}</Link> : <span>{example}</span>}
                </li>
              ))}
            </ul>
          )}
          {tags.length === 0 ? null : (
            <p className={styles["tags"]}>
              {onlyIn(language, tags).map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </p>
          )}
        </>
      )}
    </SkillList>
  );
}
