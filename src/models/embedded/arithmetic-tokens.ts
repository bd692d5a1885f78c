// Splits text into arithmetic tokens; everything else becomes a gap.

import { readNumber } from "../../protocol/words/numerals.ts";

export type Operator = "+" | "-" | "*" | "/" | "%" | "^";
export type Shape = "square" | "cube" | "sqrt" | "cbrt" | "half" | "double" | "triple" | "factorial" | "abs";
export type Join = "+" | "*" | "-" | "/" | "mean" | "%";

type Meaning =
  | { readonly type: "number"; readonly value: string }
  /** A fraction or percentage: `of` after it multiplies. */
  | { readonly type: "part"; readonly value: string }
  /** The last result, or all earlier results. */
  | { readonly type: "reference"; readonly all: boolean }
  | { readonly type: "operator"; readonly operator: Operator; readonly spoken: boolean }
  | { readonly type: "open" | "close" | "and" | "of" | "then" | "gap" }
  | { readonly type: "link"; readonly word: string }
  /** `square root of 2`, `double 21` */
  | { readonly type: "before"; readonly shape: Shape }
  /** `9 squared`, `9的平方`; `isSign` for `9²`. */
  | { readonly type: "after"; readonly shape: Shape; readonly isSign: boolean }
  | { readonly type: "power" }
  | { readonly type: "times" }
  /** `their sum`: over all earlier results. */
  | { readonly type: "tally"; readonly join: Join }
  /** `the sum of 3 and 4` */
  | { readonly type: "join"; readonly join: Join }
  /** `3和4的和`, `3和4相加` */
  | { readonly type: "joined"; readonly join: Join }
  /** `to 2 decimals`, `保留两位小数` */
  | { readonly type: "round"; readonly digits: number }
  /** `round 3.14` */
  | { readonly type: "rounded" }
  /** `add 3 to 4`; forward is `increase 3 by 4`. */
  | { readonly type: "verb"; readonly operator: Operator; readonly isForward: boolean }
  /** `30% off`, 打八折: the factor that remains of a price. */
  | { readonly type: "discount"; readonly factor: string };

export type Token = Meaning & { readonly start: number; readonly end: number };

type Rule = readonly [pattern: RegExp, meaning: Meaning | "skip"];

const rule = (pattern: string, meaning: Meaning | "skip"): Rule => [new RegExp(pattern, "iy"), meaning];
const word = (pattern: string, meaning: Meaning | "skip"): Rule => rule(`(?<![a-z])(?:${pattern})(?![a-z])`, meaning);
const operator = (sign: Operator, spoken: boolean): Meaning => ({ type: "operator", operator: sign, spoken });
const before = (shape: Shape): Meaning => ({ type: "before", shape });
const after = (shape: Shape, isSign = false): Meaning => ({ type: "after", shape, isSign });
const verb = (sign: Operator, isForward = false): Meaning => ({ type: "verb", operator: sign, isForward });
/** `give me the average`, 并求和 at the end: over all results so far. */
const overAll = (words: string, join: Join): Rule =>
  rule(`(?<=\\b(?:me|find|calculate|compute|take|get|and|then) )(?:the |their )?(?:${words})(?=[\\s.?!。]*$)`, {
    type: "tally",
    join,
  });
const GAP: Meaning = { type: "gap" };
const LAST: Meaning = { type: "reference", all: false };
const ALL: Meaning = { type: "reference", all: true };

/** Tried in order at every position: longer phrases before their prefixes. */
const RULES: readonly Rule[] = [
  rule("\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}:\\d{2}(?::\\d{2})?|\\d+(?:\\.\\d+){2,}|24/7(?!\\d)", GAP),

  overAll("sum|total", "+"),
  overAll("average|mean", "mean"),
  rule("求和(?=[\\s。]*$)", { type: "tally", join: "+" }),
  rule("求平均[数值]?(?=[\\s。]*$)", { type: "tally", join: "mean" }),
  word(
    "(?:the |these |those |both |all )*(?:two |both |three |all )(?:of )?(?:the |these |those )?(?:results?|numbers|values|answers)|(?:the|these|those|all) (?:results|numbers|values|answers)(?! (?:of|from|between|in)\\b|:?\\s*\\d)|both(?: of them)?|them|those|these",
    ALL,
  ),
  rule(
    "(?:这|那|上述|前面的?|以上)?[两三二]个?(?:结果|数字|数|值)|两者|它们|所有的?结果|全部结果|这些(?:结果|数字|数)?",
    ALL,
  ),
  word(
    "(?:the |that |this |your |my )(?:previous |last |above |final |random |first )*(?:result|answer|number|value|sum|product|total|output|difference|quotient|figure)(?! of| between)|it|its|that|this",
    LAST,
  ),
  rule(
    "(?:上面|前面|刚才|刚刚|上一步|之前|得到|得出|算出|所得|生成)的?(?:结果|答案|数字?|随机数)|(?:这|那|该|此)个?(?:结果|答案|随机数|数字|数|值)|随机数(?=\\s*(?:再?[加减乘除]|的平方|的立方|的一半|翻))|(?<!的)结果(?!是|为|呢)|答案|得数|它|其(?=平方|立方|一半|和)",
    LAST,
  ),

  word("pi", { type: "number", value: "pi" }),
  rule("π|圆周率", { type: "number", value: "pi" }),
  word("square root(?: of)?|root of|root(?= \\d)|sqrt", before("sqrt")),
  word("cube root(?: of)?|cbrt", before("cbrt")),
  word("absolute value of|abs", before("abs")),
  word("factorial of", before("factorial")),
  word("(?:the )?square of|square", before("square")),
  word("(?:the )?cube of|cube", before("cube")),
  word("half(?: of)?|halve", before("half")),
  word("twice|double(?: of)?", before("double")),
  word("triple|thrice", before("triple")),
  rule("√|根号", before("sqrt")),
  word("squared", after("square")),
  word("cubed", after("cube")),
  word("doubled", after("double")),
  word("halved", after("half")),
  word("factorial", after("factorial")),
  rule("的?(?:算术)?平方根|开平方|开方|开根号", after("sqrt")),
  rule("的?立方根|开立方", after("cbrt")),
  rule("²", after("square", true)),
  rule("³", after("cube", true)),
  rule("!(?!=)", after("factorial", true)),
  rule("的?平方(?![米公千厘分])", after("square")),
  rule("的?立方(?![米公千厘分])", after("cube")),
  rule("的?阶乘", after("factorial")),
  rule("的?一半|减半", after("half")),
  rule("的绝对值", after("abs")),
  rule("翻一?倍|的?两倍|的?二倍", after("double")),
  rule("的?三倍", after("triple")),

  word("their (?:sum|total)", { type: "tally", join: "+" }),
  word("their product", { type: "tally", join: "*" }),
  word("their difference", { type: "tally", join: "-" }),
  word("their (?:average|mean)", { type: "tally", join: "mean" }),
  word("(?:the )?(?:sum|total) (?:of|between)", { type: "join", join: "+" }),
  word("sum(?: up)?", { type: "join", join: "+" }),
  word("(?:the )?product (?:of|between)", { type: "join", join: "*" }),
  word("(?:the )?difference (?:of|between)", { type: "join", join: "-" }),
  word("(?:the )?quotient (?:of|between)", { type: "join", join: "/" }),
  word("(?:the )?(?:average|mean)(?: of)?", { type: "join", join: "mean" }),
  word("(?:the )?remainder (?:of|when)", { type: "join", join: "%" }),
  rule("求和", { type: "join", join: "+" }),
  rule("(?:的|之)(?:总?和)(?![平上])|的?总和|相加|加(?:起来|在一起)", { type: "joined", join: "+" }),
  rule("(?:的|之)(?:乘?积)|相乘", { type: "joined", join: "*" }),
  rule("(?:的|之)差(?!异|别|距)|相减", { type: "joined", join: "-" }),
  rule("(?:的|之)商(?!业|店|品)|相除", { type: "joined", join: "/" }),
  rule("的?平均[数值]?(?!分给)", { type: "joined", join: "mean" }),
  rule("的?(?:余数|余)", { type: "joined", join: "%" }),

  word("to the power(?: of)?|raised to(?: the power of)?", operator("^", true)),
  word("plus|added to", operator("+", true)),
  word(
    "negative|(?<=\\b(?:of|by|times|plus|minus|from|to|is) )minus|(?<=^\\W*)minus(?= [\\w.]+ (?:squared|cubed))",
    operator("-", false),
  ),
  rule("负(?=\\s*[\\d(])", operator("-", false)),
  word("minus|less", operator("-", true)),
  word("(?<!how many )(?:times|multiplied by|multiply by)", operator("*", true)),
  word("divided by|divide by", operator("/", true)),
  word("mod(?:ulo|ulus)?", operator("%", true)),
  rule("(?<=[\\d)]\\s*)x(?=\\s*[\\d(])", operator("*", false)),
  rule("(?<![增参附更添追施强])加(?:上|起来)?(?![入密班油拿速强快工热盟深粗倍])", operator("+", true)),
  rule("(?<![增削缩])减(?:去|掉)?(?![少肥轻速弱压免])", operator("-", true)),
  rule("乘(?:以|上)?(?![坐客车法机船])", operator("*", true)),
  rule("(?<![删解扫排移免])除(?:以)?(?![了非外法夕去此])", operator("/", true)),
  rule("模|取模|求余", operator("%", true)),
  rule("\\*\\*|\\^", operator("^", false)),
  rule("[*×✕✖·∙⋅]", operator("*", false)),
  rule("%(?=\\s*\\d)", operator("%", false)),
  rule("[/÷➗]|(?:平均?|均)分(?:给|成)", operator("/", false)),
  rule("[+➕]", operator("+", false)),
  rule("[-−–➖](?!\\s*\\d{1,2}月)", operator("-", false)),
  rule("[(]", { type: "open" }),
  rule("[)]", { type: "close" }),

  word("round(?: off)?", { type: "rounded" }),
  word("add", verb("+")),
  word("subtract|deduct|take away", verb("-")),
  word("multiply", verb("*")),
  word(
    "divide|(?:split|share)(?= [$¥€£]?[\\d.,]+ (?:\\w+ )?(?:evenly |equally )?(?:between|among|by|into)\\b)",
    verb("/"),
  ),
  word("(?:increase|raise)", verb("+", true)),
  word("(?:decrease|reduce|lower)", verb("-", true)),
  word("(?:increased|raised|up) by", operator("+", true)),
  word("(?:decreased|reduced|lowered|discounted|down) by", operator("-", true)),
  rule("(?:上?涨|增[加长]|提高)了?(?=\\s*(?:百分之(?![几多])|[\\d.]+\\s*%))", operator("+", true)),
  rule("(?:下?[降跌]|减少|降低)了?(?=\\s*(?:百分之(?![几多])|[\\d.]+\\s*%))", operator("-", true)),
  word("(?:tip|(?:sales )?tax|vat|commission) (?:on|of|for)|discount (?:on|of)", { type: "of" }),
  word("start(?:ing)? (?:with|from|at)|bill|meal", "skip"),
  word("split(?: (?:it|between|among|by|into|evenly))*", operator("/", true)),
  word("and", { type: "and" }),
  rule("[和与跟]", { type: "and" }),
  rule("[,、]", { type: "and" }),
  word("of", { type: "of" }),
  rule("的", { type: "of" }),
  rule("次方|次幂", { type: "power" }),
  rule("倍", { type: "times" }),
  word("to|from|by|with|into|is divided by|(?:evenly |equally )?(?:between|among)(?= \\d+(?! and))", {
    type: "link",
    word: "",
  }),
  rule("然后|接着|再|之后", { type: "then" }),
  word("then", { type: "then" }),
  word(
    "the|an?(?! (?:hundred|thousand|million|billion|third|quarter|half|fifth|tenth))|together|up|both|result of|is|are",
    "skip",
  ),
  rule("[把将个元块是$¥€£\\s\\ufe0f]+|美元|dollars?(?![a-z])|里面?(?=减)", "skip"),
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

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length && tokens.length < MAX_TOKENS;) {
    const token =
      mixedAt(text, at) ??
      discountAt(text, at) ??
      partAt(text, at) ??
      roundingAt(text, at) ??
      ruleAt(text, at) ??
      numberAt(text, at) ??
      gapAt(text, at);
    if (token.type !== "skip") tokens.push(token);
    at = token.end;
  }
  return tokens;
}

type Cut = Token | { readonly type: "skip"; readonly start: number; readonly end: number };

function ruleAt(text: string, at: number): Cut | null {
  for (const [pattern, meaning] of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null || match[0] === "") continue;
    const place = { start: at, end: at + match[0].length };
    return meaning === "skip" ? { type: "skip", ...place } : { ...meaning, ...place };
  }
  return null;
}

function numberAt(text: string, at: number): Cut | null {
  if (/[a-z]/i.test(text[at] ?? "") && /[a-z\d]/i.test(text[at - 1] ?? "")) return null;
  const number = readNumber(text, at);
  return number === null ? null : { type: "number", value: number.value, start: at, end: number.end };
}

/** Mixed numbers: 1又1/2, 一又二分之一, 1 1/2. */
function mixedAt(text: string, at: number): Cut | null {
  MIXED.lastIndex = at;
  const [all = "", whole = "", over, under, hanUnder, hanOver] = MIXED.exec(text) ?? [];
  const [a, b, c] = [whole, over ?? hanOver, under ?? hanUnder].map((part) => readNumber(part ?? "", 0)?.value);
  if (a === undefined || b === undefined || c === undefined) return null;
  return { type: "number", value: `(${a} + ${b} / ${c})`, start: at, end: at + all.length };
}

const OFF = /(\d+(?:\.\d+)?)\s*(?:%|percent) (?:off|discount)(?! (?:on|of) )(?: of(?= \W*\d))?(?![a-z])/iy;
const FOLD = /(?:[打按]|(?<=[元块价]\s?|^))(\d(?:\.\d+|\d)?|[一二三四五六七八九]{1,2})折(?!叠|线)/y;

/** Discounts: 30% off, 打八折, 七五折. */
function discountAt(text: string, at: number): Cut | null {
  OFF.lastIndex = at;
  const off = /\d/.test(text[at - 1] ?? "") ? null : OFF.exec(text);
  if (off !== null) return { type: "discount", factor: `(1 - ${off[1]} / 100)`, start: at, end: at + off[0].length };
  FOLD.lastIndex = at;
  const [all = "", tenths = ""] = FOLD.exec(text) ?? [];
  const digits = [...tenths.replace(".", "")].map((digit) => readNumber(digit, 0)?.value ?? "").join("");
  return all === "" ? null : { type: "discount", factor: `0.${digits}`, start: at, end: at + all.length };
}

/** Fractions and percentages: 20%, twenty percent, 百分之二十, 三分之一, two thirds. */
function partAt(text: string, at: number): Cut | null {
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
  const first = /[a-z]/i.test(text[at - 1] ?? "") ? null : readNumber(text, percentStart);
  if (first === null) return null;
  if (percentStart > at) return { type: "part", value: `(${first.value} / 100)`, start: at, end: first.end };
  HAN_FRACTION.lastIndex = first.end;
  const over = HAN_FRACTION.test(text) ? readNumber(text, first.end + 2) : null;
  if (over !== null) return { type: "part", value: `(${over.value} / ${first.value})`, start: at, end: over.end };
  PERCENT.lastIndex = first.end;
  const percent = PERCENT.exec(text);
  return percent === null
    ? null
    : { type: "part", value: `(${first.value} / 100)`, start: at, end: first.end + percent[0].length };
}

function roundingAt(text: string, at: number): Cut | null {
  ROUNDING.lastIndex = at;
  const some = ROUNDING.exec(text);
  const digits = some === null ? null : readNumber(some[1] ?? some[2] ?? "", 0);
  if (some !== null && digits !== null)
    return { type: "round", digits: Math.min(15, Number(digits.value)), start: at, end: at + some[0].length };
  ROUNDING_WHOLE.lastIndex = at;
  const whole = ROUNDING_WHOLE.exec(text);
  return whole === null ? null : { type: "round", digits: 0, start: at, end: at + whole[0].length };
}

function gapAt(text: string, at: number): Cut {
  WORD.lastIndex = at;
  const length = WORD.exec(text)?.[0].length ?? 1;
  return { type: "gap", start: at, end: at + length };
}
