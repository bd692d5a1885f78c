import { useId, useState, type FormEvent } from "react";
import { toFault } from "../../../protocol/wire/fault.ts";
import type { Schedule, UpdateScheduleRequest } from "../../../protocol/schedules/schedule.ts";
import { useMessages } from "../../session/language.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlay/dialog.tsx";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { removeFieldPrefix } from "../../session/user-error.ts";
import styles from "./edit-schedule-dialog.module.css";
import {
  RecurrenceFields,
  toScheduleConfig,
  isSamePreset,
  toRecurrencePreset,
  validatePreset,
  type RecurrencePreset,
} from "./recurrence-fields.tsx";
import { useUpdateSchedule } from "./use-schedules.ts";

type ScheduleFormDraft = {
  readonly title: string;
  readonly query: string;
  readonly catchUp: Schedule["catch_up"];
  readonly preset: RecurrencePreset;
};

/** Fields that show their own error. */
const FIELDS_WITH_ERROR = ["title", "query", "schedule_config"];

/**
 * The dialog that edits title, request, recurrence and handling of missed runs of a schedule. Sends only changed fields
 * and closes when they are saved; errors are shown at their fields.
 */
export function EditScheduleDialog({
  schedule,
  onClose,
}: {
  readonly schedule: Schedule;
  readonly onClose: () => void;
}) {
  const t = useMessages("schedules");
  const formId = useId();
  const zone = schedule.schedule_config.timezone;
  const [draft, setDraft] = useState<ScheduleFormDraft>(() => toFormDraft(schedule));
  const [wasSubmitted, setSubmitted] = useState(false);
  const update = useUpdateSchedule(schedule.schedule_id);
  const presetError = validatePreset(draft.preset);
  const isEmpty = (text: string) => text.trim() === "";
  const fault = update.error === null ? undefined : toFault(update.error);
  const field = fault?.field?.split(".")[0];
  const getFieldError = (name: string) =>
    fault !== undefined && field === name ? removeFieldPrefix(fault.message, fault.field) : undefined;
  const change = (next: Partial<ScheduleFormDraft>) => {
    update.reset();
    setDraft({ ...draft, ...next });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    if (presetError !== null || isEmpty(draft.title) || isEmpty(draft.query) || update.isPending) return;
    const handleSaved = () => {
      showToast(t("saved"));
      onClose();
    };
    update.mutate(buildScheduleUpdate(draft, schedule), { onSuccess: handleSaved });
  };
  const getRequiredError = (text: string) => (wasSubmitted && isEmpty(text) ? t("required") : undefined);
  const actions = (
    <Button type="submit" form={formId} look="primary" disabled={update.isPending}>
      {t("save")}
    </Button>
  );
  return (
    <Dialog title={t("editTitle")} onClose={onClose} actions={actions}>
      <form id={formId} className={styles["form"]} onSubmit={save} noValidate>
        <Field
          label={t("fieldTitle")}
          value={draft.title}
          maxLength={200}
          error={getFieldError("title") ?? getRequiredError(draft.title)}
          onChange={(event) => change({ title: event.target.value })}
        />
        <TextArea
          label={t("fieldQuery")}
          hint={t("fieldQueryHint")}
          rows={3}
          value={draft.query}
          error={getFieldError("query") ?? getRequiredError(draft.query)}
          onChange={(event) => change({ query: event.target.value })}
        />
        <RecurrenceFields
          preset={draft.preset}
          zone={zone}
          error={
            getFieldError("schedule_config") ?? (wasSubmitted && presetError !== null ? t(presetError) : undefined)
          }
          onChange={(preset) => change({ preset })}
        />
        <Select
          label={t("catchUp")}
          hint={t("catchUpMore")}
          value={draft.catchUp}
          options={[
            ["once", t("catchUpOnce")],
            ["skip", t("catchUpSkip")],
          ]}
          onChange={(value) => change({ catchUp: value === "skip" ? "skip" : "once" })}
        />
        <p role="alert" className={styles["error"]}>
          {fault === undefined || FIELDS_WITH_ERROR.includes(field ?? "") ? null : fault.message}
        </p>
      </form>
    </Dialog>
  );
}

function toFormDraft({ title, query, catch_up: catchUp, schedule_config }: Schedule): ScheduleFormDraft {
  return { title, query, catchUp, preset: toRecurrencePreset(schedule_config) };
}

/** Returns only changed fields: sending an unchanged interval would restart it. */
function buildScheduleUpdate(draft: ScheduleFormDraft, schedule: Schedule): UpdateScheduleRequest {
  const { schedule_config: config } = schedule;
  const before = toFormDraft(schedule);
  return {
    ...(draft.title === before.title ? {} : { title: draft.title.trim() }),
    ...(draft.query === before.query ? {} : { query: draft.query }),
    ...(draft.catchUp === before.catchUp ? {} : { catch_up: draft.catchUp }),
    ...(isSamePreset(draft.preset, before.preset, config.timezone)
      ? {}
      : { schedule_config: toScheduleConfig(draft.preset, config.timezone) }),
  };
}
