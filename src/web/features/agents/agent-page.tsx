import { useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageCircle, Trash2, Workflow } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import type { Agent as AgentOfCard, Agent } from "../../../protocol/agents/agent.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { api } from "../../session/full-api.ts";
import { JsonView } from "../../ui/format/json-view.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/overlay/dialog.tsx";
import { LoadFailure, Loading } from "../../ui/notice.tsx";
import { Panel, BackLink } from "../../ui/panel.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showToast } from "../../ui/toast.tsx";
import { buildChatAddress } from "./agent-address.ts";
import styles from "./agent-page.module.css";
import { pickLanguage } from "../../ui/format/bilingual-text.ts";
import { AgentSkills } from "./agent-skills.tsx";
import { TryAgentForm } from "./try-agent-form.tsx";
import { useSetAgentEnabled } from "./use-agents.ts";

/**
 * The page of one agent: description, skills (not for workflows), facts, a form to try it (while it is enabled) and the
 * whole card. Agents that were added by URL or as an app can be removed.
 */
export function AgentPage({ name }: { readonly name: string }) {
  const t = useMessages("agents");
  const { data, error, refetch } = useQuery({ queryKey: ["agent", name], queryFn: () => api.agent(name) });
  return (
    <Panel title={data?.display_name ?? name}>
      <BackLink href="/agents" label={t("back")} />
      {data !== undefined ? (
        <AgentDetails agent={data} />
      ) : error === null ? (
        <Loading />
      ) : (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      )}
    </Panel>
  );
}

function AgentDetails({ agent }: { readonly agent: AgentOfCard }) {
  const t = useMessages("agents");
  return (
    <div className={styles["agent"]}>
      <AgentHeader agent={agent} />
      {agent.source === "plan" ? null : (
        <section className={styles["section"]}>
          <h2>{t("skills")}</h2>
          <AgentSkills agent={agent} />
        </section>
      )}
      <section className={styles["section"]}>
        <h2>{t("about")}</h2>
        <AgentFacts agent={agent} />
      </section>
      {agent.enabled ? (
        <section className={styles["section"]}>
          <h2>{t("try")}</h2>
          <TryAgentForm agent={agent} />
        </section>
      ) : null}
      <details className={styles["raw"]}>
        <summary>{t("fullCard")}</summary>
        <JsonView value={agent} />
      </details>
    </div>
  );
}

function AgentHeader({ agent }: { readonly agent: AgentOfCard }) {
  const t = useMessages("agents");
  const language = useLanguage();
  const change = useSetAgentEnabled();
  const { name, display_name: shown = name, description, source, enabled } = agent;
  return (
    <header className={styles["head"]}>
      <div className={styles["who"]}>
        <Avatar name={name} label={shown} size="large" />
        <div className={styles["names"]}>
          <p className={styles["name"]}>{shown}</p>
          <p className={styles["badges"]}>
            {name === shown ? null : <code>{name}</code>}
            <Badge>{t(source)}</Badge>
            {enabled ? null : <Badge tone="warn">{t("off")}</Badge>}
          </p>
        </div>
        <Switch
          label={t("switch", { name: shown })}
          isOn={enabled}
          onChange={(next) => change.mutate({ name, enabled: next })}
        />
      </div>
      <p className={styles["description"]}>{pickLanguage(language, description)}</p>
      <div className={styles["actions"]}>
        {enabled ? (
          <ButtonLink look="primary" href={buildChatAddress(name)}>
            <MessageCircle size={16} aria-hidden />
            {t("startChat")}
          </ButtonLink>
        ) : (
          <Button look="primary" onClick={() => change.mutate({ name, enabled: true })}>
            {t("turnOnToChat")}
          </Button>
        )}
        {source === "plan" ? (
          <ButtonLink href={`/plans/${encodeURIComponent(name)}`}>
            <Workflow size={16} aria-hidden />
            {t("openWorkflow")}
          </ButtonLink>
        ) : null}
        {source === "url" || source === "app" ? <RemoveAgentButton name={name} shown={shown} /> : null}
      </div>
    </header>
  );
}

function RemoveAgentButton({ name, shown }: { readonly name: string; readonly shown: string }) {
  const t = useMessages("agents");
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [isConfirming, setConfirming] = useState(false);
  const remove = async () => {
    await api.removeAgent(name);
    showToast(t("removed", { name: shown }));
    navigate("/agents");
    queries.removeQueries({ queryKey: ["agent", name] });
    void queries.invalidateQueries({ queryKey: ["agents"] });
  };
  return (
    <>
      <Button look="danger" onClick={() => setConfirming(true)}>
        <Trash2 size={16} aria-hidden />
        {t("remove")}
      </Button>
      {isConfirming ? (
        <ConfirmDialog
          title={t("removeTitle", { name: shown })}
          action={t("remove")}
          onConfirm={remove}
          onClose={() => setConfirming(false)}
        >
          <p>{t("removeMore")}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** Version, source, address (of remote agents) and capabilities of an agent. */
function AgentFacts({ agent }: { readonly agent: Agent }) {
  const t = useMessages("agents");
  const { version, source, url, capabilities, planner_passthrough: passes, hidden } = agent;
  return (
    <dl className={styles["facts"]}>
      <AgentFact name={t("version")}>{version}</AgentFact>
      <AgentFact name={t("source")}>{t(`${source}More`)}</AgentFact>
      {url === undefined ? null : (
        <AgentFact name={t("address")}>
          <code>{url}</code>
        </AgentFact>
      )}
      <AgentFact name={t("capabilities")}>
        <ul>
          <li>{t(capabilities.streaming ? "streams" : "streamsNot")}</li>
          {capabilities.push_notifications ? <li>{t("pushes")}</li> : null}
          {passes ? <li>{t("passes")}</li> : null}
          {hidden ? <li>{t("hidden")}</li> : null}
        </ul>
      </AgentFact>
    </dl>
  );
}

function AgentFact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
