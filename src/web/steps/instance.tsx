import { Workflow } from "lucide-react";
import { Link } from "wouter";
import { visible } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import { Badge, type Tone } from "../ui/badge.tsx";
import { Fold } from "./fold.tsx";
import { Json } from "./json.tsx";
import styles from "./steps.module.css";
import { fieldsOf, stringIn, type Fields } from "./values.ts";
import { WORDS } from "./words.ts";

const TONES = { not_started: "plain", running: "info", done: "good", error: "bad", cancelled: "plain" } as const;

/** Shows the status of a workflow instance, with a link to it. */
export function InstanceCard({ fields }: { readonly fields: Fields }) {
  const say = useWords(WORDS);
  const id = stringIn(fields, "plan_instance_id");
  const name = visible(stringIn(fields, "name"));
  const status = stringIn(fields, "status");
  const hold = fieldsOf(fields["hold"]);
  const isHeld = hold !== null || fields["waiting_for_resume"] === true;
  const reason = stringIn(hold ?? fields, hold === null ? "error" : "message");
  return (
    <section className={styles["card"]} aria-label={say("instance")}>
      <div className={styles["head"]}>
        <Workflow size={16} aria-hidden />
        <strong>{name === "" ? say("instance") : name}</strong>
        {isStatus(status) ? <Badge tone={TONES[status] satisfies Tone}>{say(status)}</Badge> : null}
        {isHeld ? <Badge tone="warn">{say("waitsForResume")}</Badge> : null}
      </div>
      {reason === "" ? null : <p className={styles["quiet"]}>{visible(reason)}</p>}
      {id === "" ? null : (
        <Link className={styles["link"] ?? ""} href={`/instances/${encodeURIComponent(id)}`}>
          {say("openInstance")}
        </Link>
      )}
    </section>
  );
}

function isStatus(status: string): status is keyof typeof TONES {
  return Object.hasOwn(TONES, status);
}

const PARTS = {
  plan_task: { word: "task", nameIn: (fields: Fields) => stringIn(fields, "name") },
  plan_listener: { word: "listener", nameIn: (fields: Fields) => stringIn(fields, "listener_id") },
  plan_value: { word: "value", nameIn: (fields: Fields) => stringIn(fields, "name") },
} as const;

/** Message keys of the statuses of tasks and listeners. */
const STANDINGS = {
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

function isStanding(status: string): status is keyof typeof STANDINGS {
  return Object.hasOwn(STANDINGS, status);
}

/** Shows a task, a listener or a value of an instance. */
export function InstancePart({
  of,
  type,
  fields,
}: {
  readonly of: string;
  readonly type: keyof typeof PARTS;
  readonly fields: Fields;
}) {
  const say = useWords(WORDS);
  const { word, nameIn } = PARTS[type];
  const status = stringIn(fields, "status");
  return (
    <Fold
      of={of}
      icon={<Workflow size={16} aria-hidden />}
      title={say(word, { name: visible(nameIn(fields)) })}
      hint={isStanding(status) ? say(STANDINGS[status]) : visible(status)}
      standing="none"
    >
      {() => <Json value={fields} />}
    </Fold>
  );
}
