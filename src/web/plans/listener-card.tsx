import { Bot, Braces } from "lucide-react";
import type { InstanceListener } from "../../protocol/plan-instance.ts";
import type { PlanOutput } from "../../protocol/plan-template.ts";
import { useAgentNames } from "../chat/names.ts";
import { useWords } from "../language.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Badge, type Tone } from "../ui/badge.tsx";
import { conditionWords, isAnyChange } from "./condition.ts";
import { triggersOf } from "./links.ts";
import type { DrawnListener, DrawnTask } from "./drawn.ts";
import styles from "./picture.module.css";
import { ToolUses } from "./tool-uses.tsx";
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
        {course === undefined ? null : <Standing course={course} />}
      </p>
      <When listener={listener} nameOf={nameOf} />
      {written === undefined ? null : (
        <>
          <Output name="output" output={written.success} nameOf={nameOf} />
          {written.failure === null ? null : <Output name="outputFailed" output={written.failure} nameOf={nameOf} />}
        </>
      )}
      {course?.error === undefined ? null : <p className={styles["error"]}>{course.error}</p>}
      <Folds listener={listener} />
    </section>
  );
}

const TONES = {
  idle: "plain",
  running: "info",
  waiting_input: "warn",
  retrying: "warn",
  done: "good",
  failed: "bad",
  held: "warn",
  cancelled: "plain",
} as const satisfies Record<InstanceListener["status"], Tone>;

function Standing({ course: { status, attempts } }: { readonly course: InstanceListener }) {
  const say = useWords(WORDS);
  return (
    <>
      <Badge tone={TONES[status]}>{say(`listener_${status}`)}</Badge>
      {attempts > 1 ? <span className={styles["quiet"]}>{say("attempts", { n: attempts })}</span> : null}
    </>
  );
}

function When({
  listener: { condition, written, ...listener },
  nameOf,
}: {
  readonly listener: DrawnListener;
  readonly nameOf: (id: string) => string;
}) {
  const say = useWords(WORDS);
  const triggers = triggersOf(listener);
  const further = written?.action_condition ?? "true";
  const quoted = triggers.map((id) => say("quoted", { name: nameOf(id) }));
  const tasks = quoted.length === 0 ? "" : quoted.reduce((left, right) => say("both", { left, right }));
  const reader = { triggers, nameOf, say };
  const words = isAnyChange(condition) ? null : conditionWords(condition, reader);
  const more = isAnyChange(further) ? null : (conditionWords(further, reader) ?? further);
  return (
    <p>
      {isAnyChange(condition) ? (
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

function Output({
  name,
  output: { task_id, status, context },
  nameOf,
}: {
  readonly name: "output" | "outputFailed";
  readonly output: PlanOutput;
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

function Folds({ listener: { written, course } }: { readonly listener: DrawnListener }) {
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
      {course === undefined || course.tools.length === 0 ? null : <ToolUses tools={course.tools} />}
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
