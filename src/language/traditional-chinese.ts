// Traditional Chinese characters and their simplified forms, for the characters in the patterns of this folder.
// Several traditional characters may have the same simplified form.

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
export const SIMPLIFIED_FORM: ReadonlyMap<string, string> = new Map(
  [...TRADITIONAL].map((char, i) => [char, SIMPLIFIED[i] ?? char]),
);
