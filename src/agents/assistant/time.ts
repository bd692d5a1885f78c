import { Fault } from "../../protocol/fault.ts";

/**
 * A moment in a time zone, for programs and for people:
 * `2026-11-21T15:04:05+08:00 (Saturday, 21 November 2026 at 15:04:05, Asia/Shanghai)`.
 * Throws a `Fault` for a zone that does not exist.
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

function isoIn(at: Date, zone: string): string {
  const wall = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: zone }).format(at);
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(at);
  const offset = parts.find((part) => part.type === "timeZoneName")?.value.replace("GMT", "") ?? "";
  return `${wall.replace(" ", "T")}${offset === "" ? "+00:00" : offset}`;
}

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
