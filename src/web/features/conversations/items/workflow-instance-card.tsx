import { Workflow } from "lucide-react";
import { Link } from "wouter";
import { escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { useAgentNames } from "../../agents/use-agents.ts";
import { useMessages } from "../../../session/language.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { FoldableStep } from "./foldable-step.tsx";
import { JsonView } from "../../../ui/format/json-view.tsx";
import styles from "./steps.module.css";
import { toFields, getStringField, type JsonFields } from "../state/step-values.ts";

const INSTANCE_TONES = {
  not_started: "plain",
  running: "info",
  done: "good",
  error: "bad",
  cancelled: "plain",
} as const;

/** Shows the status of a workflow instance and why it is on hold or has failed, with a link to it. */
export function WorkflowInstanceCard({ fields }: { readonly fields: JsonFields }) {
  const t = useMessages("steps");
  const id = getStringField(fields, "plan_instance_id");
  const name = escapeInvisible(getStringField(fields, "name"));
  const status = getStringField(fields, "status");
  const hold = toFields(fields["hold"]);
  const isHeld = hold !== null || fields["waiting_for_resume"] === true;
  const reason = hold === null ? getStringField(fields, "error") : formatHold(hold, t("aStep"));
  return (
    <section className={styles["card"]} aria-label={t("instance")}>
      <div className={styles["head"]}>
        <Workflow size={16} aria-hidden />
        <strong>{name === "" ? t("instance") : name}</strong>
        {isInstanceStatus(status) ? <Badge tone={INSTANCE_TONES[status] satisfies BadgeTone}>{t(status)}</Badge> : null}
        {isHeld ? <Badge tone="warn">{t("onHold")}</Badge> : null}
      </div>
      {reason === "" ? null : <p className="quiet">{escapeInvisible(reason)}</p>}
      {id === "" ? null : (
        <Link className={styles["link"] ?? ""} href={`/instances/${encodeURIComponent(id)}`}>
          {t("openRun")}
        </Link>
      )}
    </section>
  );
}

/** Returns why an instance is on hold. The server starts the sentence with the id of the listener that failed. */
function formatHold(hold: JsonFields, name: string): string {
  const [message, id] = [getStringField(hold, "message"), getStringField(hold, "failed_listener_id")];
  if (id === "" || !message.startsWith(`${id} `)) return message;
  const rest = message.slice(id.length);
  // Chinese has a space after the Latin id, but none between Chinese words.
  return name + (/\p{Script=Han}$/u.test(name) ? rest.trimStart() : rest);
}

function isInstanceStatus(status: string): status is keyof typeof INSTANCE_TONES {
  return Object.hasOwn(INSTANCE_TONES, status);
}

const PART_KINDS = {
  plan_task: { key: "task", field: "name" },
  plan_listener: { key: "listener", field: "agent_id" },
  plan_value: { key: "value", field: "name" },
} as const;

/** Message keys of the statuses of tasks and listeners. */
const PART_STATUS_KEYS = {
  NotStarted: "not_started",
  Running: "running",
  Retrying: "retrying",
  Pending: "pending",
  Done: "done",
  Error: "error",
  idle: "idle",
  running: "running",
  waiting_input: "waiting_input",
  retrying: "retrying",
  done: "done",
  failed: "error",
  held: "held",
  cancelled: "cancelled",
} as const;

function isPartStatus(status: string): status is keyof typeof PART_STATUS_KEYS {
  return Object.hasOwn(PART_STATUS_KEYS, status);
}

/** Shows a task, a listener or a value of an instance, folded to its name and status. */
export function WorkflowInstancePart({
  itemId,
  type,
  fields,
}: {
  readonly itemId: string;
  readonly type: keyof typeof PART_KINDS;
  readonly fields: JsonFields;
}) {
  const t = useMessages("steps");
  const { key, field } = PART_KINDS[type];
  const getAgentName = useAgentNames();
  const name = getStringField(fields, field);
  const status = getStringField(fields, "status");
  return (
    <FoldableStep
      itemId={itemId}
      icon={<Workflow size={16} aria-hidden />}
      title={t(key, {
        name: type === "plan_listener" ? (name === "" ? t("code") : getAgentName(name)) : escapeInvisible(name),
      })}
      hint={isPartStatus(status) ? t(PART_STATUS_KEYS[status]) : escapeInvisible(status)}
      status="none"
    >
      {() => <JsonView value={fields} />}
    </FoldableStep>
  );
}
