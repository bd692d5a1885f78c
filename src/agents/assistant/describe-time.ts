// Formats a moment in a time zone.

import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";

/**
 * Formats a moment for programs and for people:
 * `2026-11-21T15:04:05+08:00 (Saturday, 21 November 2026 at 15:04:05, Asia/Shanghai)`. In Chinese if the language tag
 * is Chinese, else in English.
 * Throws a `Fault` (`invalid_request`) for an unknown time zone.
 */
export function describeTime(at: Date, timezone: string, language: string): string {
  const zone = getCanonicalTimeZone(timezone);
  const readable = new Intl.DateTimeFormat(getLocale(language), {
    dateStyle: "full",
    timeStyle: "medium",
    hourCycle: "h23",
    timeZone: zone,
  });
  return `${formatIsoTime(at, zone)} (${readable.format(at)}, ${zone})`;
}

function formatIsoTime(at: Date, zone: string): string {
  const localTime = new Intl.DateTimeFormat("sv-SE", {
    dateStyle: "short",
    timeStyle: "medium",
    timeZone: zone,
  }).format(at);
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(at);
  const offset = parts.find((part) => part.type === "timeZoneName")?.value.replace("GMT", "") ?? "";
  return `${localTime.replace(" ", "T")}${offset === "" ? "+00:00" : offset}`;
}

function getCanonicalTimeZone(timezone: string): string {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: timezone }).resolvedOptions().timeZone;
  } catch (cause) {
    const message = createMessage("assistant.unknownTimeZone", { zone: timezone.slice(0, 60) });
    throw createFault("invalid_request", message, { cause });
  }
}

function getLocale(language: string): string {
  return language.toLowerCase().startsWith("zh") ? "zh-CN" : "en-GB";
}
