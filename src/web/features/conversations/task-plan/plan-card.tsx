// The card of a running or finished plan: its tasks, their agents, dependencies and progress.

import { CircleStop, Workflow } from "lucide-react";
import { memo, useCallback, useState } from "react";
import { Link } from "wouter";
import type { Plan, Task } from "../../../../protocol/plans/task-plan.ts";
import { toUserError } from "../../../session/user-error.ts";
import { useConversation, useConversationCommands } from "../state/conversation-context.ts";
import { useAgentNames } from "../../agents/use-agents.ts";
import { useMessages } from "../../../session/language.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { useTaskTimings, type TaskTiming } from "./use-task-timings.ts";
import {
  listPlanAgents,
  listInputTitles,
  isTaskActive,
  hasSameHeaderState,
  computeProgress,
  countTaskTokens,
  getTaskStream,
} from "./plan-facts.ts";
import { buildTaskGraph, isDrawableGraph } from "./task-graph.ts";
import styles from "./plan-card.module.css";
import { TaskStatusIcon, getStatusClass } from "./lane-row.tsx";
import { TaskRecurrence, TaskStatusLine } from "./task-header.tsx";
import { TaskRow } from "./task-row.tsx";
import { PlanReasons } from "./plan-reasons.tsx";

/**
 * Shows a plan; nothing without tasks. The items of a plan with one task are rows of the transcript, so its card is a
 * single line.
 */
export function PlanCard({ plan }: { readonly plan: Plan }) {
  const [only, second] = plan.tasks;
  if (only === undefined) return null;
  if (second === undefined) return <SingleTaskCard key={plan.plan_id} plan={plan} task={only} />;
  return <MultiTaskCard key={plan.plan_id} plan={plan} />;
}

function MultiTaskCard({ plan }: { readonly plan: Plan }) {
  const { thread, items, getTiming, stop } = usePlanContext(plan);
  // Dependencies do not change after a plan was created.
  const [graph] = useState(() => buildTaskGraph(plan.tasks));
  const lanes = isDrawableGraph(graph) ? graph.lanes : 0;
  const done = plan.tasks.flatMap(({ task_id, status }) => (status === "completed" ? task_id : [])).join(" ");
  return (
    <section className={styles["card"]} aria-label={plan.orig_query}>
      <PlanHeader plan={plan} />
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
              inputs={listInputTitles(task, plan.tasks)}
              items={getTaskStream(items, task.task_id)}
              timing={getTiming(task.task_id)}
              tokens={countTaskTokens(thread?.usage, task.task_id)}
              onStop={stop}
            />
          );
        })}
      </ol>
      <footer className={styles["foot"]}>
        <PlanReasons plan={plan} triage={thread?.triage} />
      </footer>
    </section>
  );
}

const PlanHeader = memo(function PlanHeader({ plan }: { readonly plan: Plan }) {
  const t = useMessages("taskPlan");
  const getAgentName = useAgentNames();
  const agents = listPlanAgents(plan);
  const { done, failed, waiting, total } = computeProgress(plan.tasks);
  return (
    <header className={styles["head"]}>
      <Workflow className={styles["mark"]} size={18} aria-hidden />
      <h2 className={styles["name"]}>
        {t("plan")}
        <span className={styles["size"]}>
          {t("tasks", { n: total })} · {t("agents", { n: agents.length })}
        </span>
      </h2>
      <span className={styles["agents"]}>
        {agents.slice(0, 5).map((name) => (
          <Avatar key={name} name={name} label={getAgentName(name)} size="small" />
        ))}
      </span>
      <p className={styles["progress"]} aria-live="polite">
        {t("progress", { done, n: total })}
        {failed === 0 ? null : <span className={getStatusClass("failed")}>{t("progressFailed", { n: failed })}</span>}
        {waiting === 0 ? null : (
          <span className={getStatusClass("waiting_input")}>{t("progressWaiting", { n: waiting })}</span>
        )}
      </p>
      <span className={styles["bar"]} aria-hidden>
        {plan.tasks.map(({ task_id, status }) => (
          <span key={task_id} className={`${styles["part"]} ${getStatusClass(status)}`} data-status={status} />
        ))}
      </span>
    </header>
  );
}, hasSamePlanHeader);

function hasSamePlanHeader({ plan: before }: { readonly plan: Plan }, { plan: now }: { readonly plan: Plan }): boolean {
  return before.tasks.every((task, i) => {
    const same = now.tasks[i];
    return same !== undefined && hasSameHeaderState(task, same);
  });
}

function SingleTaskCard({ plan, task }: { readonly plan: Plan; readonly task: Task }) {
  const t = useMessages("taskPlan");
  const { conversation, thread, getTiming, stop } = usePlanContext(plan);
  const name = useAgentNames()(task.agent_name);
  const head = { task, timing: getTiming(task.task_id), tokens: countTaskTokens(thread?.usage, task.task_id) };
  return (
    <div className={styles["single"]}>
      <div className={styles["line"]}>
        <Avatar name={task.agent_name} label={name} size="small" />
        <strong className={styles["only"]}>{name}</strong>
        <TaskStatusIcon status={task.status} size={16} />
        <TaskStatusLine {...head} />
        {isTaskActive(task.status) ? (
          <IconButton label={t("stopTask", { title: task.title })} onClick={() => stop(task)}>
            <CircleStop size={18} aria-hidden />
          </IconButton>
        ) : null}
      </div>
      <TaskRecurrence task={task} />
      <PlanReasons plan={plan} triage={thread?.triage}>
        {task.conversation_id === conversation.id ? undefined : (
          <Link href={`/c/${encodeURIComponent(task.conversation_id)}`}>{t("ownConversation", { agent: name })}</Link>
        )}
      </PlanReasons>
    </div>
  );
}

/** Returns the parts of the conversation that a card needs. `stop` is always the same function. */
function usePlanContext(plan: Plan) {
  const conversation = useConversation();
  const { cancel } = useConversationCommands();
  const stop = useCallback(
    (task: Task) => {
      cancel({ task_id: task.task_id }).catch((thrown: unknown) => showToast(toUserError(thrown).message, "failed"));
    },
    [cancel],
  );
  const getTiming: (taskId: string) => TaskTiming = useTaskTimings(plan, conversation.view.isCaughtUp);
  const thread = conversation.view.threads.find(({ thread_id }) => thread_id === plan.thread_id);
  return { conversation, thread, items: conversation.view.items, getTiming, stop };
}
