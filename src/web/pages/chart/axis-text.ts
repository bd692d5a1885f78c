import { numberText } from "../../../protocol/scale.ts";

const HUNDRED_THOUSAND = 1e5;
/** Larger numbers use exponential notation. */
const ASTRONOMICAL = 1e15;

/** Formats a number compactly for an axis: 1.2M, 120万. */
export function axisText(value: number, language: string): string {
  const size = Math.abs(value);
  if (size < HUNDRED_THOUSAND) return numberText(value);
  if (size >= ASTRONOMICAL) return value.toExponential(0);
  return new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}
