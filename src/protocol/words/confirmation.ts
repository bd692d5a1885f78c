// Whether words confirm that work shall recur: in the message that asks for it, or as the answer to a question.

import { decisionOf } from "../question.ts";
import { blot, fold, quotations } from "./text.ts";

/** Beside the words that every question takes for yes. The whole of a clause, so that 好天气 is none. */
const YES_EN =
  /^(?:(?:yes|yeah|yep|yup|sure|ok(?:ay)?|alright|all right|fine|great|perfect|good|right|correct|exactly|deal|please|of course|definitely|absolutely|sounds good|looks good|go|that's (?:right|fine|ok|correct|good)|that is (?:right|fine|correct)|(?:i )?(?:hereby )?(?:confirm|agree|approve)(?: it| this| that)?|(?:it's |this is |already |consider it )?confirmed|(?:please )?(?:go ahead|do it|do so|do that|set it up|set that up|schedule it|create it|start it|proceed|carry on)(?: now| directly| right away)?|just do it|make it so|works(?: for me)?|let's do (?:it|that)|thanks|thank you)(?: |$))+$/;
const YES_ZH =
  /^(?:我|请|那|就|嗯+|对|对的|没错|是|是的|好|好的|好吧|好啊|好呀|行|行吧|行啊|可以|可以的|成|中|ok|确认|已确认|确定|同意|没问题|没有问题|没意见|就这样|就这么办|这样就行|这样可以|就按这个来|按这个来|设置|设置吧|创建吧|安排吧|开始吧|执行吧|来吧|办吧|继续|当然|当然可以|了|吧|啦|哦|的|无误|麻烦了|谢谢|谢谢你|辛苦了)+$/;
const NO =
  /^(?:no|nope|nah|not|never mind|nevermind|forget it|don't|do not|stop|cancel|wait|hold on|wrong|incorrect)(?![a-z])|^(?:不|别|算了|取消|先不|先别|没必要|停|等等|等一下|错)/;
/** Politeness that neither grants nor refuses. */
const POLITE = /^(?:thanks|thank you|thx|please|谢谢|谢谢你|多谢|辛苦了|麻烦了)?$/;
const QUESTION = /[?？]|[吗么呢]$|^(?:可不可以|能不能|行不行|好不好|是不是|对不对)/;

type Clause = { readonly words: string; readonly isQuestion: boolean; readonly isSpoken: boolean };

/** Clauses in lower case, without their marks. One after a colon is spoken about, not said. */
function clausesOf(text: string): Clause[] {
  const folded = fold(text);
  const plain = blot(folded, quotations(folded)).toLowerCase();
  const parts = plain.split(/([,，、.。!！;；:\n?？()（）~～—…]+|\s-\s|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff]))/);
  const clauses: Clause[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const words = (parts[i] ?? "").trim().replace(/\s+/g, " ");
    if (words === "") continue;
    const mark = parts[i + 1] ?? "";
    const isQuestion = /[?？]/.test(mark) || QUESTION.test(words);
    clauses.push({ words, isQuestion, isSpoken: (parts[i - 1] ?? "").includes(":") });
  }
  return clauses;
}

function isYes({ words, isQuestion }: Clause): boolean {
  if (isQuestion || POLITE.test(words)) return false;
  return decisionOf(words) === "approve" || YES_EN.test(words) || YES_ZH.test(words.replaceAll(" ", ""));
}

function isNo({ words, isQuestion }: Clause): boolean {
  return !isQuestion && (decisionOf(words) === "refuse" || NO.test(words));
}

/** Leave given inside a sentence: no need to confirm · 不用确认 · 直接设置. */
const UNASKED =
  /\b(?:no need to (?:confirm|ask|check)|no confirmation (?:is )?(?:needed|necessary|required)|without (?:asking|confirmation|confirming)|(?:don't|do not|never) (?:ask|bother asking|wait for (?:my )?confirmation)|(?:i )?(?:already |hereby )confirm|i confirm|just set (?:it|this) up|go ahead and)\b|(?:不用|无需|不必|不需要|无须|不要|别)(?:再|跟我|和我|向我|找我)*(?:确认|问我?|询问)|(?<![跟和向找等让请])我(?:已经?)?确认|已经?确认|直接(?:帮我|给我|就)?(?:设置|设定|创建|建立|安排|执行|开始|运行|定时|每|按|办)|^确认(?:设置|创建|安排|执行|开始|每)/;
/** Leave withheld: ask me first · 先跟我确认 · 先别设置. */
const ASKED =
  /\b(?:ask|check|confirm|verify)(?: it| this| that)?(?: with)? me\b|\bplease (?:confirm|ask)\b|\b(?:to|let me|will|i'll|should i|before i|until i|not(?: yet)?|don't|do not|never|can't|cannot) (?:confirm|agree|approve|go ahead|set it up)|\bnot (?:ok|okay|yet|sure|confirmed)\b|\b(?:isn't|is not|not) (?:confirmed|ok|fine)\b|\bunconfirmed\b|\bwait\b|(?:先|再|跟我|和我|向我|找我|让我|等我|请你?|需要|需|要|没|未|尚未|还没)(?:再|先|跟我|和我|向我)*确认|确认(?:一下|下|后|再|之后)|先(?:别|不要|不)|不(?:行|可以|好|同意|确定|能)(?!意思)/;

/**
 * Whether a message that states a schedule confirms it already, so that it need not be asked about: `…, yes`,
 * `好，每5分钟…`, `…，不用确认`. A question, a quotation or work that merely has the word in it does not.
 */
export function confirmsSchedule(message: string): boolean {
  const clauses = clausesOf(message);
  const whole = clauses.map(({ words }) => words).join("\n");
  const unasked = clauses.some(({ words, isQuestion }) => !isQuestion && UNASKED.test(words));
  if (unasked) return !/(?:先|等我|跟我|和我)确认/.test(whole.replace(UNASKED, ""));
  if (ASKED.test(whole)) return false;
  return clauses.some((clause) => !clause.isSpoken && isYes(clause)) && !clauses.some(isNo);
}

/**
 * What an answer to the question means. Anything that is not purely yes or no is `other`: a change (`8点吧`,
 * `yes, but at 8`), a question, another subject.
 */
export function readConfirmation(answer: string): "yes" | "no" | "other" {
  const clauses = clausesOf(answer);
  if (clauses.length === 0 || clauses.some(({ isQuestion }) => isQuestion)) return "other";
  const meant = clauses.filter(({ words }) => !POLITE.test(words));
  if (meant.some((clause) => CHANGE.test(clause.words))) return "other";
  if (meant.some(isNo)) return "no";
  if (
    meant.every((clause) => isYes(clause) || UNASKED.test(clause.words)) &&
    (meant.length > 0 || /please/i.test(answer))
  )
    return "yes";
  return "other";
}

/** Words with which someone wants it otherwise. */
const CHANGE =
  /\d|[零一二两三四五六七八九十半]+(?:点|分|小时|天|号)|每|工作日|周[一二三四五六日末]|早上|上午|中午|下午|晚上|改|换成|应该|instead|change|make it|but|rather|every|daily|hourly|week|month|morning|noon|afternoon|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day|o'clock|later|earlier|更早|更晚|早点|晚点/;
