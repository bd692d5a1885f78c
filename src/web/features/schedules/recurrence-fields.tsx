import { parseSchedule } from "../../../language/schedules/parse-schedule.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { Field } from "../../ui/field.tsx";
import { PRESET_KINDS, type RecurrencePreset } from "./recurrence-preset.ts";
import { formatRecurrence } from "../../ui/format/format-recurrence.ts";
import styles from "./edit-schedule-dialog.module.css";
import { Select } from "../../ui/select.tsx";
import { formatWeekday } from "./format-weekday.ts";

const PRESET_KEYS = {
  interval: "interval",
  daily: "dailyPreset",
  workdays: "workdaysPreset",
  weekly: "weeklyPreset",
  text: "textPreset",
} as const;
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0];

/**
 * The fields for a recurrence: presets, or free text with a preview of its interpretation. `zone` is the time zone of
 * the schedule; `error` is shown at the last field.
 */
export function RecurrenceFields({
  preset,
  zone,
  error,
  onChange,
}: {
  readonly preset: RecurrencePreset;
  readonly zone: string | undefined;
  readonly error: string | undefined;
  readonly onChange: (preset: RecurrencePreset) => void;
}) {
  const t = useMessages("schedules");
  const language = useLanguage();
  const { kind, minutes, time, weekday, text } = preset;
  return (
    <fieldset className={styles["group"]}>
      <legend>{t("repeats")}</legend>
      <Select
        label={t("howOften")}
        value={kind}
        options={PRESET_KINDS.map((one) => [one, t(PRESET_KEYS[one])])}
        onChange={(next) => onChange({ ...preset, kind: PRESET_KINDS.find((one) => one === next) ?? "text" })}
      />
      {kind === "interval" ? (
        <Field
          label={t("minutes")}
          inputMode="numeric"
          value={minutes}
          error={error}
          onChange={(event) => onChange({ ...preset, minutes: event.target.value })}
        />
      ) : null}
      {kind === "weekly" ? (
        <Select
          label={t("weekday")}
          value={String(weekday)}
          options={WEEKDAYS.map((day) => [String(day), formatWeekday(day, language)])}
          onChange={(day) => onChange({ ...preset, weekday: Number(day) })}
        />
      ) : null}
      {kind === "interval" || kind === "text" ? null : (
        <Field
          label={zone === undefined ? t("time") : t("inZone", { words: t("time"), zone })}
          type="time"
          value={time}
          error={error}
          onChange={(event) => onChange({ ...preset, time: event.target.value })}
        />
      )}
      {kind === "text" ? (
        <Field
          label={t("text")}
          hint={getTextHint(text)}
          value={text}
          error={error}
          maxLength={200}
          onChange={(event) => onChange({ ...preset, text: event.target.value })}
        />
      ) : null}
    </fieldset>
  );

  function getTextHint(input: string): string {
    const read = input.trim() === "" ? null : parseSchedule(input, zone);
    return read === null || "problem" in read
      ? t("textHint")
      : t("preview", { rhythm: formatRecurrence(read.config, language) });
  }
}
