import { Plus } from "lucide-react";
import { useState } from "react";
import { useMessages, useLanguage } from "../../session/language.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { EmptyNotice, LoadFailure, Loading } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { AddAgentDialog } from "./register/add-agent-dialog.tsx";
import styles from "./agents-page.module.css";
import { filterAgents } from "./filter-agents.ts";
import { useAgents, useSetAgentEnabled } from "./use-agents.ts";
import type { Agent, Skill } from "../../../protocol/agents/agent.ts";
import { CoverLink } from "../../ui/card-list.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Switch } from "../../ui/switch.tsx";
import { buildAgentAddress } from "./agent-address.ts";
import { pickLanguage } from "../../ui/format/bilingual-text.ts";

/** The filter field is shown for more agents than this. */
const MAX_UNFILTERED_AGENTS = 8;

/** The page that lists all agents, with a dialog to add an agent and, for long lists, a filter. */
export function AgentsPage() {
  const t = useMessages("agents");
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus size={16} aria-hidden />
      {t("add")}
    </Button>
  );
  return (
    <Panel title={t("title")} lead={t("lead")} actions={add}>
      <AgentList />
      {isAdding ? <AddAgentDialog onClose={() => setAdding(false)} /> : null}
    </Panel>
  );
}

function AgentList() {
  const t = useMessages("agents");
  const [filter, setFilter] = useState("");
  const { data: agents, error, refetch } = useAgents();
  if (agents === undefined)
    return error === null ? <Loading /> : <LoadFailure error={error} onRetry={() => void refetch()} />;
  const shown = filterAgents(agents, filter);
  return (
    <>
      {agents.length > MAX_UNFILTERED_AGENTS ? (
        <div className={styles["filter"]}>
          <Field label={t("filter")} type="search" value={filter} onChange={(event) => setFilter(event.target.value)} />
          <p role="status" className="visually-hidden">
            {t("count", { count: shown.length })}
          </p>
        </div>
      ) : null}
      {shown.length === 0 ? (
        <EmptyNotice title={t("noMatch", { filter })} />
      ) : (
        <ul className={styles["cards"]}>
          {shown.map((agent) => (
            <AgentCard key={agent.name} agent={agent} />
          ))}
        </ul>
      )}
    </>
  );
}

/** An agent in the list of agents, with a switch that enables or disables it. */
function AgentCard({ agent }: { readonly agent: Agent }) {
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
