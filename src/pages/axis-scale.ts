// Scales of chart axes, and the format of numbers in charts and tables.

/** The bounds of an axis and its tick values, in ascending order. */
export type AxisScale = { readonly min: number; readonly max: number; readonly ticks: readonly number[] };

/**
 * Creates a scale with round ticks that covers the values and zero, with about five steps. If all values are integers,
 * the ticks are integers, too. Without values it covers 0 to 1.
 */
export function computeAxisScale(values: readonly number[]): AxisScale {
  const [low, high] = computeExtent(values);
  const span = high - low === 0 ? 1 : high - low;
  const rough = computeNiceStep(span / 5);
  // 2.5 is the only factor that is not an integer.
  const step = values.every(Number.isInteger) ? Math.max(1, Math.ceil(rough) === 3 ? 5 : rough) : rough;
  const min = Math.floor(low / step) * step;
  const max = Math.max(Math.ceil(high / step) * step, min + step);
  const count = Math.min(12, Math.round((max - min) / step));
  const ticks = Array.from({ length: count + 1 }, (_, i) => removeBinaryError(min + i * step));
  return { min, max, ticks };
}

/** Returns the minimum and the maximum of the values and zero. */
export function computeExtent(values: readonly number[]): [low: number, high: number] {
  let [low, high] = [0, 0];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

function computeNiceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= rough * 0.999) ?? 10;
  return factor * power;
}

/** Removes the rounding errors of binary fractions: 0.30000000000000004 becomes 0.3. */
function removeBinaryError(value: number): number {
  return Number(value.toPrecision(12));
}

/**
 * Formats a number for people: at most two decimals, or two significant digits below 0.01. Extreme values have an
 * exponent, such as `1.2e+21`.
 */
export function formatNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return size >= 0.01 ? String(Number(value.toFixed(2))) : String(Number(value.toPrecision(2)));
}
