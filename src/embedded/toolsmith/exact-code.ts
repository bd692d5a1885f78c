// Exact arithmetic in tools: large integers keep their digits, and 0.1 + 0.2 is 0.3.

/** Prefix of tool code. */
export const EXACT_CODE = String.raw`// A number as an exact fraction: [numerator, denominator].
function exact(value) {
  if (!/^[-+]?\d*\.?\d+(e[-+]?\d+)?$/i.test(value)) throw new Error("This is no number. 这不是数：" + value);
  const [digits, exponent = "0"] = String(value).toLowerCase().split("e");
  const [whole, decimals = ""] = digits.split(".");
  const shift = Number(exponent) - decimals.length;
  if (Math.abs(shift) > 5000) throw new Error("The number is too large. 数太大：" + value);
  const top = BigInt(whole + decimals);
  return shift >= 0 ? [top * 10n ** BigInt(shift), 1n] : [top, 10n ** BigInt(-shift)];
}

// A fraction as a number, or as text where a number would lose digits.
function shown([top, bottom]) {
  const near = Number(top) / Number(bottom);
  let rest = top;
  let places = 0;
  while (rest % bottom !== 0n && places < 30) {
    rest *= 10n;
    places += 1;
  }
  if (rest % bottom !== 0n && Number.isFinite(near)) return Number(near.toPrecision(15));
  const value = rest / bottom;
  const digits = String(value < 0n ? -value : value).padStart(places + 1, "0");
  const whole = (value < 0n ? "-" : "") + digits.slice(0, digits.length - places);
  const text = places === 0 ? whole : whole + "." + digits.slice(-places);
  return String(Number(text)) === text ? Number(text) : text;
}

`;

/** Returns a line of code that rejects a division by zero. */
export function createDivisionCheck(by: string): string {
  return `  if (${by} === 0n) throw new Error("Nothing can be divided by zero. 除数不能为零。");`;
}
