// Finds the name of a dataset that the person mentions but does not have.

const NAMED: readonly RegExp[] = [
  /\b(?:dataset|table|csv|spreadsheet|file) (?:called |named )?["“]?([\w.-]{2,60})/i,
  /\b([\w.-]{2,60}) (?:dataset|table|csv|spreadsheet)\b/i,
  /(?:数据集|表格)\s*[“"「]?([^\s，。”"」的]{1,30})/,
  /([^\s，。的]{1,30})(?:数据集|表格)/,
];
/** Words before a name that are not part of it. */
const BEFORE = /^(?:请|帮我|给我|我要|想|分析|总结|汇总|概括|统计|对比|比较|看看?|一下|一个)+/;
const NO_NAME =
  /^(?:the|my|this|that|these|an?|any|some|our|your|data|which|what|new|uploaded|whole|entire|sample|by|of|for|in|with|and|is|has|as|to|from|on|per|trend|summary|distribution|ranking|pivot)$|^(?:我|这|那|上传|哪|一张|个|张|里|中|按|数据|趋势|分布|排名|所有|全部)/i;

/** Returns the dataset name in the line; null if there is none. */
export function findMissingDataset(line: string): string | null {
  const names = NAMED.flatMap((words) => words.exec(line)?.[1]?.replace(BEFORE, "") ?? []);
  return names.find((name) => name !== "" && !NO_NAME.test(name)) ?? null;
}
