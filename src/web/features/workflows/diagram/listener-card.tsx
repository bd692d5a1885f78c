import { Bot, Braces, Wrench } from "lucide-react";
import type { InstanceListener, ToolUse } from "../../../../protocol/workflows/workflow-instance.ts";
import type { ListenerOutput } from "../../../../protocol/workflows/workflow-template.ts";
import { useAgentNames } from "../../agents/use-agents.ts";
import { useMessages } from "../../../session/language.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { Avatar } from "../../../ui/avatar.tsx";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { formatCondition, matchesAnyChange } from "./format-condition.ts";
import { type DrawnListener, type DrawnTask, listTriggers } from "./drawn-workflow.ts";
import styles from "./workflow-diagram.module.css";
import { tryParseJson } from "../../../../lib/parse-json.ts";
import { JsonView } from "../../../ui/format/json-view.tsx";

/**
 * Shows a listener: condition, agent or code, and, as far as they are known, outputs, status, error, prompt, tool calls
 * and answer. `name` is its accessible name; `tasks` are those of the workflow.
 */
export function ListenerCard({
  listener,
  name,
  tasks,
}: {
  readonly listener: DrawnListener;
  readonly name: string | undefined;
  readonly tasks: readonly DrawnTask[];
}) {
  const t = useMessages("workflows");
  const { agent, definition, execution } = listener;
  const getAgentName = useAgentNames();
  const getTaskName = (id: string) => tasks.find(({ task_id }) => task_id === id)?.name ?? id;
  return (
    <section className={styles["listener"]} data-status={execution?.status} aria-label={name}>
      <p className={styles["head"]}>
        <span className={styles["who"]}>
          {agent === null ? (
            <Braces size={16} aria-hidden />
          ) : (
            <Avatar name={agent} label={getAgentName(agent)} size="small" />
          )}
          {agent === null ? t("code") : getAgentName(agent)}
        </span>
        {execution === undefined ? null : <ListenerStatusBadge execution={execution} />}
      </p>
      <ListenerCondition listener={listener} getTaskName={getTaskName} />
      {definition === undefined ? null : (
        <>
          <ListenerOutputLine name="output" output={definition.success} getTaskName={getTaskName} />
          {definition.failure === null ? null : (
            <ListenerOutputLine name="outputFailed" output={definition.failure} getTaskName={getTaskName} />
          )}
        </>
      )}
      {execution?.error === undefined ? null : <p className={styles["error"]}>{execution.error}</p>}
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

function ListenerStatusBadge({ execution: { status, attempts } }: { readonly execution: InstanceListener }) {
  const t = useMessages("workflows");
  return (
    <>
      <Badge tone={LISTENER_TONES[status]}>{t(`listener_${status}`)}</Badge>
      {attempts > 1 ? <span className="quiet">{t("attempts", { n: attempts })}</span> : null}
    </>
  );
}

function ListenerCondition({
  listener: { condition, definition, ...listener },
  getTaskName,
}: {
  readonly listener: DrawnListener;
  readonly getTaskName: (id: string) => string;
}) {
  const t = useMessages("workflows");
  const triggers = listTriggers(listener);
  const further = definition?.action_condition ?? "true";
  const quoted = triggers.map((id) => t("quoted", { name: getTaskName(id) }));
  const tasks = quoted.length === 0 ? "" : quoted.reduce((left, right) => t("both", { left, right }));
  const context = { triggers, getTaskName, t };
  const words = matchesAnyChange(condition) ? null : formatCondition(condition, context);
  const more = matchesAnyChange(further) ? null : (formatCondition(further, context) ?? further);
  return (
    <p>
      {matchesAnyChange(condition) ? (
        t("whenChanged", { tasks })
      ) : words === null ? (
        <>
          {t("whenCode")} <code>{condition}</code>
        </>
      ) : (
        t("when", { condition: words })
      )}
      {more === null ? null : <> {t("onlyIf", { condition: more })}</>}
    </p>
  );
}

function ListenerOutputLine({
  name,
  output: { task_id, status, context },
  getTaskName,
}: {
  readonly name: "output" | "outputFailed";
  readonly output: ListenerOutput;
  readonly getTaskName: (id: string) => string;
}) {
  const t = useMessages("workflows");
  const names = Object.keys(context);
  return (
    <p className="quiet">
      → {t(name, { task: t("quoted", { name: getTaskName(task_id) }), status: t(status) })}
      {names.length === 0 ? null : <> · {t("setsValues", { names: names.join(", ") })}</>}
    </p>
  );
}

function ListenerDetails({ listener: { definition, execution } }: { readonly listener: DrawnListener }) {
  const t = useMessages("workflows");
  const { action_prompt: prompt = "", code_snippet: code } = definition ?? {};
  return (
    <>
      {prompt === "" ? null : (
        <details className={styles["fold"]}>
          <summary>{t("prompt")}</summary>
          <p className={styles["prompt"]}>{prompt}</p>
        </details>
      )}
      {code === undefined || code === null || code === "" ? null : (
        <details className={styles["fold"]}>
          <summary>{t("viewCode")}</summary>
          <pre className={styles["source"]}>{code}</pre>
        </details>
      )}
      {execution === undefined || execution.tools.length === 0 ? null : <ToolUseList tools={execution.tools} />}
      {execution?.response === undefined || execution.response.trim() === "" ? null : (
        <details className={styles["fold"]}>
          <summary>
            <Bot size={14} aria-hidden /> {t("answer")}
          </summary>
          <Markdown text={execution.response} />
        </details>
      )}
    </>
  );
}

/** Lists the tool calls of an agent with arguments and results, folded to the names of the tools. */
function ToolUseList({ tools }: { readonly tools: readonly ToolUse[] }) {
  const t = useMessages("workflows");
  const names = [...new Set(tools.map(({ tool }) => tool))].join(", ");
  return (
    <details className={styles["fold"]}>
      <summary>
        <Wrench size={14} aria-hidden /> {t("toolsUsed", { n: tools.length })} <code>{names}</code>
      </summary>
      <ol className={styles["uses"]}>
        {tools.map(({ tool, arguments: given, result }, i) => (
          // The list is append-only.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i}>
            <code>{tool}</code>
            {given === undefined ? null : <ToolUseValue label={t("arguments")} text={given} />}
            <ToolUseValue label={t("result")} text={result} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function ToolUseValue({ label, text }: { readonly label: string; readonly text: string }) {
  const value = tryParseJson(text);
  return (
    <div>
      <p className="quiet">{label}</p>
      {value === undefined ? <pre className={styles["source"]}>{text}</pre> : <JsonView value={value} />}
    </div>
  );
}
