import type { ReactNode } from "react";
import type { Agent } from "../../protocol/agent.ts";
import { useWords } from "../language.ts";
import styles from "./agent.module.css";
import { WORDS } from "./words.ts";

/** Version, source, address and capabilities of an agent. */
export function Facts({ agent }: { readonly agent: Agent }) {
  const say = useWords(WORDS);
  const { version, source, url, capabilities, planner_passthrough: passes, hidden } = agent;
  return (
    <dl className={styles["facts"]}>
      <Fact name={say("version")}>{version}</Fact>
      <Fact name={say("source")}>{say(`${source}More`)}</Fact>
      {url === undefined ? null : (
        <Fact name={say("address")}>
          <code>{url}</code>
        </Fact>
      )}
      <Fact name={say("capabilities")}>
        <ul>
          <li>{say(capabilities.streaming ? "streams" : "streamsNot")}</li>
          {capabilities.push_notifications ? <li>{say("pushes")}</li> : null}
          {passes ? <li>{say("passes")}</li> : null}
          {hidden ? <li>{say("hidden")}</li> : null}
        </ul>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
