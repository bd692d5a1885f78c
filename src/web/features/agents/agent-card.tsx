import type { Agent, Skill } from "../../../protocol/agents/agent.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { CoverLink } from "../../ui/card-list.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Switch } from "../../ui/switch.tsx";
import { buildAgentAddress } from "./agent-address.ts";
import styles from "./agents-page.module.css";
import { pickLanguage } from "../../ui/format/bilingual-text.ts";
import { useSetAgentEnabled } from "./use-agents.ts";

/** An agent in the list of agents, with a switch that enables or disables it. */
export function AgentCard({ agent }: { readonly agent: Agent }) {
  const t = useMessages("agents");
  const language = useLanguage();
  const change = useSetAgentEnabled();
  const { name, display_name: shown = name, description, source, enabled, skills } = agent;
  return (
    <li className={`${styles["card"]} ${enabled ? "" : styles["off"]}`}>
      <div className={styles["cardHead"]}>
        <Avatar name={name} label={shown} />
        <div className={styles["names"]}>
          <h2>
            <CoverLink href={buildAgentAddress(name)}>{shown}</CoverLink>
          </h2>
          <span className={styles["source"]}>
            <Badge>{t(source)}</Badge>
            {enabled ? null : <Badge tone="warn">{t("off")}</Badge>}
          </span>
        </div>
        <span className={styles["above"]}>
          <Switch
            label={t("switch", { name: shown })}
            isOn={enabled}
            onChange={(next) => change.mutate({ name, enabled: next })}
          />
        </span>
      </div>
      <p className={styles["description"]}>{pickLanguage(language, description)}</p>
      <SkillChips skills={skills} />
    </li>
  );
}

/** The names of an agent's skills; nothing if there are none. */
function SkillChips({ skills }: { readonly skills: readonly Skill[] }) {
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
