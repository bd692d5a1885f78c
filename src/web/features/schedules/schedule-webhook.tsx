import { useState, type FormEvent } from "react";
import { toFault, type Fault } from "../../../protocol/wire/fault.ts";
import type { LastDelivery, Schedule } from "../../../protocol/schedules/schedule.ts";
import { useMessages } from "../../session/language.ts";
import { Badge, type BadgeTone } from "../../ui/badge.tsx";
import { Button, CopyButton } from "../../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../../ui/overlay/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { removeFieldPrefix } from "../../session/user-error.ts";
import styles from "./schedule-page.module.css";
import { useUpdateSchedule } from "./use-schedules.ts";
import { RelativeTime } from "./relative-time.tsx";

/**
 * The webhook that receives the results of a schedule: a form that sets it, or its URL and last delivery with buttons
 * that change or remove it. Shows the secret of a new webhook once.
 */
export function ScheduleWebhook({ schedule }: { readonly schedule: Schedule }) {
  const t = useMessages("schedules");
  const { webhook } = schedule;
  const [isChanging, setChanging] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <section className={styles["section"]}>
      <h2>{t("webhook")}</h2>
      <p className="quiet">{t("webhookMore")}</p>
      {webhook === undefined || isChanging ? (
        <WebhookForm
          schedule={schedule}
          onSet={(newSecret) => {
            setSecret(newSecret);
            setChanging(false);
          }}
        />
      ) : (
        <WebhookEndpoint schedule={schedule} url={webhook.url} onChange={() => setChanging(true)} />
      )}
      {secret === undefined ? null : <WebhookSecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </section>
  );
}

function WebhookForm({
  schedule,
  onSet,
}: {
  readonly schedule: Schedule;
  readonly onSet: (secret: string | undefined) => void;
}) {
  const t = useMessages("schedules");
  const [url, setUrl] = useState(schedule.webhook?.url ?? "");
  const update = useUpdateSchedule(schedule.schedule_id);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (url.trim() === "") return;
    update.mutate({ webhook: { url: url.trim() } }, { onSuccess: ({ webhook_secret: secret }) => onSet(secret) });
  };
  return (
    <form className={styles["form"]} onSubmit={handleSubmit} noValidate>
      <Field
        label={t("webhookUrl")}
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://example.com/hooks"
        value={url}
        error={update.error === null ? undefined : formatFieldError(toFault(update.error))}
        onChange={(event) => {
          update.reset();
          setUrl(event.target.value);
        }}
      />
      <Button type="submit" disabled={update.isPending || url.trim() === ""}>
        {t("webhookSave")}
      </Button>
    </form>
  );
}

const formatFieldError = ({ message, field }: Fault): string => removeFieldPrefix(message, field);

function WebhookEndpoint({
  schedule,
  url,
  onChange,
}: {
  readonly schedule: Schedule;
  readonly url: string;
  readonly onChange: () => void;
}) {
  const t = useMessages("schedules");
  const [isRemoving, setRemoving] = useState(false);
  const update = useUpdateSchedule(schedule.schedule_id);
  const remove = async () => {
    await update.mutateAsync({ webhook: null });
    showToast(t("webhookRemoved"));
  };
  return (
    <>
      <div className={styles["line"]}>
        <code className={styles["url"]}>{url}</code>
        <Button onClick={onChange}>{t("webhookEdit")}</Button>
        <Button look="danger" onClick={() => setRemoving(true)}>
          {t("webhookRemove")}
        </Button>
      </div>
      <LastDeliveryStatus delivery={schedule.last_delivery} />
      {isRemoving ? (
        <ConfirmDialog
          title={t("webhookRemoveTitle")}
          action={t("webhookRemove")}
          onConfirm={remove}
          onClose={() => setRemoving(false)}
        >
          <p className={styles["url"]}>{t("webhookRemoveMore", { url })}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

const DELIVERY_TONES = {
  delivered: "good",
  retrying: "warn",
  failed: "bad",
  gone: "bad",
} as const satisfies Record<LastDelivery["status"], BadgeTone>;

function LastDeliveryStatus({ delivery }: { readonly delivery: LastDelivery | undefined }) {
  const t = useMessages("schedules");
  if (delivery === undefined) return <p className="quiet">{t("noDelivery")}</p>;
  const { status, at, attempts, error } = delivery;
  return (
    <>
      <div className={styles["line"]}>
        <span className="quiet">{t("delivery")}</span>
        <Badge tone={DELIVERY_TONES[status]}>{t(status)}</Badge>
        <RelativeTime at={at} />
        <span className="quiet">{t("attempts", { n: attempts })}</span>
      </div>
      {error === undefined ? null : <p className={styles["error"]}>{error}</p>}
    </>
  );
}

/** Shows a secret that cannot be retrieved again, with buttons that copy it and confirm that it was stored. */
function WebhookSecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const t = useMessages("schedules");
  const actions = (
    <Button look="primary" onClick={onClose}>
      {t("secretSaved")}
    </Button>
  );
  return (
    <Dialog title={t("secretTitle")} onClose={onClose} actions={actions}>
      <div className={styles["words"]}>
        <p>{t("secretMore")}</p>
        <div className={styles["line"]}>
          <code className={styles["secret"]}>{secret}</code>
          <CopyButton text={secret} label={t("secretCopy")} />
        </div>
      </div>
    </Dialog>
  );
}
