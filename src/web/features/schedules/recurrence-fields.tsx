import { parseSchedule } from "../../../language/schedules/parse-schedule.ts";
import { getWallClock } from "../../../language/wall-clock.ts";
import { useLanguage, useMessages, type UiLanguage } from "../../session/language.ts";
import { Field, Select } from "../../ui/field.tsx";
import { formatRecurrence } from "../../ui/format/format-recurrence.ts";
import styles from "./edit-schedule-dialog.module.css";
import type { ScheduleConfig } from "../../../protocol/schedules/schedule-config.ts";

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
    const read = input.trim() === "" ? null : parseSchedule(input, zone, Date.now());
    return read === null || "problem" in read
      ? t("textHint")
      : t("preview", { rhythm: formatRecurrence(read.config, language) });
  }
}

/** A Sunday, in ms since the epoch. */
const SUNDAY_MS = Date.UTC(2026, 0, 4);
const DAY_MS = 86_400_000;

/** Returns the full name of a weekday; 0 and 7 are Sunday. */
function formatWeekday(weekday: number, language: UiLanguage): string {
  return new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(SUNDAY_MS + weekday * DAY_MS);
}

// Recurrences that the form has fields for; all others are edited as text.

export const PRESET_KINDS = ["interval", "daily", "workdays", "weekly", "text"] as const;
/** `text`: free text, or a cron expression. */
type PresetKind = (typeof PRESET_KINDS)[number];

/** The values of all fields; only those of `kind` are shown. */
export type RecurrencePreset = {
  readonly kind: PresetKind;
  readonly minutes: string;
  readonly time: string;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly text: string;
};

const EMPTY_PRESET: RecurrencePreset = { kind: "text", minutes: "60", time: "09:00", weekday: 1, text: "" };

/** Returns the form for a recurrence. A cron expression without fields of its own becomes text. The zone is ignored. */
export function toRecurrencePreset({
  interval_minutes: minutes,
  daily_time: time,
  cron = "",
  run_at: at,
  timezone = "UTC",
}: ScheduleConfig): RecurrencePreset {
  if (at !== undefined) return { ...EMPTY_PRESET, text: formatOneTime(Date.parse(at), timezone) };
  if (minutes !== undefined) return { ...EMPTY_PRESET, kind: "interval", minutes: String(minutes) };
  if (time !== undefined) return { ...EMPTY_PRESET, kind: "daily", time };
  const [, minute = "", hour = "", weekday = ""] =
    /^([0-5]?\d) ([01]?\d|2[0-3]) \* \* (\*|1-5|[0-7])$/.exec(cron.trim()) ?? [];
  if (minute === "") return { ...EMPTY_PRESET, text: cron };
  const clock = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (weekday === "*") return { ...EMPTY_PRESET, kind: "daily", time: clock };
  if (weekday === "1-5") return { ...EMPTY_PRESET, kind: "workdays", time: clock };
  return { ...EMPTY_PRESET, kind: "weekly", time: clock, weekday: Number(weekday) % 7 };
}

/** Formats a single time as `2026-12-03 14:00` in a zone. */
function formatOneTime(at: number, zone: string): string {
  const { date, time } = getWallClock(at, zone);
  return `${new Date(date).toISOString().slice(0, 10)} ${time}`;
}

/**
 * Returns the recurrence to send, in the time zone `zone` of the schedule. Text is returned trimmed: the server parses
 * it and keeps the zone unless the text names another. The form must be valid.
 */
export function toScheduleConfig(preset: RecurrencePreset, zone: string | undefined): ScheduleConfig | string {
  const zoned = zone === undefined ? {} : { timezone: zone };
  const [hour = 0, minute = 0] = preset.time.split(":").map(Number);
  switch (preset.kind) {
    case "interval":
      return { interval_minutes: Number(preset.minutes), ...zoned };
    case "daily":
      return { daily_time: preset.time, ...zoned };
    case "workdays":
      return { cron: `${minute} ${hour} * * 1-5`, ...zoned };
    case "weekly":
      return { cron: `${minute} ${hour} * * ${preset.weekday}`, ...zoned };
    case "text":
      return preset.text.trim();
  }
}

/**
 * Returns the message key of the error; null if the form can be sent. The server alone checks the meaning of a text.
 */
export function validatePreset({
  kind,
  minutes,
  time,
  text,
}: RecurrencePreset): "minutesWrong" | "timeWrong" | "textWrong" | null {
  if (kind === "interval") return /^[1-9]\d{0,5}$/.test(minutes.trim()) ? null : "minutesWrong";
  if (kind === "text") return text.trim() === "" ? "textWrong" : null;
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? null : "timeWrong";
}

/** Returns true if both forms would send the same recurrence. */
export function isSamePreset(left: RecurrencePreset, right: RecurrencePreset, zone: string | undefined): boolean {
  return JSON.stringify(toScheduleConfig(left, zone)) === JSON.stringify(toScheduleConfig(right, zone));
}
