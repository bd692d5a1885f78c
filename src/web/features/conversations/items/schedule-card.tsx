import { CalendarCheck, CalendarClock } from "lucide-react";
import { Link } from "wouter";
import { escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { useMessages, type UiMessageKey } from "../../../session/language.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import styles from "./steps.module.css";
import { getStringField, type JsonFields } from "../state/step-values.ts";

type ScheduleLabel = { readonly tone: BadgeTone; readonly name: UiMessageKey<"steps"> };

/** Shows the status and the next run of a schedule, with a link to it unless it was cancelled. */
export function ScheduleCard({ fields }: { readonly fields: JsonFields }) {
  const t = useMessages("steps");
  const format = useFormatter();
  const id = getStringField(fields, "task_id");
  const next = fields["next_run_at"];
  const reason = getStringField(fields, "reason");
  const { tone, name } = getScheduleLabel(fields);
  return (
    <section className={styles["card"]} aria-label={t("schedule")}>
      <div className={styles["head"]}>
        <CalendarClock size={16} aria-hidden />
        <strong>{escapeInvisible(getStringField(fields, "task_title"))}</strong>
        <Badge tone={tone}>{t(name)}</Badge>
      </div>
      {isTimestamp(next) ? (
        <p className="quiet">{t("nextRun", { distance: format.relativeTime(next), moment: format.dateTime(next) })}</p>
      ) : null}
      {reason === "" ? null : <p className="quiet">{escapeInvisible(reason)}</p>}
      {id === "" || fields["task_status"] === "cancelled" ? null : (
        <Link className={styles["link"] ?? ""} href={`/schedules/${encodeURIComponent(id)}`}>
          {t("openSchedule")}
        </Link>
      )}
    </section>
  );
}

/** Shows status, due time and result of a schedule run. Without a title (""), it has a general one. */
export function ScheduleRunCard({ fields, title }: { readonly fields: JsonFields; readonly title: string }) {
  const t = useMessages("steps");
  const format = useFormatter();
  const id = getStringField(fields, "schedule_id");
  const due = fields["due_at"];
  const name = title === "" ? t("untitledRun") : escapeInvisible(title);
  const { tone, name: status } = getRunLabel(getStringField(fields, "status"));
  return (
    <section className={styles["card"]} aria-label={t("runResult", { title: name })}>
      <div className={styles["head"]}>
        <CalendarCheck size={16} aria-hidden />
        <strong>{t("runResult", { title: name })}</strong>
        <Badge tone={tone}>{t(status)}</Badge>
        {isTimestamp(due) ? <span className="quiet">{t("runDue", { moment: format.dateTime(due) })}</span> : null}
      </div>
      <Markdown text={getStringField(fields, "result")} />
      {id === "" ? null : (
        <Link className={styles["link"] ?? ""} href={`/schedules/${encodeURIComponent(id)}`}>
          {t("openSchedule")}
        </Link>
      )}
    </section>
  );
}

function getScheduleLabel({ task_status, schedule_status }: JsonFields): ScheduleLabel {
  if (task_status === "cancelled") return { tone: "plain", name: "scheduleCancelled" };
  if (task_status === "failed") return { tone: "bad", name: "scheduleFailed" };
  if (task_status === "running") return { tone: "info", name: "scheduleRunning" };
  if (schedule_status === "completed") return { tone: "plain", name: "scheduleCompleted" };
  return schedule_status === "paused"
    ? { tone: "warn", name: "schedulePaused" }
    : { tone: "good", name: "scheduleActive" };
}

function getRunLabel(status: string): ScheduleLabel {
  if (status === "completed") return { tone: "good", name: "succeeded" };
  if (status === "cancelled") return { tone: "plain", name: "runCancelled" };
  if (status === "skipped") return { tone: "plain", name: "runSkipped" };
  return status === "running" ? { tone: "info", name: "running" } : { tone: "bad", name: "failed" };
}

/** Returns true for a time in ms since the epoch that `Date` can represent. */
function isTimestamp(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= 8.64e15;
}
