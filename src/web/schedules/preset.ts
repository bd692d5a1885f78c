// Recurrences that the form has fields for; all others are edited as text.

import type { ScheduleConfig } from "../../protocol/schedule.ts";

export const PRESETS = ["interval", "daily", "workdays", "weekly", "text"] as const;
export type PresetKind = (typeof PRESETS)[number];

/** The values of all fields; only those of `kind` are shown. */
export type Preset = {
  readonly kind: PresetKind;
  readonly minutes: string;
  readonly time: string;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly text: string;
};

const EMPTY: Preset = { kind: "text", minutes: "60", time: "09:00", weekday: 1, text: "" };

/** Returns the form for a schedule. Recurrences without fields of their own become text. */
export function presetOf({ interval_minutes: minutes, daily_time: time, cron = "" }: ScheduleConfig): Preset {
  if (minutes !== undefined) return { ...EMPTY, kind: "interval", minutes: String(minutes) };
  if (time !== undefined) return { ...EMPTY, kind: "daily", time };
  const [, minute = "", hour = "", weekday = ""] =
    /^([0-5]?\d) ([01]?\d|2[0-3]) \* \* (\*|1-5|[0-7])$/.exec(cron.trim()) ?? [];
  if (minute === "") return { ...EMPTY, text: cron };
  const at = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (weekday === "*") return { ...EMPTY, kind: "daily", time: at };
  if (weekday === "1-5") return { ...EMPTY, kind: "workdays", time: at };
  return { ...EMPTY, kind: "weekly", time: at, weekday: Number(weekday) % 7 };
}

/**
 * Returns the recurrence to send. Text is parsed by the server. The time zone is kept unless the text names another.
 */
export function configOf(preset: Preset, zone: string | undefined): ScheduleConfig | string {
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

/** Returns the message key of the first error; null if the form can be sent. */
export function wrongIn({ kind, minutes, time, text }: Preset): "minutesWrong" | "timeWrong" | "textWrong" | null {
  if (kind === "interval") return /^[1-9]\d{0,5}$/.test(minutes.trim()) ? null : "minutesWrong";
  if (kind === "text") return text.trim() === "" ? "textWrong" : null;
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? null : "timeWrong";
}

export function isSame(left: Preset, right: Preset, zone: string | undefined): boolean {
  return JSON.stringify(configOf(left, zone)) === JSON.stringify(configOf(right, zone));
}
