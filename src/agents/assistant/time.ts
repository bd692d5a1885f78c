// Formats a moment in a time zone.

import { Fault } from "../../protocol/fault.ts";

/**
 * Formats a moment for programs and for people:
 * `2026-11-21T15:04:05+08:00 (Saturday, 21 November 2026 at 15:04:05, Asia/Shanghai)`.
 * Throws a `Fault` (`invalid_request`) for an unknown time zone.
 */
export function describeTime(at: Date, timezone: string, language: string): string {
  const zone = zoneOf(timezone);
  const readable = new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: "full",
    timeStyle: "medium",
    hourCycle: "h23",
    timeZone: zone,
  });
  return `${isoIn(at, zone)} (${readable.format(at)}, ${zone})`;
}

/** Returns the local time with its offset, in ISO 8601. */
function isoIn(at: Date, zone: string): string {
  const wall = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: zone }).format(at);
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(at);
  const offset = parts.find((part) => part.type === "timeZoneName")?.value.replace("GMT", "") ?? "";
  return `${wall.replace(" ", "T")}${offset === "" ? "+00:00" : offset}`;
}

/** Returns the canonical name of the time zone. */
function zoneOf(timezone: string): string {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: timezone }).resolvedOptions().timeZone;
  } catch (cause) {
    throw new Fault(
      "invalid_request",
      `There is no time zone ${timezone.slice(0, 60)}. Use a name like Asia/Shanghai or UTC.`,
      { cause },
    );
  }
}

function localeOf(language: string): string {
  return language.toLowerCase().startsWith("zh") ? "zh-CN" : "en-GB";
}
