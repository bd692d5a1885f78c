import { Circle, Hammer } from "lucide-react";
import { Link } from "wouter";
import { escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import { StepStatusIcon, type StepStatus } from "./foldable-step.tsx";
import styles from "./steps.module.css";
import { toFields, getStringField, type JsonFields } from "../state/step-values.ts";

/** Shows the progress of the toolsmith by subtask. Its steps are separate tool calls. */
export function SubtaskCard({ fields }: { readonly fields: JsonFields }) {
  const t = useMessages("steps");
  const { subtasks } = fields;
  const tasks = Array.isArray(subtasks) ? subtasks.map(toFields).filter((task) => task !== null) : [];
  const done = tasks.filter(({ status }) => status === "completed").length;
  return (
    <section className={styles["card"]} aria-label={t("toolsmith")}>
      <div className={styles["head"]}>
        <Hammer size={16} aria-hidden />
        <strong>{t("toolsmith")}</strong>
        <span className="quiet">{t("stepsDone", { done, total: tasks.length })}</span>
      </div>
      <ol className={styles["steps"]}>
        {tasks.map((task, i) => (
          <SubtaskRow key={i} task={task} />
        ))}
      </ol>
    </section>
  );
}

function SubtaskRow({ task }: { readonly task: JsonFields }) {
  const t = useMessages("steps");
  const status = getSubtaskStatus(getStringField(task, "status"));
  const tool = getStringField(task, "tool");
  const outcomeText = getStringField(task, "error") || getStringField(task, "result");
  return (
    <li>
      {status === "none" ? (
        <span>
          <Circle size={16} aria-hidden />
          <span className="visually-hidden">{t("pending")}</span>
        </span>
      ) : (
        <span>
          <StepStatusIcon status={status} />
        </span>
      )}
      <div>
        {escapeInvisible(getStringField(task, "description"))}{" "}
        {tool === "" ? null : (
          <Link href={`/tools/${encodeURIComponent(tool)}`}>
            <code>{escapeInvisible(tool)}</code>
          </Link>
        )}
        {outcomeText === "" ? null : (
          <p className={status === "failed" ? styles["bad"] : "quiet"}>{escapeInvisible(outcomeText)}</p>
        )}
      </div>
    </li>
  );
}

function getSubtaskStatus(status: string): StepStatus {
  if (status === "running") return "running";
  if (status === "completed") return "succeeded";
  return status === "failed" || status === "cancelled" ? "failed" : "none";
}
