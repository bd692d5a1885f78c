import { Workflow } from "lucide-react";
import { Link } from "wouter";
import { escapeInvisible } from "../../protocol/text/escape-invisible.ts";
import { useWords } from "../language.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { FoldableStep } from "./foldable-step.tsx";
import { JsonView } from "./json-view.tsx";
import styles from "./steps.module.css";
import { toFields, getStringField, type JsonFields } from "./step-values.ts";
import { WORDS } from "./words.ts";

const INSTANCE_TONES = {
  not_started: "plain",
  running: "info",
  done: "good",
  error: "bad",
  cancelled: "plain",
} as const;

/** Shows the status of a workflow instance, with a link to it. */
export function WorkflowInstanceCard({ fields }: { readonly fields: JsonFields }) {
  const say = useWords(WORDS);
  const id = getStringField(fields, "plan_instance_id");
  const name = escapeInvisible(getStringField(fields, "name"));
  const status = getStringField(fields, "status");
  const hold = toFields(fields["hold"]);
  const isHeld = hold !== null || fields["waiting_for_resume"] === true;
  const reason = getStringField(hold ?? fields, hold === null ? "error" : "message");
  return (
    <section className={styles["card"]} aria-label={say("instance")}>
      <div className={styles["head"]}>
        <Workflow size={16} aria-hidden />
        <strong>{name === "" ? say("instance") : name}</strong>
        {isInstanceStatus(status) ? (
          <Badge tone={INSTANCE_TONES[status] satisfies BadgeTone}>{say(status)}</Badge>
        ) : null}
        {isHeld ? <Badge tone="warn">{say("waitsForResume")}</Badge> : null}
      </div>
      {reason === "" ? null : <p className={styles["quiet"]}>{escapeInvisible(reason)}</p>}
      {id === "" ? null : (
        <Link className={styles["link"] ?? ""} href={`/instances/${encodeURIComponent(id)}`}>
          {say("openInstance")}
        </Link>
      )}
    </section>
  );
}

function isInstanceStatus(status: string): status is keyof typeof INSTANCE_TONES {
  return Object.hasOwn(INSTANCE_TONES, status);
}

const PART_KINDS = {
  plan_task: { word: "task", nameIn: (fields: JsonFields) => getStringField(fields, "name") },
  plan_listener: { word: "listener", nameIn: (fields: JsonFields) => getStringField(fields, "listener_id") },
  plan_value: { word: "value", nameIn: (fields: JsonFields) => getStringField(fields, "name") },
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

/** Shows a task, a listener or a value of an instance. */
export function WorkflowInstancePart({
  itemId,
  type,
  fields,
}: {
  readonly itemId: string;
  readonly type: keyof typeof PART_KINDS;
  readonly fields: JsonFields;
}) {
  const say = useWords(WORDS);
  const { word, nameIn } = PART_KINDS[type];
  const status = getStringField(fields, "status");
  return (
    <FoldableStep
      itemId={itemId}
      icon={<Workflow size={16} aria-hidden />}
      title={say(word, { name: escapeInvisible(nameIn(fields)) })}
      hint={isPartStatus(status) ? say(PART_STATUS_KEYS[status]) : escapeInvisible(status)}
      status="none"
    >
      {() => <JsonView value={fields} />}
    </FoldableStep>
  );
}
