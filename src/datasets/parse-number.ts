// Parses numbers as tables contain them: 1,234.5 · 1.234,5 · 1 234 · 12 % · $5 · 300元 · (1,200).

/** The decimal separator. The other character may group thousands. */
export type DecimalMark = "." | ",";
export type ParsedNumber = {
  readonly value: number;
  /** The currency or percent sign next to the number; empty if there is none. */
  readonly unit: string;
  /** False if the number was written with decimals or an exponent. */
  readonly isWhole: boolean;
};

const DECIMAL_POINT = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:[ '’]\d{3})+)?(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const DECIMAL_COMMA = /^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:[ '’]\d{3})+)?(?:,\d+)?(?:[eE][+-]?\d{1,3})?$/;
const SIGN = "[+\\-−]?";
const CURRENCY = "(?:US\\$|HK\\$|NT\\$|[$€£¥￥₹₩]|USD|EUR|GBP|CNY|RMB|HKD|JPY)";
const UNIT_BEFORE = new RegExp(`^(${SIGN})\\s*(${CURRENCY})\\s*(.*)$`);
const UNIT_AFTER = new RegExp(`^(.*?)\\s*(${CURRENCY}|%|‰|元|人民币|円|圆)$`);
/** A fast path for the most common form. */
const PLAIN = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/**
 * Parses a number with an optional unit; parentheses mean a negative number. Returns null if the text is not a number,
 * and for digits that are a name: leading zeros (007) or more digits than a number can hold.
 */
export function parseNumber(text: string, mark: DecimalMark): ParsedNumber | null {
  if (mark === "." && PLAIN.test(text)) return { value: Number(text) + 0, unit: "", isWhole: !text.includes(".") };
  const inner = /^\((.+)\)$/.exec(text)?.[1];
  const { digits, unit } = splitUnit((inner ?? text).replaceAll(/[\u00a0\u2009\u202f]/g, " ").replaceAll("−", "-"));
  if (!(mark === "." ? DECIMAL_POINT : DECIMAL_COMMA).test(digits) || !/\d/.test(digits)) return null;
  if (inner !== undefined && /^[+-]/.test(digits)) return null;
  if (/^[+-]?0\d/.test(digits)) return null;
  const plain = digits.replaceAll(mark === "." ? /[, '’]/g : /[. '’]/g, "").replace(",", ".");
  const value = Number(plain) * (inner === undefined ? 1 : -1);
  const isWhole = !/[.eE]/.test(plain);
  if (!Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value))) return null;
  return { value: value === 0 ? 0 : value, unit, isWhole };
}

/** Splits a currency or percent sign from the digits. */
function splitUnit(text: string): { digits: string; unit: string } {
  const before = UNIT_BEFORE.exec(text);
  if (before !== null) return { digits: `${before[1] ?? ""}${before[3] ?? ""}`, unit: before[2] ?? "" };
  const after = UNIT_AFTER.exec(text);
  return after === null ? { digits: text, unit: "" } : { digits: after[1] ?? "", unit: after[2] ?? "" };
}
