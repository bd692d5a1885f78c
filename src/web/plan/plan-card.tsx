// The card of a running or finished plan: its tasks, their agents, dependencies and progress.

import { CircleStop, Workflow } from "lucide-react";
import { memo, useCallback, useState } from "react";
import { Link } from "wouter";
import type { Plan, Task } from "../../protocol/plan.ts";
import { refusalOf } from "../refusal.ts";
import { useTalk, useTalkActions } from "../chat/talk.ts";
import { useAgentNames } from "../chat/names.ts";
import { useWords } from "../language.ts";
import { Avatar } from "../ui/avatar.tsx";
import { IconButton } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";
import { useCourses, type Course } from "./courses.ts";
import { agentsOf, inputsOf, isLive, isSameAtAGlance, progressOf, tokensOf } from "./facts.ts";
import { graphOf, isDrawable } from "./layers.ts";
import styles from "./plan-card.module.css";
import { StatusIcon, toneOf } from "./status.tsx";
import { streamOf } from "./streams.ts";
import { Recurrence, TaskFacts } from "./task-head.tsx";
import { TaskRow } from "./task-row.tsx";
import { Why } from "./why.tsx";
import { WORDS } from "./words.ts";

/** The items of a plan with one task are rows of the transcript, so its card is a single line. */
export function PlanCard({ plan }: { readonly plan: Plan }) {
  const [only, second] = plan.tasks;
  if (only === undefined) return null;
  if (second === undefined) return <SingleTask key={plan.plan_id} plan={plan} task={only} />;
  return <SeveralTasks key={plan.plan_id} plan={plan} />;
}

function SeveralTasks({ plan }: { readonly plan: Plan }) {
  const { thread, items, courseOf, stop } = usePlan(plan);
  // Dependencies do not change after a plan was created.
  const [graph] = useState(() => graphOf(plan.tasks));
  const lanes = isDrawable(graph) ? graph.lanes : 0;
  const done = plan.tasks.flatMap(({ task_id, status }) => (status === "completed" ? task_id : [])).join(" ");
  return (
    <section className={styles["card"]} aria-label={plan.orig_query}>
      <PlanHead plan={plan} />
      <ol className={styles["tasks"]}>
        {graph.rows.map((row) => {
          const task = plan.tasks.find(({ task_id }) => task_id === row.task_id);
          return task === undefined ? null : (
            <TaskRow
              key={row.task_id}
              task={task}
              row={row}
              lanes={lanes}
              done={done}
              inputs={inputsOf(task, plan.tasks)}
              items={streamOf(items, task.task_id)}
              course={courseOf(task.task_id)}
              tokens={tokensOf(thread?.usage, task.task_id)}
              onStop={stop}
            />
          );
        })}
      </ol>
      <footer className={styles["foot"]}>
        <Why plan={plan} triage={thread?.triage} />
      </footer>
    </section>
  );
}

const PlanHead = memo(function PlanHead({ plan }: { readonly plan: Plan }) {
  const say = useWords(WORDS);
  const nameOf = useAgentNames();
  const agents = agentsOf(plan);
  const { done, failed, waiting, total } = progressOf(plan.tasks);
  return (
    <header className={styles["head"]}>
      <Workflow className={styles["mark"]} size={18} aria-hidden />
      <h2 className={styles["name"]}>
        {say("plan")}
        <span className={styles["size"]}>
          {say("tasks", { n: total })} · {say("agents", { n: agents.length })}
        </span>
      </h2>
      <span className={styles["agents"]}>
        {agents.slice(0, 5).map((name) => (
          <Avatar key={name} name={name} label={nameOf(name)} size="small" />
        ))}
      </span>
      <p className={styles["progress"]} aria-live="polite">
        {say("progress", { done, n: total })}
        {failed === 0 ? null : <span className={toneOf("failed")}>{say("progressFailed", { n: failed })}</span>}
        {waiting === 0 ? null : (
          <span className={toneOf("waiting_input")}>{say("progressWaiting", { n: waiting })}</span>
        )}
      </p>
      <span className={styles["bar"]} aria-hidden>
        {plan.tasks.map(({ task_id, status }) => (
          <span key={task_id} className={`${styles["part"]} ${toneOf(status)}`} data-status={status} />
        ))}
      </span>
    </header>
  );
}, isSamePlan);

function isSamePlan({ plan: before }: { readonly plan: Plan }, { plan: now }: { readonly plan: Plan }): boolean {
  return before.tasks.every((task, i) => {
    const same = now.tasks[i];
    return same !== undefined && isSameAtAGlance(task, same);
  });
}

function SingleTask({ plan, task }: { readonly plan: Plan; readonly task: Task }) {
  const say = useWords(WORDS);
  const { talk, thread, courseOf, stop } = usePlan(plan);
  const name = useAgentNames()(task.agent_name);
  const head = { task, course: courseOf(task.task_id), tokens: tokensOf(thread?.usage, task.task_id) };
  return (
    <div className={styles["single"]}>
      <div className={styles["line"]}>
        <Avatar name={task.agent_name} label={name} size="small" />
        <strong className={styles["only"]}>{name}</strong>
        <StatusIcon status={task.status} size={16} />
        <TaskFacts {...head} />
        {isLive(task.status) ? (
          <IconButton label={say("stopTask", { title: task.title })} onClick={() => stop(task)}>
            <CircleStop size={18} aria-hidden />
          </IconButton>
        ) : null}
      </div>
      <Recurrence task={task} />
      <Why plan={plan} triage={thread?.triage}>
        {task.conversation_id === talk.id ? undefined : (
          <Link href={`/c/${encodeURIComponent(task.conversation_id)}`}>{say("ownConversation", { agent: name })}</Link>
        )}
      </Why>
    </div>
  );
}

/** Returns the parts of the conversation that a card needs. `stop` is always the same function. */
function usePlan(plan: Plan) {
  const talk = useTalk();
  const { cancel } = useTalkActions();
  const stop = useCallback(
    (task: Task) => {
      cancel({ task_id: task.task_id }).catch((thrown: unknown) => toast(refusalOf(thrown).message, "failed"));
    },
    [cancel],
  );
  const courseOf: (taskId: string) => Course = useCourses(plan, talk.view.isCaughtUp);
  const thread = talk.view.threads.find(({ thread_id }) => thread_id === plan.thread_id);
  return { talk, thread, items: talk.view.items, courseOf, stop };
}
