import { Plus } from "lucide-react";
import { useState } from "react";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { AddAgent } from "./add-agent.tsx";
import { AgentCard } from "./agent-card.tsx";
import styles from "./agents.module.css";
import { filterAgents } from "./filter.ts";
import { useAgents } from "./use-agents.ts";
import { WORDS } from "./words.ts";

/** The filter field is shown for more agents than this. */
const FEW = 8;

/** The page that lists all agents. */
export function Agents() {
  const say = useWords(WORDS);
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus size={16} aria-hidden />
      {say("add")}
    </Button>
  );
  return (
    <Panel title={say("title")} lead={say("lead")} actions={add}>
      <AgentList />
      {isAdding ? <AddAgent onClose={() => setAdding(false)} /> : null}
    </Panel>
  );
}

function AgentList() {
  const say = useWords(WORDS);
  const [filter, setFilter] = useState("");
  const { data: agents, error, refetch } = useAgents();
  if (agents === undefined)
    return error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />;
  const shown = filterAgents(agents, filter);
  return (
    <>
      {agents.length > FEW ? (
        <div className={styles["filter"]}>
          <Field
            label={say("filter")}
            type="search"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
          <p role="status" className="visually-hidden">
            {say("count", { count: shown.length })}
          </p>
        </div>
      ) : null}
      {shown.length === 0 ? (
        <Empty title={say("none", { filter })} />
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
