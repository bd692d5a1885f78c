import { useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageCircle, Trash2, Workflow } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Agent as AgentOfCard } from "../../protocol/agent.ts";
import { useLanguage, useWords } from "../language.ts";
import { api } from "../runtime.ts";
import { Json } from "../steps/json.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Back } from "../ui/back.tsx";
import { Badge } from "../ui/badge.tsx";
import { ButtonLink } from "../ui/button-link.tsx";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Failure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { Switch } from "../ui/switch.tsx";
import { toast } from "../ui/toast.tsx";
import { talkTo } from "./address.ts";
import styles from "./agent.module.css";
import { Facts } from "./facts.tsx";
import { halfFor } from "../bilingual.ts";
import { Skills } from "./skills.tsx";
import { TryIt } from "./try-it.tsx";
import { useSwitch } from "./use-agents.ts";
import { WORDS } from "./words.ts";

/** The page of one agent. */
export function Agent({ name }: { readonly name: string }) {
  const say = useWords(WORDS);
  const { data, error, refetch } = useQuery({ queryKey: ["agent", name], queryFn: () => api.agent(name) });
  return (
    <Panel title={data?.display_name ?? name}>
      <Back href="/agents" label={say("back")} />
      {data !== undefined ? (
        <Card agent={data} />
      ) : error === null ? (
        <Loading />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
    </Panel>
  );
}

function Card({ agent }: { readonly agent: AgentOfCard }) {
  const say = useWords(WORDS);
  return (
    <div className={styles["agent"]}>
      <Head agent={agent} />
      {agent.source === "plan" ? null : (
        <section className={styles["section"]}>
          <h2>{say("skills")}</h2>
          <Skills agent={agent} />
        </section>
      )}
      <section className={styles["section"]}>
        <h2>{say("about")}</h2>
        <Facts agent={agent} />
      </section>
      {agent.enabled ? (
        <section className={styles["section"]}>
          <h2>{say("try")}</h2>
          <TryIt agent={agent} />
        </section>
      ) : null}
      <details className={styles["raw"]}>
        <summary>{say("raw")}</summary>
        <Json value={agent} />
      </details>
    </div>
  );
}

function Head({ agent }: { readonly agent: AgentOfCard }) {
  const say = useWords(WORDS);
  const language = useLanguage();
  const change = useSwitch();
  const { name, display_name: shown = name, description, source, enabled } = agent;
  return (
    <header className={styles["head"]}>
      <div className={styles["who"]}>
        <Avatar name={name} label={shown} size="large" />
        <div className={styles["names"]}>
          <p className={styles["name"]}>{shown}</p>
          <p className={styles["badges"]}>
            {name === shown ? null : <code>{name}</code>}
            <Badge>{say(source)}</Badge>
            {enabled ? null : <Badge tone="warn">{say("off")}</Badge>}
          </p>
        </div>
        <Switch
          label={say("switch", { name: shown })}
          isOn={enabled}
          onChange={(next) => change.mutate({ name, enabled: next })}
        />
      </div>
      <p className={styles["description"]}>{halfFor(language, description)}</p>
      <div className={styles["actions"]}>
        {enabled ? (
          <ButtonLink look="primary" href={talkTo(name)}>
            <MessageCircle size={16} aria-hidden />
            {say("talk")}
          </ButtonLink>
        ) : (
          <Button look="primary" onClick={() => change.mutate({ name, enabled: true })}>
            {say("switchOn")}
          </Button>
        )}
        {source === "plan" ? (
          <ButtonLink href={`/plans/${encodeURIComponent(name)}`}>
            <Workflow size={16} aria-hidden />
            {say("openPlan")}
          </ButtonLink>
        ) : null}
        {source === "url" || source === "app" ? <Remove name={name} shown={shown} /> : null}
      </div>
    </header>
  );
}

function Remove({ name, shown }: { readonly name: string; readonly shown: string }) {
  const say = useWords(WORDS);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const remove = async () => {
    await api.removeAgent(name);
    toast(say("removed", { name: shown }));
    go("/agents");
    queries.removeQueries({ queryKey: ["agent", name] });
    void queries.invalidateQueries({ queryKey: ["agents"] });
  };
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)}>
        <Trash2 size={16} aria-hidden />
        {say("remove")}
      </Button>
      {isAsked ? (
        <Confirm
          title={say("removeTitle", { name: shown })}
          action={say("remove")}
          onConfirm={remove}
          onClose={() => setAsked(false)}
        >
          <p>{say("removeMore")}</p>
        </Confirm>
      ) : null}
    </>
  );
}
