// The rhythms that a form has fields for, and the free text for all others.

import type { ScheduleConfig } from "../../protocol/schedule.ts";

export const PRESETS = ["interval", "daily", "workdays", "weekly", "text"] as const;
export type PresetKind = (typeof PRESETS)[number];

/** What stands in the fields; only those of `kind` are shown. */
export type Preset = {
  readonly kind: PresetKind;
  readonly minutes: string;
  readonly time: string;
  /** From 0, Sunday, to 6. */
  readonly weekday: number;
  readonly text: string;
};

const EMPTY: Preset = { kind: "text", minutes: "60", time: "09:00", weekday: 1, text: "" };

/** The fields as a schedule that is there would fill them. What they do not have room for is text. */
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

/** What is sent of the fields: a text is read by the server. The zone is kept, where the text names no other. */
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

/** What is wrong in a field before anybody is asked. */
export function wrongIn({ kind, minutes, time, text }: Preset): "minutesWrong" | "timeWrong" | "textWrong" | null {
  if (kind === "interval") return /^[1-9]\d{0,5}$/.test(minutes.trim()) ? null : "minutesWrong";
  if (kind === "text") return text.trim() === "" ? "textWrong" : null;
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? null : "timeWrong";
}

export function isSame(left: Preset, right: Preset, zone: string | undefined): boolean {
  return JSON.stringify(configOf(left, zone)) === JSON.stringify(configOf(right, zone));
}
