import { createOrdinary, type OrdinaryProgram } from "./ordinary-program.ts";

export const DATES: readonly OrdinaryProgram[] = [
  createOrdinary(
    "weekday",
    { date: "2026-11-21" },
    "Saturday",
    `function run({ date }) {
  const names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  return names[new Date(date + "T00:00:00Z").getUTCDay()];
}`,
  ),
  createOrdinary(
    "leap years",
    { from: 1996, to: 2012 },
    [1996, 2000, 2004, 2008, 2012],
    `function run({ from, to }) {
  const leap = (y) => (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
  const years = [];
  for (let y = from; y <= to; y++) if (leap(y)) years.push(y);
  return years;
}`,
  ),
  createOrdinary(
    "ISO week",
    { date: "2026-01-01" },
    1,
    `function isoWeek({ date }) {
  const d = new Date(date);
  d.setUTCDate(d.getUTCDate() + 4 - (d.getUTCDay() || 7));
  const start = new Date(Date.UTC(d.getUTCFullYear(), 0, 1));
  return Math.ceil(((d - start) / 864e5 + 1) / 7);
}`,
  ),
  createOrdinary(
    "English date in a zone",
    { iso: "2026-07-04T03:00:00Z" },
    "Friday, July 3, 2026",
    `function run({ iso }) {
  return new Date(iso).toLocaleDateString("en-US", { weekday: "long", year: "numeric", month: "long", day: "numeric", timeZone: "America/New_York" });
}`,
  ),
  createOrdinary(
    "Easter",
    { year: 2026 },
    "2026-04-05",
    `function easter({ year }) {
  const a = year % 19, b = Math.floor(year / 100), c = year % 100;
  const d = b >> 2, e = b % 4, f = Math.floor((b + 8) / 25), g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30, i = c >> 2, k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7, m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31), day = ((h + l - 7 * m + 114) % 31) + 1;
  return \`\${year}-\${String(month).padStart(2, "0")}-\${String(day).padStart(2, "0")}\`;
}`,
  ),
  createOrdinary(
    "duration",
    { seconds: 93784 },
    "1d 2h 3m 4s",
    `function run({ seconds }) {
  const units = [["d", 86400], ["h", 3600], ["m", 60], ["s", 1]];
  const out = [];
  for (const [label, size] of units) {
    const n = Math.floor(seconds / size);
    seconds %= size;
    if (n > 0) out.push(n + label);
  }
  return out.join(" ");
}`,
  ),
];
