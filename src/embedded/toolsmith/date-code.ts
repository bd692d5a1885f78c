// Shared code of date tools.

/** Prefix of code that takes dates: 2026-02-30 is rejected instead of read as March. */
export const DATE_CODE = String.raw`// The days since 1970 of a date.
function dayOf(date) {
  const day = Date.parse(date + "T00:00:00Z") / 86400000;
  if (Number.isNaN(day) || dateOf(day) !== date) throw new Error("There is no such date. 没有这个日期：" + date);
  return day;
}

function dateOf(day) {
  return new Date(day * 86400000).toISOString().slice(0, 10);
}

`;
