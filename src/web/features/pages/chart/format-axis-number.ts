import { formatNumber } from "../../../../pages/axis-scale.ts";

const MAX_FULL_NUMBER = 1e5;
/** Larger numbers use exponential notation. */
const MIN_EXPONENTIAL_NUMBER = 1e15;

/** Formats a number for an axis: in full below 1e5, compact such as 1.2M or 120万, exponential from 1e15. */
export function formatAxisNumber(value: number, language: string): string {
  const size = Math.abs(value);
  if (size < MAX_FULL_NUMBER) return formatNumber(value);
  if (size >= MIN_EXPONENTIAL_NUMBER) return value.toExponential(0);
  return new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}
