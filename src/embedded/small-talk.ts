// Recognises small talk: greetings, thanks, questions about the model.

import { normalizeCharacters } from "../language/text-spans.ts";

/** The alternatives of each kind, as sources of regular expressions. */
const ENTRIES = {
  who: [
    "who are (?:you|u)|what(?:'s| is) your name|what are you|introduce yourself|tell me about yourself",
    "are you (?:an? )?(?:ai|bot|robot|human|person|chat ?gpt|llm)|(?:what|which) model (?:are you|is this|do you use)",
    "你(?:到底)?是(?:谁|什么|(?:什么|哪个)(?:模型|ai|机器人|助手)|真?人|ai|机器人|人工智能|大模型|chatgpt)啊?",
    "你叫(?:什么|啥)(?:名字)?|(?:做个)?(?:介绍一?下?你?自己|自我介绍)(?:一下)?",
  ],
  what: [
    "what (?:can|do|could) (?:you|u) do(?: for me)?|(?:how can you )?help(?: me)?|what can i (?:ask|do)(?: you)?(?: here)?",
    "(?:what|which) agents (?:are there|do you have|are available|can i use)|(?:list|show)(?: me)?(?: all)?(?: the)? agents",
    "你(?:都|还)?(?:能|会|可以)(?:帮我)?[做干]?[些点]?(?:什么|啥|哪些)(?:事情?)?|怎么用|帮助|我(?:能|可以)(?:问|让)你做?(?:什么|啥)",
    "你?都?有(?:什么|哪些)(?:功能|能力|智能体|代理|技能)(?:可用)?|(?:列出|显示)(?:所有|全部|可用)*的?(?:智能体|代理)",
  ],
  greeting: [
    "(?:hi+|hello+|hey+|good (?:morning|afternoon|evening|day))(?: (?:there|all|everyone|again|orrery))?|how are (?:you|u)(?: doing)?(?: today)?",
    "(?:你|您|大家|各位|早上|上午|中午|下午|晚上)?好[啊呀哦]?|哈[喽罗啰]|嗨+|嘿|喂|早安?|在吗|在不在|有人吗|你好吗|你怎么样",
  ],
  thanks: [
    "(?:ok |okay |great )?(?:thanks?|thank (?:yo)?u|thx|cheers)(?: (?:so|very) much| a lot| again| for (?:your|the|all) .{1,20})?",
    "(?:好的?|嗯)?(?:非常|十分|太|多)?(?:谢谢?|感谢)(?:你|您|了|啦|大家|你的帮助)*|辛苦[了你啦]*",
  ],
  farewell: [
    "(?:good ?)?bye(?: bye)?|good ?night|see (?:you|ya)(?: later| soon| tomorrow)?|再见|拜+|晚安|(?:回头|明天|下次)见",
  ],
  remark: [
    "(?:that(?:'s| is| was) )?(?:great|good|nice|cool|perfect|well done)|ok(?:ay)?|yes|yeah|sure|no|all ?right|got it|i see|(?:i'?m )?sorry|never ?mind|test",
    "你?[太真好很](?:棒|厉害|好|强|聪明|赞)[了啊]*|不错|厉害|对不起|抱歉|不好意思|没事了?|算了|不用了|好[的吧]|嗯+|行|可以|不?是的?|不|知道了|明白了?|对|没问题|测试",
  ],
} as const;

export type SmallTalkKind = keyof typeof ENTRIES;

const PATTERNS = Object.entries(ENTRIES).map(
  ([kind, alternatives]) => [kind as SmallTalkKind, new RegExp(`^(?:${alternatives.join("|")})$`, "i")] as const,
);
const TAILS = /(?:\s*(?:please|pls|then|now|again|呢|吗|啊|呀|哦|吧|嘛|哈|了))+$/i;
const MAX_LENGTH = 120;
const QUESTIONS: readonly (SmallTalkKind | null)[] = ["who", "what"];

/**
 * Returns the kind of small talk; null if the text contains anything else. If there are several kinds ("hi, who are
 * you?"), the last question counts.
 */
export function detectSmallTalk(text: string): SmallTalkKind | null {
  if (text.length > MAX_LENGTH) return null;
  const clauses = normalizeCharacters(text)
    .replace(/\p{Extended_Pictographic}|\u200d|\ufe0f/gu, " ")
    .split(
      /[,，、.。!?;；~～…\n]+|(?<![a-z])and(?![a-z])|(?<=[a-z]) (?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]) (?=[a-z])/i,
    )
    .map((clause) => clause.trim().replace(/\s+/g, " "))
    .filter((clause) => clause !== "");
  const kinds = clauses.map(detectClauseKind);
  if (kinds.length === 0 || kinds.includes(null)) return null;
  return kinds.findLast((kind) => QUESTIONS.includes(kind)) ?? kinds.at(-1) ?? null;
}

function detectClauseKind(clause: string): SmallTalkKind | null {
  const opened = clause.replace(/^(?:so|well|and|ok(?:ay)?|请问?|那么?|嗯|please|可以|帮我|could you|can you) ?/i, "");
  for (const words of [clause, clause.replace(TAILS, ""), opened, opened.replace(TAILS, "")]) {
    const found = PATTERNS.find(([, pattern]) => pattern.test(words));
    if (found !== undefined) return found[0];
  }
  return null;
}
