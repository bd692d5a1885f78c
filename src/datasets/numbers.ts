// Numbers as tables have them: 1,234.5 · 1.234,5 · 1 234 · 12 % · $5 · 300元 · (1,200).

/** Which character stands before the decimals; the other one may group thousands. */
export type DecimalMark = "." | ",";
export type ReadNumber = {
  readonly value: number;
  /** What stood beside it. */
  readonly unit: string;
  /** False when it was written with decimals or an exponent. */
  readonly isWhole: boolean;
};

const POINT = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:[ '’]\d{3})+)?(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const COMMA = /^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:[ '’]\d{3})+)?(?:,\d+)?(?:[eE][+-]?\d{1,3})?$/;
const SIGN = "[+\\-−]?";
const CURRENCY = "(?:US\\$|HK\\$|NT\\$|[$€£¥￥₹₩]|USD|EUR|GBP|CNY|RMB|HKD|JPY)";
const BEFORE = new RegExp(`^(${SIGN})\\s*(${CURRENCY})\\s*(.*)$`);
const AFTER = new RegExp(`^(.*?)\\s*(${CURRENCY}|%|‰|元|人民币|円|圆)$`);
/** The plain ones, which most are. */
const PLAIN = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/** Null for what is no number, and for digits that are a name: 007, and more of them than a number can hold. */
export function readNumber(text: string, mark: DecimalMark): ReadNumber | null {
  if (mark === "." && PLAIN.test(text)) return { value: Number(text) + 0, unit: "", isWhole: !text.includes(".") };
  const inner = /^\((.+)\)$/.exec(text)?.[1];
  const { digits, unit } = withoutUnit((inner ?? text).replaceAll(/[\u00a0\u2009\u202f]/g, " ").replaceAll("−", "-"));
  if (!(mark === "." ? POINT : COMMA).test(digits) || !/\d/.test(digits)) return null;
  if (inner !== undefined && /^[+-]/.test(digits)) return null;
  if (/^[+-]?0\d/.test(digits)) return null;
  const plain = digits.replaceAll(mark === "." ? /[, '’]/g : /[. '’]/g, "").replace(",", ".");
  const value = Number(plain) * (inner === undefined ? 1 : -1);
  const isWhole = !/[.eE]/.test(plain);
  if (!Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value))) return null;
  return { value: value === 0 ? 0 : value, unit, isWhole };
}

function withoutUnit(text: string): { digits: string; unit: string } {
  const before = BEFORE.exec(text);
  if (before !== null) return { digits: `${before[1] ?? ""}${before[3] ?? ""}`, unit: before[2] ?? "" };
  const after = AFTER.exec(text);
  return after === null ? { digits: text, unit: "" } : { digits: after[1] ?? "", unit: after[2] ?? "" };
}
