import { Circle, Hammer } from "lucide-react";
import { Link } from "wouter";
import { visible } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import { Sign, type Standing } from "./fold.tsx";
import styles from "./steps.module.css";
import { fieldsOf, stringIn, type Fields } from "./values.ts";
import { WORDS } from "./words.ts";

/** Shows the progress of the toolsmith by subtask. Its steps are separate tool calls. */
export function SubtaskCard({ fields }: { readonly fields: Fields }) {
  const say = useWords(WORDS);
  const { subtasks } = fields;
  const tasks = Array.isArray(subtasks) ? subtasks.map(fieldsOf).filter((task) => task !== null) : [];
  const done = tasks.filter(({ status }) => status === "completed").length;
  return (
    <section className={styles["card"]} aria-label={say("toolsmith")}>
      <div className={styles["head"]}>
        <Hammer size={16} aria-hidden />
        <strong>{say("toolsmith")}</strong>
        <span className={styles["quiet"]}>{say("stepsDone", { done, total: tasks.length })}</span>
      </div>
      <ol className={styles["steps"]}>
        {tasks.map((task, i) => (
          <Subtask key={i} task={task} />
        ))}
      </ol>
    </section>
  );
}

function Subtask({ task }: { readonly task: Fields }) {
  const say = useWords(WORDS);
  const standing = standingOf(stringIn(task, "status"));
  const tool = stringIn(task, "tool");
  const said = stringIn(task, "error") || stringIn(task, "result");
  return (
    <li>
      {standing === "none" ? (
        <span>
          <Circle size={16} aria-hidden />
          <span className="visually-hidden">{say("pending")}</span>
        </span>
      ) : (
        <span>
          <Sign standing={standing} />
        </span>
      )}
      <div>
        {visible(stringIn(task, "description"))}{" "}
        {tool === "" ? null : (
          <Link href={`/tools/${encodeURIComponent(tool)}`}>
            <code>{visible(tool)}</code>
          </Link>
        )}
        {said === "" ? null : <p className={styles[standing === "failed" ? "bad" : "quiet"]}>{visible(said)}</p>}
      </div>
    </li>
  );
}

function standingOf(status: string): Standing {
  if (status === "running") return "running";
  if (status === "completed") return "succeeded";
  return status === "failed" || status === "cancelled" ? "failed" : "none";
}
