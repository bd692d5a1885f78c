// Detects numbers that lose digits when JavaScript parses them.

const JSON_STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
const JSON_NUMBERS = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;

/** True if parsing the decimal text as a number keeps all its digits. */
export function isLosslessNumber(number: string): boolean {
  return normalizeDigits(number) === normalizeDigits(String(Number(number)));
}

/** True if every number literal in the JSON text keeps all its digits. */
export function hasLosslessNumbers(json: string): boolean {
  return (json.replaceAll(JSON_STRINGS, "").match(JSON_NUMBERS) ?? []).every(isLosslessNumber);
}

/** Normalizes digits and exponent: 1200, 1.2e3 and 1200.00 yield the same text. */
function normalizeDigits(number: string): string {
  const [mantissa = "", power = "0"] = number.toLowerCase().replace(/^[-+]/, "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  return significant === ""
    ? "0"
    : `${significant}e${Number(power) - fraction.length + digits.length - significant.length}`;
}
