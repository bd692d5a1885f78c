// Calendar dates: 2026-10-20 · 2026年10月20日 · October 20, 2026 · tomorrow · 后天.

import { fold } from "../../protocol/words/text.ts";

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const RELATIVE = new Map([
  ["day before yesterday", -2],
  ["day after tomorrow", 2],
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
  ["大前天", -3],
  ["前天", -2],
  ["昨天", -1],
  ["今天", 0],
  ["明天", 1],
  ["后天", 2],
  ["大后天", 3],
]);
const MONTH = `(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join("|")})\\.?`;
const PATTERN = new RegExp(
  [
    String.raw`(?<iso>\d{4})[-/.年](?<isoMonth>\d{1,2})[-/.月](?<isoDay>\d{1,2})日?`,
    String.raw`(?<hanMonth>\d{1,2})月(?<hanDay>\d{1,2})[日号]`,
    String.raw`\b${MONTH.replace("(", "(?<name>")} (?<nameDay>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<nameYear>\d{4}))?\b`,
    String.raw`\b(?<dayFirst>\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH.replace("(", "(?<nameSecond>")}(?:,? (?<yearLast>\d{4}))?\b`,
    `(?<relative>${[...RELATIVE.keys()].sort((a, b) => b.length - a.length).join("|")})`,
  ].join("|"),
  "gi",
);

/** The dates in the text as `YYYY-MM-DD`. `today` is such a date too; a missing year is its year. */
export function datesIn(text: string, today: string): string[] {
  return [...fold(text).matchAll(PATTERN)].flatMap(({ groups = {} }) => {
    const { relative } = groups;
    if (relative !== undefined) return [shifted(today, RELATIVE.get(relative.toLowerCase()) ?? 0)];
    const year = groups["iso"] ?? groups["nameYear"] ?? groups["yearLast"] ?? today.slice(0, 4);
    const name = (groups["name"] ?? groups["nameSecond"] ?? "").slice(0, 3).toLowerCase();
    const month = groups["isoMonth"] ?? groups["hanMonth"] ?? MONTHS.findIndex((full) => full.startsWith(name)) + 1;
    const day = groups["isoDay"] ?? groups["hanDay"] ?? groups["nameDay"] ?? groups["dayFirst"] ?? "";
    const date = `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
    return isReal(date) ? [date] : [];
  });
}

/** The date that it is in a zone at an instant; UTC where the zone is unknown. */
export function dateAt(instant: number, zone: string | undefined): string {
  try {
    return new Intl.DateTimeFormat("en-CA", {
      timeZone: zone ?? "UTC",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    }).format(instant);
  } catch {
    return new Date(instant).toISOString().slice(0, 10);
  }
}

function shifted(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

function isReal(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
