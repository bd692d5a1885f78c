import { useState, type FormEvent } from "react";
import { toFault, type Fault } from "../../protocol/fault.ts";
import type { LastDelivery, Schedule } from "../../protocol/recurring.ts";
import { useWords } from "../language.ts";
import { Badge, type Tone } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";
import { withoutPath } from "../ui/without-path.ts";
import styles from "./schedule.module.css";
import { Secret } from "./secret.tsx";
import { useUpdate } from "./use-schedules.ts";
import { When } from "./when.tsx";
import { WORDS } from "./words.ts";

/** The webhook that receives the results of a schedule. */
export function Webhook({ schedule }: { readonly schedule: Schedule }) {
  const say = useWords(WORDS);
  const { webhook } = schedule;
  const [isChanging, setChanging] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <section className={styles["section"]}>
      <h2>{say("webhook")}</h2>
      <p className={styles["quiet"]}>{say("webhookMore")}</p>
      {webhook === undefined || isChanging ? (
        <Address
          schedule={schedule}
          onSet={(told) => {
            setSecret(told);
            setChanging(false);
          }}
        />
      ) : (
        <Endpoint schedule={schedule} url={webhook.url} onChange={() => setChanging(true)} />
      )}
      {secret === undefined ? null : <Secret secret={secret} onClose={() => setSecret(undefined)} />}
    </section>
  );
}

function Address({
  schedule,
  onSet,
}: {
  readonly schedule: Schedule;
  readonly onSet: (secret: string | undefined) => void;
}) {
  const say = useWords(WORDS);
  const [url, setUrl] = useState(schedule.webhook?.url ?? "");
  const update = useUpdate(schedule.schedule_id);
  const set = (event: FormEvent) => {
    event.preventDefault();
    if (url.trim() === "") return;
    update.mutate({ webhook: { url: url.trim() } }, { onSuccess: ({ webhook_secret: secret }) => onSet(secret) });
  };
  return (
    <form className={styles["form"]} onSubmit={set} noValidate>
      <Field
        label={say("webhookUrl")}
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://example.com/hooks"
        value={url}
        error={update.error === null ? undefined : wordsOf(toFault(update.error))}
        onChange={(event) => {
          update.reset();
          setUrl(event.target.value);
        }}
      />
      <Button type="submit" disabled={update.isPending || url.trim() === ""}>
        {say("webhookSet")}
      </Button>
    </form>
  );
}

const wordsOf = ({ message, field }: Fault): string => withoutPath(message, field);

function Endpoint({
  schedule,
  url,
  onChange,
}: {
  readonly schedule: Schedule;
  readonly url: string;
  readonly onChange: () => void;
}) {
  const say = useWords(WORDS);
  const [isRemoving, setRemoving] = useState(false);
  const update = useUpdate(schedule.schedule_id);
  const remove = async () => {
    await update.mutateAsync({ webhook: null });
    toast(say("webhookRemoved"));
  };
  return (
    <>
      <div className={styles["line"]}>
        <code className={styles["url"]}>{url}</code>
        <Button onClick={onChange}>{say("webhookChange")}</Button>
        <Button look="danger" onClick={() => setRemoving(true)}>
          {say("webhookRemove")}
        </Button>
      </div>
      <Delivery delivery={schedule.last_delivery} />
      {isRemoving ? (
        <Confirm
          title={say("webhookRemoveTitle")}
          action={say("webhookRemove")}
          onConfirm={remove}
          onClose={() => setRemoving(false)}
        >
          <p className={styles["url"]}>{say("webhookRemoveMore", { url })}</p>
        </Confirm>
      ) : null}
    </>
  );
}

const TONES = {
  delivered: "good",
  retrying: "warn",
  failed: "bad",
  gone: "bad",
} as const satisfies Record<LastDelivery["status"], Tone>;

function Delivery({ delivery }: { readonly delivery: LastDelivery | undefined }) {
  const say = useWords(WORDS);
  if (delivery === undefined) return <p className={styles["quiet"]}>{say("noDelivery")}</p>;
  const { status, at, attempts, error } = delivery;
  return (
    <>
      <div className={styles["line"]}>
        <span className={styles["quiet"]}>{say("delivery")}</span>
        <Badge tone={TONES[status]}>{say(status)}</Badge>
        <When at={at} />
        <span className={styles["quiet"]}>{say("attempts", { n: attempts })}</span>
      </div>
      {error === undefined ? null : <p className={styles["error"]}>{error}</p>}
    </>
  );
}
