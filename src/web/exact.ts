// Whether a number that a person has written is kept as it is written. JavaScript rounds what has more digits than it can
// hold, and says nothing.

const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
const NUMBERS = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;

export function isExact(number: string): boolean {
  return digitsOf(number) === digitsOf(String(Number(number)));
}

/** Whether that is so of every number in a JSON text. */
export function isExactJson(json: string): boolean {
  return (json.replaceAll(STRINGS, "").match(NUMBERS) ?? []).every(isExact);
}

/** The same for 1200, 1.2e3 and 1200.00. */
function digitsOf(number: string): string {
  const [mantissa = "", power = "0"] = number.toLowerCase().replace(/^[-+]/, "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  return kept === "" ? "0" : `${kept}e${Number(power) - fraction.length + digits.length - kept.length}`;
}
