// Detection of a confirmation of a schedule, in the message that requests it or in the answer to a question.

import { parseDecision } from "../../protocol/wire/question.ts";
import { maskSpans, normalizeCharacters, findQuotations } from "../text-spans.ts";

/**
 * Words of consent in addition to those of `parseDecision`. They match only a whole clause, so 好天气 does not match. No
 * alternative is a concatenation of others: ambiguity would make matching exponential for a long row of 好的.
 */
const YES_EN =
  /^(?:(?:yes|yeah|yep|yup|sure|ok(?:ay)?|alright|all right|fine|great|perfect|good|right|correct|exactly|deal|please|of course|definitely|absolutely|sounds good|looks good|go|that's (?:right|fine|ok|correct|good)|that is (?:right|fine|correct)|(?:i )?(?:hereby )?(?:confirm|agree|approve)(?: it| this| that)?|(?:it's |this is |already |consider it )?confirmed|(?:go ahead|do it|do so|do that|set it up|set that up|schedule it|create it|start it|proceed|carry on)(?: now| directly| right away)?|just do it|make it so|works(?: for me)?|let's do (?:it|that)|thanks|thank you)(?: |$))+$/;
const YES_ZH =
  /^(?:我|请|那|就|嗯|对|没错|是|好|好啊|好呀|行|行啊|可以|成|中|ok|确认|已确认|确定|同意|没问题|没有问题|没意见|(?<=就)这样|(?<!就)这样(?=就行|可以)|就这么办|按这个来|设置|创建吧|安排吧|开始吧|执行吧|来吧|办吧|继续|当然|了|吧|啦|哦|的|无误|麻烦了|谢谢|谢谢你|辛苦了)+$/;
const NO_WORDS =
  /^(?:no|nope|nah|not|never mind|nevermind|forget it|don't|do not|stop|cancel|wait|hold on|wrong|incorrect)(?![a-z])|^(?:不|别|算了|取消|先不|先别|没必要|停|等等|等一下|错)/;
/** Polite phrases without a decision. */
const POLITE_PHRASE = /^(?:thanks|thank you|thx|please|谢谢|谢谢你|多谢|辛苦了|麻烦了)?$/;
const QUESTION_CLAUSE = /[?？]|[吗么呢]$|^(?:可不可以|能不能|行不行|好不好|是不是|对不对)/;

type TextClause = {
  /** In lower case. */
  readonly words: string;
  readonly isQuestion: boolean;
  /** True if the clause follows a colon and so is content instead of a statement. */
  readonly followsColon: boolean;
};

const CLAUSE_MARK =
  /((?:(?<!\s)\s+)?[,，、.。!！;；:\n?？()（）~～—…][\s,，、.。!！;；:?？()（）~～—…]*|\s-\s|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff]))/;

/** Splits a text into clauses. Quotations are masked. */
function splitClauses(text: string): TextClause[] {
  const folded = normalizeCharacters(text);
  const parts = maskSpans(folded, findQuotations(folded)).split(CLAUSE_MARK);
  const clauses: TextClause[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const words = (parts[i] ?? "").toLowerCase().trim().replace(/\s+/g, " ");
    const isQuestion = /[?？]/.test(parts[i + 1] ?? "") || QUESTION_CLAUSE.test(words);
    if (words !== "") clauses.push({ words, isQuestion, followsColon: (parts[i - 1] ?? "").includes(":") });
  }
  return clauses;
}

function isConsentClause({ words, isQuestion }: TextClause): boolean {
  if (isQuestion || POLITE_PHRASE.test(words)) return false;
  return parseDecision(words) === "approve" || YES_EN.test(words) || YES_ZH.test(words.replaceAll(" ", ""));
}

function isRefusalClause({ words, isQuestion }: TextClause): boolean {
  return !isQuestion && (parseDecision(words) === "refuse" || NO_WORDS.test(words));
}

/** Confirmation within a sentence: no need to confirm · 不用确认 · 直接设置. Does not match content: 列出已确认的订单. */
const WAIVER =
  /\b(?:no need to (?:confirm|ask|check)|no confirmation (?:is )?(?:needed|necessary|required)|without (?:asking|confirmation|confirming)|(?:don't|do not|never) (?:ask|bother asking|wait for (?:my )?confirmation)|just set (?:it|this) up)\b|^(?:(?:yes|ok|okay|sure|so|and|please|just) )*(?:(?:i |already |hereby )+confirm|go ahead and)\b|(?:不用|无需|不必|不需要|无须|不要|别)(?:再|跟我|和我|向我|找我)*(?:确认|询问|问(?=我|了|吧|$))(?!.*的)|^(?:好|好的|是|是的|嗯|那|请)*(?:我(?:已经?)?|已经?)确认(?!的)|^(?:好|好的|那|就|请|你|麻烦|帮我)*直接(?:帮我|给我|就)?(?:设置|设定|创建|建立|安排|执行|开始|运行|定时|每|按|办)|^确认(?:设置|创建|安排|执行|开始|每)/;
/** A request to be asked first: ask me first · 先跟我确认 · 先别设置. */
const ASK_FIRST =
  /\b(?:ask|check|confirm|verify)(?: it| this| that)?(?: with)? me\b|\bplease (?:confirm|ask)\b|\b(?:to|let me|will|i'll|should i|before i|until i|not(?: yet)?|don't|do not|never|can't|cannot) (?:confirm|agree|approve|go ahead|set it up)|\bnot (?:ok|okay|yet|sure|confirmed)\b|\b(?:isn't|is not|not) (?:confirmed|ok|fine)\b|\bunconfirmed\b|\bwait\b|(?:先|再|跟我|和我|向我|找我|让我|等我|请你?|需要|需|要|没|未|尚未|还没)(?:再|先|跟我|和我|向我){0,4}确认|确认(?:一下|下|后|再|之后)|先(?:别|不要|不)|不(?:行|可以|好|同意|确定|能)(?!意思)/;

/**
 * True if a message with a schedule also confirms it, so that no question is needed: `…, yes`, `好，每5分钟…`,
 * `…，不用确认`. Questions, quotations, and work that only contains such a word do not count.
 */
export function confirmsSchedule(message: string): boolean {
  const clauses = splitClauses(message);
  const allWords = clauses.map(({ words }) => words).join("\n");
  const hasWaiver = clauses.some(({ words, isQuestion }) => !isQuestion && WAIVER.test(words));
  if (hasWaiver) return !/(?:先|等我|跟我|和我)确认/.test(allWords.replace(WAIVER, ""));
  if (ASK_FIRST.test(allWords)) return false;
  return clauses.some((clause) => !clause.followsColon && isConsentClause(clause)) && !clauses.some(isRefusalClause);
}

/**
 * Parses the answer to the confirmation question: `other` for an empty answer, a question, or a change (`8点吧`,
 * `yes, but at 8`); else `no` if any clause refuses; `yes` if every clause consents; `other` for any other subject.
 */
export function parseConfirmation(answer: string): "yes" | "no" | "other" {
  const clauses = splitClauses(answer);
  if (clauses.length === 0 || clauses.some(({ isQuestion }) => isQuestion)) return "other";
  const decisive = clauses.filter(({ words }) => !POLITE_PHRASE.test(words));
  if (decisive.some((clause) => CHANGE_WORDS.test(clause.words))) return "other";
  if (decisive.some(isRefusalClause)) return "no";
  if (
    decisive.every((clause) => isConsentClause(clause) || WAIVER.test(clause.words)) &&
    (decisive.length > 0 || /please/i.test(answer))
  )
    return "yes";
  return "other";
}

/** Words that request a change. */
const CHANGE_WORDS =
  /\d|[零一二两三四五六七八九十半](?:点|分|小时|天|号)|每|工作日|周[一二三四五六日末]|早上|上午|中午|下午|晚上|改|换成|应该|instead|change|make it|but|rather|every|daily|hourly|week|month|morning|noon|afternoon|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day|o'clock|later|earlier|更早|更晚|早点|晚点/;
