import type { PlanInstance } from "../../protocol/plan-instance.ts";
import { useAgentNames } from "../chat/names.ts";
import { useFormat } from "../format.ts";
import { useWords, type Say } from "../language.ts";
import styles from "./instance.module.css";
import { reasonIn } from "./reason.ts";
import { WORDS } from "./words.ts";

type NameOf = (id: string) => string;
type Happening = PlanInstance["log"][number];

/** The log of an instance, oldest entry first. */
export function Timeline({ instance: { log, tasks } }: { readonly instance: PlanInstance }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const agentName = useAgentNames();
  const nameOf = (id: string) => tasks.find(({ task_id }) => task_id === id)?.name ?? id;
  return (
    <section className={styles["section"]}>
      <h2>{say("timeline")}</h2>
      <ol className={styles["timeline"]}>
        {log.map((happening, i) => (
          // The log is append-only.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i} data-type={happening.type}>
            <time dateTime={new Date(happening.at).toISOString()}>{format.second(happening.at)}</time>
            <span>
              {wordsOf(happening, nameOf, agentName, say)}
              {happening.type === "TASK_STATUS_CHANGE" && happening.reason !== "" ? (
                <span className={styles["quiet"]}> {reasonIn(say, happening.reason)}</span>
              ) : null}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const EXECUTED = { done: "logDone", failed: "logFailed", cancelled: "logCancelled" } as const;

function wordsOf(
  happening: Happening,
  nameOf: NameOf,
  agentName: NameOf,
  say: Say<keyof (typeof WORDS)["en"]>,
): string {
  switch (happening.type) {
    case "PLAN_STARTED":
      return say("logStarted");
    case "TASK_STATUS_CHANGE": {
      const { task_id, old_status, new_status } = happening;
      return say("logTask", { task: nameOf(task_id), before: say(old_status), after: say(new_status) });
    }
    case "LISTENER_TRIGGERED":
      return say("logTriggered", { listener: happening.listener_id });
    case "TOOL_CALLED":
      return say("logTool", { agent: agentName(happening.agent_id), tool: happening.tool });
    case "LISTENER_EXECUTED":
      return say(EXECUTED[happening.status], { listener: happening.listener_id });
    case "PLAN_COMPLETED":
      return say("logCompleted", { status: say(`status_${happening.status}`) });
  }
}
