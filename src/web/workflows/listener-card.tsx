import { Bot, Braces } from "lucide-react";
import type { InstanceListener } from "../../protocol/workflows/workflow-instance.ts";
import type { ListenerOutput } from "../../protocol/workflows/workflow-template.ts";
import { useAgentNames } from "../chat/use-agent-names.ts";
import { useWords } from "../language.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { formatCondition, matchesAnyChange } from "./format-condition.ts";
import { listTriggers } from "./listener-links.ts";
import type { DrawnListener, DrawnTask } from "./drawn-workflow.ts";
import styles from "./workflow-diagram.module.css";
import { ToolUseList } from "./tool-use-list.tsx";
import { WORDS } from "./words.ts";

/** Shows a listener: its condition, its agent or code, its outputs and its status. */
export function ListenerCard({
  listener,
  tasks,
}: {
  readonly listener: DrawnListener;
  readonly tasks: readonly DrawnTask[];
}) {
  const say = useWords(WORDS);
  const { listener_id, agent, written, course } = listener;
  const agentName = useAgentNames();
  const nameOf = (id: string) => tasks.find(({ task_id }) => task_id === id)?.name ?? id;
  return (
    <section className={styles["listener"]} data-status={course?.status} aria-label={listener_id}>
      <p className={styles["head"]}>
        <span className={styles["who"]}>
          {agent === null ? (
            <Braces size={16} aria-hidden />
          ) : (
            <Avatar name={agent} label={agentName(agent)} size="small" />
          )}
          {agent === null ? say("code") : say("does", { agent: agentName(agent) })}
        </span>
        <code className={styles["id"]}>{listener_id}</code>
        {course === undefined ? null : <ListenerStatusBadge course={course} />}
      </p>
      <ListenerCondition listener={listener} nameOf={nameOf} />
      {written === undefined ? null : (
        <>
          <ListenerOutputLine name="output" output={written.success} nameOf={nameOf} />
          {written.failure === null ? null : (
            <ListenerOutputLine name="outputFailed" output={written.failure} nameOf={nameOf} />
          )}
        </>
      )}
      {course?.error === undefined ? null : <p className={styles["error"]}>{course.error}</p>}
      <ListenerDetails listener={listener} />
    </section>
  );
}

const LISTENER_TONES = {
  idle: "plain",
  running: "info",
  waiting_input: "warn",
  retrying: "warn",
  done: "good",
  failed: "bad",
  held: "warn",
  cancelled: "plain",
} as const satisfies Record<InstanceListener["status"], BadgeTone>;

function ListenerStatusBadge({ course: { status, attempts } }: { readonly course: InstanceListener }) {
  const say = useWords(WORDS);
  return (
    <>
      <Badge tone={LISTENER_TONES[status]}>{say(`listener_${status}`)}</Badge>
      {attempts > 1 ? <span className={styles["quiet"]}>{say("attempts", { n: attempts })}</span> : null}
    </>
  );
}

function ListenerCondition({
  listener: { condition, written, ...listener },
  nameOf,
}: {
  readonly listener: DrawnListener;
  readonly nameOf: (id: string) => string;
}) {
  const say = useWords(WORDS);
  const triggers = listTriggers(listener);
  const further = written?.action_condition ?? "true";
  const quoted = triggers.map((id) => say("quoted", { name: nameOf(id) }));
  const tasks = quoted.length === 0 ? "" : quoted.reduce((left, right) => say("both", { left, right }));
  const reader = { triggers, nameOf, say };
  const words = matchesAnyChange(condition) ? null : formatCondition(condition, reader);
  const more = matchesAnyChange(further) ? null : (formatCondition(further, reader) ?? further);
  return (
    <p>
      {matchesAnyChange(condition) ? (
        say("whenChanged", { tasks })
      ) : words === null ? (
        <>
          {say("whenAs")} <code>{condition}</code>
        </>
      ) : (
        say("when", { condition: words })
      )}
      {more === null ? null : <> {say("provided", { condition: more })}</>}
    </p>
  );
}

function ListenerOutputLine({
  name,
  output: { task_id, status, context },
  nameOf,
}: {
  readonly name: "output" | "outputFailed";
  readonly output: ListenerOutput;
  readonly nameOf: (id: string) => string;
}) {
  const say = useWords(WORDS);
  const names = Object.keys(context);
  return (
    <p className={styles["quiet"]}>
      → {say(name, { task: say("quoted", { name: nameOf(task_id) }), status: say(status) })}
      {names.length === 0 ? null : <> · {say("gives", { names: names.join(", ") })}</>}
    </p>
  );
}

function ListenerDetails({ listener: { written, course } }: { readonly listener: DrawnListener }) {
  const say = useWords(WORDS);
  const { action_prompt: prompt = "", code_snippet: code } = written ?? {};
  return (
    <>
      {prompt === "" ? null : (
        <details className={styles["fold"]}>
          <summary>{say("prompt")}</summary>
          <p className={styles["prompt"]}>{prompt}</p>
        </details>
      )}
      {code === undefined || code === null || code === "" ? null : (
        <details className={styles["fold"]}>
          <summary>{say("source")}</summary>
          <pre className={styles["source"]}>{code}</pre>
        </details>
      )}
      {course === undefined || course.tools.length === 0 ? null : <ToolUseList tools={course.tools} />}
      {course?.response === undefined || course.response.trim() === "" ? null : (
        <details className={styles["fold"]}>
          <summary>
            <Bot size={14} aria-hidden /> {say("answer")}
          </summary>
          <Markdown text={course.response} />
        </details>
      )}
    </>
  );
}
