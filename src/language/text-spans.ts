// Normalization, spans and trimming of text for the parsers in this folder.

/** A range of UTF-16 indexes; `end` is exclusive. */
export type TextSpan = { readonly start: number; readonly end: number };

const TRADITIONAL =
  "萬與業東兩個為爲麼義習書買賣亞產億僅從們價優會傳倫體餘兒蘭關興寫農況減幾劃則剛創刪別製辦務動勞勢勻華協單佔歷曆厲壓釐參發變號臺嗎噸啟啓員週響嘍囉" +
  "圍國圖圓聖塊處復複頭誇獎學實對導將爾嘗層屬歲幣師帶幫並併廣慶庫應開異張歸當錄總態執擴掃報擇換據擲攝數斷無舊時顯術機權條來極標樣檔檢氣匯漢沒測溫遊灣滿點煩熱" +
  "狀環現電畫盤碼確禮離種積稱簽籤篩簡類係緊約級納紐線練組細終紹經結給絕統繼績續維編縮網羅職聰腳節蘇薦獲範補見規視覽觸計訂認讓議訊記講論設證評識訴詞譯試詩話誕詢該" +
  "語誤說説請讀誰調談謝譚譜負財責敗貨質購費資讚贊車轉輕載較輸邊達過運還這進遠適選郵釋裡裏鐘鍾錢銷錯鍵長門問閏間閒鬧聞階隨隱難頁頂項順須頓預領頻題顏額顛韓餅馬驗驟齡冪著隻後臘內奧磯夠準戶搖強瞭";
const SIMPLIFIED =
  "万与业东两个为为么义习书买卖亚产亿仅从们价优会传伦体余儿兰关兴写农况减几划则刚创删别制办务动劳势匀华协单占历历厉压厘参发变号台吗吨启启员周响喽啰" +
  "围国图圆圣块处复复头夸奖学实对导将尔尝层属岁币师带帮并并广庆库应开异张归当录总态执扩扫报择换据掷摄数断无旧时显术机权条来极标样档检气汇汉没测温游湾满点烦热" +
  "状环现电画盘码确礼离种积称签签筛简类系紧约级纳纽线练组细终绍经结给绝统继绩续维编缩网罗职聪脚节苏荐获范补见规视览触计订认让议讯记讲论设证评识诉词译试诗话诞询该" +
  "语误说说请读谁调谈谢谭谱负财责败货质购费资赞赞车转轻载较输边达过运还这进远适选邮释里里钟钟钱销错键长门问闰间闲闹闻阶随隐难页顶项顺须顿预领频题颜额颠韩饼马验骤龄幂着只后腊内奥矶够准户摇强了";

/** The simplified form by traditional character. Each form is one character, so indexes stay the same. */
const SIMPLIFIED_FORM: ReadonlyMap<string, string> = new Map(
  [...TRADITIONAL].map((char, i) => [char, SIMPLIFIED[i] ?? char]),
);

const CHARACTERS_TO_NORMALIZE = new RegExp(`[\\uff01-\\uff5e\\u3000‘’${[...SIMPLIFIED_FORM.keys()].join("")}]`, "g");

/**
 * Replaces full-width forms, typographic quotes and traditional characters by their plain forms. Indexes stay the same.
 */
export function normalizeCharacters(text: string): string {
  return text.replace(CHARACTERS_TO_NORMALIZE, (char) => {
    if (char === "\u3000") return " ";
    if (char === "‘" || char === "’") return "'";
    return SIMPLIFIED_FORM.get(char) ?? String.fromCharCode(char.charCodeAt(0) - 0xfee0);
  });
}

/**
 * Removes as many characters from the start as the pattern matches in the normalized text. Anchor the pattern with `^`.
 */
export function removePrefix(text: string, pattern: RegExp): string {
  return text.slice(pattern.exec(normalizeCharacters(text))?.[0].length ?? 0);
}

/** Replaces the characters of the spans by U+0001, so that no pattern matches inside them. Indexes stay the same. */
export function maskSpans(text: string, spans: readonly TextSpan[]): string {
  return replaceSpans(text, spans, "\u0001");
}

/** Removes the spans from the text. */
export function removeSpans(text: string, spans: readonly TextSpan[]): string {
  return replaceSpans(text, spans, "");
}

function replaceSpans(text: string, spans: readonly TextSpan[], replacement: string): string {
  if (spans.length === 0) return text;
  const units = text.split("");
  for (const { start, end } of spans) units.fill(replacement, start, end);
  return units.join("");
}

/** Finds quotations. The span includes the marks, `inner` does not. An apostrophe inside a word is not a mark. */
export function findQuotations(text: string): (TextSpan & { readonly inner: string })[] {
  const marks =
    /"([^"\n]+)"|“([^“”]+)”|「([^「」]+)」|『([^『』]+)』|《([^《》]+)》|`([^`\n]+)`|(?<![\w])['‘]([^'‘’\n]+)['’](?!\w)/g;
  return [...text.matchAll(marks)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    inner: match.slice(1).find((group) => group !== undefined) ?? "",
  }));
}

/** Finds the spans of all matches. The pattern needs the flag `g`. */
export function findSpans(text: string, pattern: RegExp): TextSpan[] {
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

const EDGES =
  /^(?:[\s,，、;；.。:：!！?？…~]|[-–—](?![\d(（π√]))+|(?<![\s,，、;；。:：…~\-–—])[\s,，、;；。:：…~\-–—]+$/g;

/** Removes punctuation and spaces from both ends, except a final `?`, `!` or `.`, and merges spaces inside. */
export function trimPunctuation(text: string): string {
  return text.replace(EDGES, "").replace(/[ \t]{2,}/g, " ");
}

const POLITE_PREFIX =
  /^(?:please|pls|kindly|(?:hey|hi|hello)(?=\s*[,!])|ok(?:ay)?|so|well|now|also|could you|can you|would you|will you|(?:i'd like|i would like|i want|i need) (?:you )?to|help me(?: to)?|请问|请你?|麻烦你?|帮我|帮忙|给我|替我|你?能不能|你?可以|可不可以|我想要?你?|我要你?|顺便|另外|还有|还要|并且|同时|也|那么?)(?=[\s,，:：]|[\u3400-\u9fff]|$)[\s,，]*/i;

/** Trims a text and removes at most four polite phrases from its start. Stops before the text would become empty. */
export function removePolitePrefixes(text: string): string {
  let rest = trimPunctuation(text);
  for (let i = 0; i < 4; i++) {
    const next = removePrefix(rest, POLITE_PREFIX);
    if (next === rest || next === "") return rest;
    rest = next;
  }
  return rest;
}

/** Maximum length of the text from which a title is made. */
const MAX_TITLE_SOURCE_CHARS = 500;

/**
 * Creates a short title from the first line of a text, without polite phrases: at most ten words and 120 UTF-16 units
 * with a capital first letter, or twenty characters if it has Chinese ones. "" if nothing remains.
 */
export function createTitle(text: string): string {
  const line = removePolitePrefixes((text.split("\n", 1)[0] ?? "").slice(0, MAX_TITLE_SOURCE_CHARS)).replace(
    /[\s.。!！?？]+$/,
    "",
  );
  if (/[\u3400-\u9fff]/.test(line)) return [...line].slice(0, 20).join("");
  const words = line.split(/\s+/).slice(0, 10).join(" ");
  return words.slice(0, 1).toUpperCase() + words.slice(1, 120);
}
