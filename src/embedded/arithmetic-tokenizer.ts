// Splits text into arithmetic tokens; everything else becomes a gap.

import { parseNumeralAt } from "../language/numerals.ts";

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%" | "^";
export type UnaryOperation = "square" | "cube" | "sqrt" | "cbrt" | "half" | "double" | "triple" | "factorial" | "abs";
export type ListOperation = "+" | "*" | "-" | "/" | "mean" | "%";

type TokenMeaning =
  | { readonly type: "number"; readonly value: string }
  /** A fraction or percentage: `of` after it multiplies. */
  | { readonly type: "part"; readonly value: string }
  /** The last result, or all earlier results. */
  | { readonly type: "reference"; readonly all: boolean }
  | { readonly type: "operator"; readonly operator: ArithmeticOperator; readonly spoken: boolean }
  | { readonly type: "open" | "close" | "and" | "of" | "then" | "gap" }
  | { readonly type: "link"; readonly word: string }
  /** `square root of 2`, `double 21` */
  | { readonly type: "before"; readonly shape: UnaryOperation }
  /** `9 squared`, `9的平方`; `isSign` for `9²`. */
  | { readonly type: "after"; readonly shape: UnaryOperation; readonly isSign: boolean }
  | { readonly type: "power" }
  | { readonly type: "times" }
  /** `their sum`: over all earlier results. */
  | { readonly type: "tally"; readonly join: ListOperation }
  /** `the sum of 3 and 4` */
  | { readonly type: "join"; readonly join: ListOperation }
  /** `3和4的和`, `3和4相加` */
  | { readonly type: "joined"; readonly join: ListOperation }
  /** `to 2 decimals`, `保留两位小数` */
  | { readonly type: "round"; readonly digits: number }
  /** `round 3.14` */
  | { readonly type: "rounded" }
  /** `add 3 to 4`; forward is `increase 3 by 4`. */
  | { readonly type: "verb"; readonly operator: ArithmeticOperator; readonly isForward: boolean }
  /** `30% off`, 打八折: the factor that remains of a price. */
  | { readonly type: "discount"; readonly factor: string };

export type ArithmeticToken = TokenMeaning & { readonly start: number; readonly end: number };

type TokenRule = readonly [pattern: RegExp, meaning: TokenMeaning | "skip"];

const createRule = (pattern: string, meaning: TokenMeaning | "skip"): TokenRule => [new RegExp(pattern, "iy"), meaning];
const createWordRule = (pattern: string, meaning: TokenMeaning | "skip"): TokenRule =>
  createRule(`(?<![a-z])(?:${pattern})(?![a-z])`, meaning);
const createOperator = (sign: ArithmeticOperator, spoken: boolean): TokenMeaning => ({
  type: "operator",
  operator: sign,
  spoken,
});
const createPrefix = (shape: UnaryOperation): TokenMeaning => ({ type: "before", shape });
const createSuffix = (shape: UnaryOperation, isSign = false): TokenMeaning => ({ type: "after", shape, isSign });
const createVerb = (sign: ArithmeticOperator, isForward = false): TokenMeaning => ({
  type: "verb",
  operator: sign,
  isForward,
});
/** `give me the average`, 并求和 at the end: over all results so far. */
const createTallyRule = (words: string, join: ListOperation): TokenRule =>
  createRule(`(?<=\\b(?:me|find|calculate|compute|take|get|and|then) )(?:the |their )?(?:${words})(?=[\\s.?!。]*$)`, {
    type: "tally",
    join,
  });
const GAP: TokenMeaning = { type: "gap" };
const LAST: TokenMeaning = { type: "reference", all: false };
const ALL: TokenMeaning = { type: "reference", all: true };

/** Tried in order at every position: longer phrases before their prefixes. */
const RULES: readonly TokenRule[] = [
  createRule("\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}:\\d{2}(?::\\d{2})?|\\d+(?:\\.\\d+){2,}|24/7(?!\\d)", GAP),

  createTallyRule("sum|total", "+"),
  createTallyRule("average|mean", "mean"),
  createRule("求和(?=[\\s。]*$)", { type: "tally", join: "+" }),
  createRule("求平均[数值]?(?=[\\s。]*$)", { type: "tally", join: "mean" }),
  createWordRule(
    "(?:the |these |those |both |all )*(?:two |both |three |all )(?:of )?(?:the |these |those )?(?:results?|numbers|values|answers)|(?:the|these|those|all) (?:results|numbers|values|answers)(?! (?:of|from|between|in)\\b|:?\\s*\\d)|both(?: of them)?|them|those|these",
    ALL,
  ),
  createRule(
    "(?:这|那|上述|前面的?|以上)?[两三二]个?(?:结果|数字|数|值)|两者|它们|所有的?结果|全部结果|这些(?:结果|数字|数)?",
    ALL,
  ),
  createWordRule(
    "(?:the |that |this |your |my )(?:previous |last |above |final |random |first )*(?:result|answer|number|value|sum|product|total|output|difference|quotient|figure)(?! of| between)|it|its|that|this",
    LAST,
  ),
  createRule(
    "(?:上面|前面|刚才|刚刚|上一步|之前|得到|得出|算出|所得|生成)的?(?:结果|答案|数字?|随机数)|(?:这|那|该|此)个?(?:结果|答案|随机数|数字|数|值)|随机数(?=\\s*(?:再?[加减乘除]|的平方|的立方|的一半|翻))|(?<!的)结果(?!是|为|呢)|答案|得数|它|其(?=平方|立方|一半|和)",
    LAST,
  ),

  createWordRule("pi", { type: "number", value: "pi" }),
  createRule("π|圆周率", { type: "number", value: "pi" }),
  createWordRule("square root(?: of)?|root of|root(?= \\d)|sqrt", createPrefix("sqrt")),
  createWordRule("cube root(?: of)?|cbrt", createPrefix("cbrt")),
  createWordRule("absolute value of|abs", createPrefix("abs")),
  createWordRule("factorial of", createPrefix("factorial")),
  createWordRule("(?:the )?square of|square", createPrefix("square")),
  createWordRule("(?:the )?cube of|cube", createPrefix("cube")),
  createWordRule("half(?: of)?|halve", createPrefix("half")),
  createWordRule("twice|double(?: of)?", createPrefix("double")),
  createWordRule("triple|thrice", createPrefix("triple")),
  createRule("√|根号", createPrefix("sqrt")),
  createWordRule("squared", createSuffix("square")),
  createWordRule("cubed", createSuffix("cube")),
  createWordRule("doubled", createSuffix("double")),
  createWordRule("halved", createSuffix("half")),
  createWordRule("factorial", createSuffix("factorial")),
  createRule("的?(?:算术)?平方根|开平方|开方|开根号", createSuffix("sqrt")),
  createRule("的?立方根|开立方", createSuffix("cbrt")),
  createRule("²", createSuffix("square", true)),
  createRule("³", createSuffix("cube", true)),
  createRule("!(?!=)", createSuffix("factorial", true)),
  createRule("的?平方(?![米公千厘分])", createSuffix("square")),
  createRule("的?立方(?![米公千厘分])", createSuffix("cube")),
  createRule("的?阶乘", createSuffix("factorial")),
  createRule("的?一半|减半", createSuffix("half")),
  createRule("的绝对值", createSuffix("abs")),
  createRule("翻一?倍|的?两倍|的?二倍", createSuffix("double")),
  createRule("的?三倍", createSuffix("triple")),

  createWordRule("their (?:sum|total)", { type: "tally", join: "+" }),
  createWordRule("their product", { type: "tally", join: "*" }),
  createWordRule("their difference", { type: "tally", join: "-" }),
  createWordRule("their (?:average|mean)", { type: "tally", join: "mean" }),
  createWordRule("(?:the )?(?:sum|total) (?:of|between)", { type: "join", join: "+" }),
  createWordRule("sum(?: up)?", { type: "join", join: "+" }),
  createWordRule("(?:the )?product (?:of|between)", { type: "join", join: "*" }),
  createWordRule("(?:the )?difference (?:of|between)", { type: "join", join: "-" }),
  createWordRule("(?:the )?quotient (?:of|between)", { type: "join", join: "/" }),
  createWordRule("(?:the )?(?:average|mean)(?: of)?", { type: "join", join: "mean" }),
  createWordRule("(?:the )?remainder (?:of|when)", { type: "join", join: "%" }),
  createRule("求和", { type: "join", join: "+" }),
  createRule("(?:的|之)(?:总?和)(?![平上])|的?总和|相加|加(?:起来|在一起)", { type: "joined", join: "+" }),
  createRule("(?:的|之)(?:乘?积)|相乘", { type: "joined", join: "*" }),
  createRule("(?:的|之)差(?!异|别|距)|相减", { type: "joined", join: "-" }),
  createRule("(?:的|之)商(?!业|店|品)|相除", { type: "joined", join: "/" }),
  createRule("的?平均[数值]?(?!分给)", { type: "joined", join: "mean" }),
  createRule("的?(?:余数|余)", { type: "joined", join: "%" }),

  createWordRule("to the power(?: of)?|raised to(?: the power of)?", createOperator("^", true)),
  createWordRule("plus|added to", createOperator("+", true)),
  createWordRule(
    "negative|(?<=\\b(?:of|by|times|plus|minus|from|to|is) )minus|(?<=^\\W*)minus(?= [\\w.]+ (?:squared|cubed))",
    createOperator("-", false),
  ),
  createRule("负(?=\\s*[\\d(])", createOperator("-", false)),
  createWordRule("minus|less", createOperator("-", true)),
  createWordRule("(?<!how many )(?:times|multiplied by|multiply by)", createOperator("*", true)),
  createWordRule("divided by|divide by", createOperator("/", true)),
  createWordRule("mod(?:ulo|ulus)?", createOperator("%", true)),
  createRule("(?<=[\\d)]\\s*)x(?=\\s*[\\d(])", createOperator("*", false)),
  createRule("(?<![增参附更添追施强])加(?:上|起来)?(?![入密班油拿速强快工热盟深粗倍])", createOperator("+", true)),
  createRule("(?<![增削缩])减(?:去|掉)?(?![少肥轻速弱压免])", createOperator("-", true)),
  createRule("乘(?:以|上)?(?![坐客车法机船])", createOperator("*", true)),
  createRule("(?<![删解扫排移免])除(?:以)?(?![了非外法夕去此])", createOperator("/", true)),
  createRule("模|取模|求余", createOperator("%", true)),
  createRule("\\*\\*|\\^", createOperator("^", false)),
  createRule("[*×✕✖·∙⋅]", createOperator("*", false)),
  createRule("%(?=\\s*\\d)", createOperator("%", false)),
  createRule("[/÷➗]|(?:平均?|均)分(?:给|成)", createOperator("/", false)),
  createRule("[+➕]", createOperator("+", false)),
  createRule("[-−–➖](?!\\s*\\d{1,2}月)", createOperator("-", false)),
  createRule("[(]", { type: "open" }),
  createRule("[)]", { type: "close" }),

  createWordRule("round(?: off)?", { type: "rounded" }),
  createWordRule("add", createVerb("+")),
  createWordRule("subtract|deduct|take away", createVerb("-")),
  createWordRule("multiply", createVerb("*")),
  createWordRule(
    "divide|(?:split|share)(?= [$¥€£]?[\\d.,]+ (?:\\w+ )?(?:evenly |equally )?(?:between|among|by|into)\\b)",
    createVerb("/"),
  ),
  createWordRule("(?:increase|raise)", createVerb("+", true)),
  createWordRule("(?:decrease|reduce|lower)", createVerb("-", true)),
  createWordRule("(?:increased|raised|up) by", createOperator("+", true)),
  createWordRule("(?:decreased|reduced|lowered|discounted|down) by", createOperator("-", true)),
  createRule("(?:上?涨|增[加长]|提高)了?(?=\\s*(?:百分之(?![几多])|[\\d.]+\\s*%))", createOperator("+", true)),
  createRule("(?:下?[降跌]|减少|降低)了?(?=\\s*(?:百分之(?![几多])|[\\d.]+\\s*%))", createOperator("-", true)),
  createWordRule("(?:tip|(?:sales )?tax|vat|commission) (?:on|of|for)|discount (?:on|of)", { type: "of" }),
  createWordRule("start(?:ing)? (?:with|from|at)|bill|meal", "skip"),
  createWordRule("split(?: (?:it|between|among|by|into|evenly))*", createOperator("/", true)),
  createWordRule("and", { type: "and" }),
  createRule("[和与跟]", { type: "and" }),
  createRule("[,、]", { type: "and" }),
  createWordRule("of", { type: "of" }),
  createRule("的", { type: "of" }),
  createRule("次方|次幂", { type: "power" }),
  createRule("倍", { type: "times" }),
  createWordRule("to|from|by|with|into|is divided by|(?:evenly |equally )?(?:between|among)(?= \\d+(?! and))", {
    type: "link",
    word: "",
  }),
  createRule("然后|接着|再|之后", { type: "then" }),
  createWordRule("then", { type: "then" }),
  createWordRule(
    "the|an?(?! (?:hundred|thousand|million|billion|third|quarter|half|fifth|tenth))|together|up|both|result of|is|are",
    "skip",
  ),
  createRule("[把将个元块是$¥€£\\s\\ufe0f]+|美元|dollars?(?![a-z])|里面?(?=减)", "skip"),
];

/** The captured number is the count of digits. */
const ROUNDING =
  /,?\s*(?:(?<![a-z])(?:and |then )?(?:rounded |round (?:it |that |the result )?)?to (\w+) (?:decimals?(?: places?)?|digits?|places)(?![a-z])|[并再]?(?:结果|四舍五入)?(?:保留|精确到|到)(?:小数点后)?([\d零一二两三四五六七八九])位(?:小数)?)/iy;
const ROUNDING_WHOLE =
  /,?\s*(?:(?<![a-z])rounded(?: to (?:the nearest )?(?:integer|whole number))?(?![a-z])|to the nearest (?:integer|whole number)|并?(?:四舍五入|取整)(?:到整数)?)/iy;

const MIXED =
  /(?<![\d./])(\d+|[一二三四五六七八九十]+)(?:\s*又\s*|(?<=\d) +(?=\d))(?:(\d+)\/(\d+)|(\d+|[一二三四五六七八九十]+)分之(\d+|[一二三四五六七八九十]+))(?![\d/])/y;
const PERCENT = /\s*(?:%(?!\s*\d)|percent\b|per cent\b)/iy;
const HAN_PERCENT = /百分之/y;
const HAN_FRACTION = /分之/y;
const ENGLISH_FRACTION = /(?:(a|one|two|three|four) )?(third|quarter|fifth|tenth)s?(?![a-z])/iy;
const DENOMINATORS = new Map([
  ["third", 3],
  ["quarter", 4],
  ["fifth", 5],
  ["tenth", 10],
]);
const NUMERATORS = new Map([
  ["a", 1],
  ["one", 1],
  ["two", 2],
  ["three", 3],
  ["four", 4],
]);
const WORD = /[a-z]+/iy;
const MAX_TOKENS = 4_000;

export function tokenize(text: string): ArithmeticToken[] {
  const tokens: ArithmeticToken[] = [];
  for (let at = 0; at < text.length && tokens.length < MAX_TOKENS;) {
    const token =
      matchMixedNumber(text, at) ??
      matchDiscount(text, at) ??
      matchFraction(text, at) ??
      matchRounding(text, at) ??
      matchRule(text, at) ??
      matchNumber(text, at) ??
      matchGap(text, at);
    if (token.type !== "skip") tokens.push(token);
    at = token.end;
  }
  return tokens;
}

type TokenMatch = ArithmeticToken | { readonly type: "skip"; readonly start: number; readonly end: number };

function matchRule(text: string, at: number): TokenMatch | null {
  for (const [pattern, meaning] of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null || match[0] === "") continue;
    const place = { start: at, end: at + match[0].length };
    return meaning === "skip" ? { type: "skip", ...place } : { ...meaning, ...place };
  }
  return null;
}

function matchNumber(text: string, at: number): TokenMatch | null {
  if (/[a-z]/i.test(text[at] ?? "") && /[a-z\d]/i.test(text[at - 1] ?? "")) return null;
  const number = parseNumeralAt(text, at);
  return number === null ? null : { type: "number", value: number.value, start: at, end: number.end };
}

/** Mixed numbers: 1又1/2, 一又二分之一, 1 1/2. */
function matchMixedNumber(text: string, at: number): TokenMatch | null {
  MIXED.lastIndex = at;
  const [all = "", whole = "", over, under, hanUnder, hanOver] = MIXED.exec(text) ?? [];
  const [a, b, c] = [whole, over ?? hanOver, under ?? hanUnder].map((part) => parseNumeralAt(part ?? "", 0)?.value);
  if (a === undefined || b === undefined || c === undefined) return null;
  return { type: "number", value: `(${a} + ${b} / ${c})`, start: at, end: at + all.length };
}

const OFF = /(\d+(?:\.\d+)?)\s*(?:%|percent) (?:off|discount)(?! (?:on|of) )(?: of(?= \W*\d))?(?![a-z])/iy;
const FOLD = /(?:[打按]|(?<=[元块价]\s?|^))(\d(?:\.\d+|\d)?|[一二三四五六七八九]{1,2})折(?!叠|线)/y;

/** Discounts: 30% off, 打八折, 七五折. */
function matchDiscount(text: string, at: number): TokenMatch | null {
  OFF.lastIndex = at;
  const off = /\d/.test(text[at - 1] ?? "") ? null : OFF.exec(text);
  if (off !== null) return { type: "discount", factor: `(1 - ${off[1]} / 100)`, start: at, end: at + off[0].length };
  FOLD.lastIndex = at;
  const [all = "", tenths = ""] = FOLD.exec(text) ?? [];
  const digits = [...tenths.replace(".", "")].map((digit) => parseNumeralAt(digit, 0)?.value ?? "").join("");
  return all === "" ? null : { type: "discount", factor: `0.${digits}`, start: at, end: at + all.length };
}

/** Fractions and percentages: 20%, twenty percent, 百分之二十, 三分之一, two thirds. */
function matchFraction(text: string, at: number): TokenMatch | null {
  ENGLISH_FRACTION.lastIndex = at;
  const fraction = /[a-z]/i.test(text[at - 1] ?? "") ? null : ENGLISH_FRACTION.exec(text);
  if (fraction !== null && /^\s+of\b/i.test(text.slice(at + fraction[0].length, at + fraction[0].length + 8))) {
    const [over, under] = [
      NUMERATORS.get((fraction[1] ?? "a").toLowerCase()) ?? 1,
      DENOMINATORS.get((fraction[2] ?? "").toLowerCase()) ?? 1,
    ];
    return { type: "part", value: `(${over} / ${under})`, start: at, end: at + fraction[0].length };
  }
  HAN_PERCENT.lastIndex = at;
  const percentStart = HAN_PERCENT.test(text) ? at + 3 : at;
  const first = /[a-z]/i.test(text[at - 1] ?? "") ? null : parseNumeralAt(text, percentStart);
  if (first === null) return null;
  if (percentStart > at) return { type: "part", value: `(${first.value} / 100)`, start: at, end: first.end };
  HAN_FRACTION.lastIndex = first.end;
  const over = HAN_FRACTION.test(text) ? parseNumeralAt(text, first.end + 2) : null;
  if (over !== null) return { type: "part", value: `(${over.value} / ${first.value})`, start: at, end: over.end };
  PERCENT.lastIndex = first.end;
  const percent = PERCENT.exec(text);
  return percent === null
    ? null
    : { type: "part", value: `(${first.value} / 100)`, start: at, end: first.end + percent[0].length };
}

function matchRounding(text: string, at: number): TokenMatch | null {
  ROUNDING.lastIndex = at;
  const some = ROUNDING.exec(text);
  const digits = some === null ? null : parseNumeralAt(some[1] ?? some[2] ?? "", 0);
  if (some !== null && digits !== null)
    return { type: "round", digits: Math.min(15, Number(digits.value)), start: at, end: at + some[0].length };
  ROUNDING_WHOLE.lastIndex = at;
  const whole = ROUNDING_WHOLE.exec(text);
  return whole === null ? null : { type: "round", digits: 0, start: at, end: at + whole[0].length };
}

function matchGap(text: string, at: number): TokenMatch {
  WORD.lastIndex = at;
  const length = WORD.exec(text)?.[0].length ?? 1;
  return { type: "gap", start: at, end: at + length };
}
