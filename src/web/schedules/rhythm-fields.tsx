import { readScheduleText } from "../../protocol/words/schedule-text.ts";
import { useLanguage, useWords } from "../language.ts";
import { Field } from "../ui/field.tsx";
import { PRESETS, type Preset } from "./preset.ts";
import { rhythmOf } from "./rhythm.ts";
import styles from "./edit.module.css";
import { Select } from "../ui/select.tsx";
import { weekdayName } from "./weekday.ts";
import { WORDS } from "./words.ts";

const LABELS = {
  interval: "interval",
  daily: "dailyPreset",
  workdays: "workdaysPreset",
  weekly: "weeklyPreset",
  text: "textPreset",
} as const;
const WEEK = [1, 2, 3, 4, 5, 6, 0];

/** The fields for a recurrence: presets, or free text with a preview of its interpretation. */
export function RhythmFields({
  preset,
  zone,
  error,
  onChange,
}: {
  readonly preset: Preset;
  readonly zone: string | undefined;
  readonly error: string | undefined;
  readonly onChange: (preset: Preset) => void;
}) {
  const say = useWords(WORDS);
  const language = useLanguage();
  const { kind, minutes, time, weekday, text } = preset;
  return (
    <fieldset className={styles["group"]}>
      <legend>{say("rhythm")}</legend>
      <Select
        label={say("howOften")}
        value={kind}
        options={PRESETS.map((one) => [one, say(LABELS[one])])}
        onChange={(next) => onChange({ ...preset, kind: PRESETS.find((one) => one === next) ?? "text" })}
      />
      {kind === "interval" ? (
        <Field
          label={say("minutes")}
          inputMode="numeric"
          value={minutes}
          error={error}
          onChange={(event) => onChange({ ...preset, minutes: event.target.value })}
        />
      ) : null}
      {kind === "weekly" ? (
        <Select
          label={say("weekday")}
          value={String(weekday)}
          options={WEEK.map((day) => [String(day), weekdayName(day, language)])}
          onChange={(day) => onChange({ ...preset, weekday: Number(day) })}
        />
      ) : null}
      {kind === "interval" || kind === "text" ? null : (
        <Field
          label={zone === undefined ? say("time") : say("inZone", { words: say("time"), zone })}
          type="time"
          value={time}
          error={error}
          onChange={(event) => onChange({ ...preset, time: event.target.value })}
        />
      )}
      {kind === "text" ? (
        <Field
          label={say("text")}
          hint={hintOf(text)}
          value={text}
          error={error}
          maxLength={200}
          onChange={(event) => onChange({ ...preset, text: event.target.value })}
        />
      ) : null}
    </fieldset>
  );

  function hintOf(written: string): string {
    const read = written.trim() === "" ? null : readScheduleText(written, zone);
    return read === null || "problem" in read
      ? say("textHint")
      : say("readAs", { rhythm: rhythmOf(read.config, language) });
  }
}
