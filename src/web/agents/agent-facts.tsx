import type { ReactNode } from "react";
import type { Agent } from "../../protocol/agents/agent.ts";
import { useWords } from "../language.ts";
import styles from "./agent-page.module.css";
import { WORDS } from "./words.ts";

/** Version, source, address and capabilities of an agent. */
export function AgentFacts({ agent }: { readonly agent: Agent }) {
  const say = useWords(WORDS);
  const { version, source, url, capabilities, planner_passthrough: passes, hidden } = agent;
  return (
    <dl className={styles["facts"]}>
      <AgentFact name={say("version")}>{version}</AgentFact>
      <AgentFact name={say("source")}>{say(`${source}More`)}</AgentFact>
      {url === undefined ? null : (
        <AgentFact name={say("address")}>
          <code>{url}</code>
        </AgentFact>
      )}
      <AgentFact name={say("capabilities")}>
        <ul>
          <li>{say(capabilities.streaming ? "streams" : "streamsNot")}</li>
          {capabilities.push_notifications ? <li>{say("pushes")}</li> : null}
          {passes ? <li>{say("passes")}</li> : null}
          {hidden ? <li>{say("hidden")}</li> : null}
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
