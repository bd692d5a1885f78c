import { CalendarCheck, CalendarClock } from "lucide-react";
import { Link } from "wouter";
import { visible } from "../../protocol/visible.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../language.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Badge, type Tone } from "../ui/badge.tsx";
import styles from "./steps.module.css";
import { stringIn, type Fields } from "./values.ts";
import { WORDS } from "./words.ts";

type Label = { readonly tone: Tone; readonly name: keyof (typeof WORDS)["en"] };

/** Shows the status of a schedule. */
export function ScheduleCard({ fields }: { readonly fields: Fields }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const id = stringIn(fields, "task_id");
  const next = fields["next_run_at"];
  const reason = stringIn(fields, "reason");
  const { tone, name } = standingOf(fields);
  return (
    <section className={styles["card"]} aria-label={say("schedule")}>
      <div className={styles["head"]}>
        <CalendarClock size={16} aria-hidden />
        <strong>{visible(stringIn(fields, "task_title"))}</strong>
        <Badge tone={tone}>{say(name)}</Badge>
      </div>
      {isMoment(next) ? (
        <p className={styles["quiet"]}>
          {say("nextRun", { distance: format.distance(next), moment: format.moment(next) })}
        </p>
      ) : null}
      {reason === "" ? null : <p className={styles["quiet"]}>{visible(reason)}</p>}
      {id === "" || fields["task_status"] === "cancelled" ? null : (
        <Link className={styles["link"] ?? ""} href={`/schedules/${encodeURIComponent(id)}`}>
          {say("openSchedule")}
        </Link>
      )}
    </section>
  );
}

/** Shows the result of a schedule run. */
export function RunCard({ fields, title }: { readonly fields: Fields; readonly title: string }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const id = stringIn(fields, "schedule_id");
  const due = fields["due_at"];
  const name = title === "" ? say("aRun") : visible(title);
  const { tone, name: status } = endOf(stringIn(fields, "status"));
  return (
    <section className={styles["card"]} aria-label={say("runResult", { title: name })}>
      <div className={styles["head"]}>
        <CalendarCheck size={16} aria-hidden />
        <strong>{say("runResult", { title: name })}</strong>
        <Badge tone={tone}>{say(status)}</Badge>
        {isMoment(due) ? <span className={styles["quiet"]}>{say("runOf", { moment: format.moment(due) })}</span> : null}
      </div>
      <Markdown text={stringIn(fields, "result")} />
      {id === "" ? null : (
        <Link className={styles["link"] ?? ""} href={`/schedules/${encodeURIComponent(id)}`}>
          {say("openSchedule")}
        </Link>
      )}
    </section>
  );
}

function standingOf({ task_status, schedule_status }: Fields): Label {
  if (task_status === "cancelled") return { tone: "plain", name: "scheduleCancelled" };
  if (task_status === "failed") return { tone: "bad", name: "scheduleFailed" };
  if (task_status === "running") return { tone: "info", name: "scheduleRunning" };
  return schedule_status === "paused"
    ? { tone: "warn", name: "schedulePaused" }
    : { tone: "good", name: "scheduleActive" };
}

function endOf(status: string): Label {
  if (status === "completed") return { tone: "good", name: "succeeded" };
  if (status === "cancelled") return { tone: "plain", name: "runCancelled" };
  if (status === "skipped") return { tone: "plain", name: "runSkipped" };
  return status === "running" ? { tone: "info", name: "running" } : { tone: "bad", name: "failed" };
}

/** Returns true for a time in ms since the epoch that `Date` can represent. */
function isMoment(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= 8.64e15;
}
