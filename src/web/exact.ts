// Detects numbers that lose digits when JavaScript parses them.

const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
const NUMBERS = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;

/** True if parsing the decimal text as a number keeps all its digits. */
export function isExact(number: string): boolean {
  return digitsOf(number) === digitsOf(String(Number(number)));
}

/** True if every number literal in the JSON text keeps all its digits. */
export function isExactJson(json: string): boolean {
  return (json.replaceAll(STRINGS, "").match(NUMBERS) ?? []).every(isExact);
}

/** Normalizes digits and exponent: 1200, 1.2e3 and 1200.00 yield the same text. */
function digitsOf(number: string): string {
  const [mantissa = "", power = "0"] = number.toLowerCase().replace(/^[-+]/, "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  return kept === "" ? "0" : `${kept}e${Number(power) - fraction.length + digits.length - kept.length}`;
}
