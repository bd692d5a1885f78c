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
    "days between",
    { from: "2026-02-27", to: "2026-03-02" },
    3,
    `export default function daysBetween({ from, to }) {
  const day = 24 * 60 * 60 * 1000;
  return Math.round((Date.parse(to) - Date.parse(from)) / day);
}`,
  ),
  createOrdinary(
    "difference of dates as objects",
    { from: "2024-02-28", to: "2024-03-01" },
    2,
    `const run = ({ from, to }) => (new Date(to) - new Date(from)) / 86400000;`,
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
    "days in month",
    { year: 2024, month: 2 },
    29,
    `function daysInMonth(year, month) { return new Date(Date.UTC(year, month, 0)).getUTCDate(); }`,
  ),
  createOrdinary(
    "calendar of a month",
    { year: 2026, month: 2 },
    [
      [0, 0, 0, 0, 0, 0, 1],
      [2, 3, 4, 5, 6, 7, 8],
      [9, 10, 11, 12, 13, 14, 15],
      [16, 17, 18, 19, 20, 21, 22],
      [23, 24, 25, 26, 27, 28, 0],
    ],
    `function run({ year, month }) {
  const first = (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + 6) % 7;
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const weeks = [];
  for (let d = 1 - first; d <= days; d += 7) {
    weeks.push(Array.from({ length: 7 }, (_, i) => (d + i >= 1 && d + i <= days ? d + i : 0)));
  }
  return weeks;
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
    "age",
    { born: "1990-11-22", today: "2026-11-21" },
    35,
    `function age({ born, today }) {
  const [by, bm, bd] = born.split("-").map(Number);
  const [ty, tm, td] = today.split("-").map(Number);
  let years = ty - by;
  if (tm < bm || (tm === bm && td < bd)) years--;
  return years;
}`,
  ),
  createOrdinary(
    "Chinese date",
    { iso: "2026-11-21T20:30:00Z" },
    "2026年11月22日星期日",
    `function run({ iso }) {
  return new Intl.DateTimeFormat("zh-CN", { dateStyle: "full", timeZone: "Asia/Shanghai" }).format(new Date(iso));
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
    "clock in a zone",
    { iso: "2026-01-15T12:00:00Z" },
    "13:00",
    `function run({ iso }) {
  const parts = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Europe/Berlin", hour12: false }).formatToParts(new Date(iso));
  const get = (type) => parts.find((p) => p.type === type).value;
  return \`\${get("hour")}:\${get("minute")}\`;
}`,
  ),
  createOrdinary(
    "add months",
    { date: "2026-01-31", months: 1 },
    "2026-02-28",
    `function addMonths({ date, months }) {
  const [y, m, d] = date.split("-").map((s) => parseInt(s, 10));
  const last = new Date(Date.UTC(y, m + months, 0)).getUTCDate();
  const out = new Date(Date.UTC(y, m - 1 + months, Math.min(d, last)));
  return out.toISOString().slice(0, 10);
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
    "zodiac",
    { year: 2026 },
    "马",
    `const zodiac = (year) => ["鼠","牛","虎","兔","龙","蛇","马","羊","猴","鸡","狗","猪"][(year - 4) % 12];`,
  ),
  createOrdinary(
    "business days",
    { from: "2026-11-16", to: "2026-11-30" },
    11,
    `function run({ from, to }) {
  let count = 0;
  for (const d = new Date(from); d <= new Date(to); d.setUTCDate(d.getUTCDate() + 1)) {
    const day = d.getUTCDay();
    if (day !== 0 && day !== 6) count += 1;
  }
  return count;
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
  createOrdinary("a date as the result", { ms: 0 }, "1970-01-01T00:00:00.000Z", `return new Date(ms);`),
];
