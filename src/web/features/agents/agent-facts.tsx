import type { ReactNode } from "react";
import type { Agent } from "../../../protocol/agents/agent.ts";
import { useMessages } from "../../session/language.ts";
import styles from "./agent-page.module.css";

/** Version, source, address (of remote agents) and capabilities of an agent. */
export function AgentFacts({ agent }: { readonly agent: Agent }) {
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
