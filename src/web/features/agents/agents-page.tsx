import { Plus } from "lucide-react";
import { useState } from "react";
import { useMessages } from "../../session/language.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { EmptyNotice, LoadFailure, Loading } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { AddAgentDialog } from "./register/add-agent-dialog.tsx";
import { AgentCard } from "./agent-card.tsx";
import styles from "./agents-page.module.css";
import { filterAgents } from "./filter-agents.ts";
import { useAgents } from "./use-agents.ts";

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
