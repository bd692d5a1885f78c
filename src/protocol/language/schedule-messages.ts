// Messages about invalid schedules, in both languages. Each message states the problem and gives a correct example.

import type { LocalizedText } from "./detect-language.ts";

const EXAMPLES: LocalizedText = {
  en: 'For example: "every 5 minutes", "daily at 09:00", "weekdays at 18:30" or the cron expression "*/5 * * * *".',
  zh: "例如：“每5分钟”、“每天9:00”、“工作日18:30”，或 cron 表达式“*/5 * * * *”。",
};

function localize(en: string, zh: string): LocalizedText {
  return { en, zh };
}

export const noRecurrence = (words: string): LocalizedText =>
  localize(
    `"${words}" does not say when the work should recur. ${EXAMPLES.en}`,
    `“${words}”没有说明任务应在什么时候重复。${EXAMPLES.zh}`,
  );

export const unparsedWords = (words: string): LocalizedText =>
  localize(
    `This part of the schedule was not understood: "${words}". ${EXAMPLES.en}`,
    `没有看懂时间安排中的这一部分：“${words}”。${EXAMPLES.zh}`,
  );

export const kindMissing: LocalizedText = {
  en: `A schedule needs exactly one of interval_minutes, daily_time and cron, and has none. For example: {"daily_time":"09:00","timezone":"Asia/Shanghai"}.`,
  zh: `时间安排需要 interval_minutes、daily_time、cron 三者之一，现在一个也没有。例如：{"daily_time":"09:00","timezone":"Asia/Shanghai"}。`,
};

export const severalKinds = (given: readonly string[]): LocalizedText =>
  localize(
    `A schedule is exactly one of interval_minutes, daily_time and cron, and this has ${given.join(" and ")}. Keep one, for example {"interval_minutes":5}.`,
    `时间安排只能是 interval_minutes、daily_time、cron 三者之一，这里同时有 ${given.join(" 和 ")}。请只留一个，例如 {"interval_minutes":5}。`,
  );

export const unknownField = (name: string): LocalizedText =>
  localize(
    `A schedule has no field ${name}. Its fields are interval_minutes, daily_time, cron and timezone, for example {"interval_minutes":5}.`,
    `时间安排没有 ${name} 这个字段，只有 interval_minutes、daily_time、cron 和 timezone，例如 {"interval_minutes":5}。`,
  );

export const intervalTooShort = (words: string): LocalizedText =>
  localize(
    `"${words}" is too often: the shortest interval is one minute, and intervals are whole minutes. For example: "every 5 minutes".`,
    `“${words}”太频繁了：最短间隔是一分钟，且必须是整数分钟。例如：“每5分钟”。`,
  );

export const intervalTooLong = (words: string): LocalizedText =>
  localize(
    `"${words}" is too long: an interval is at most 366 days, which are 527040 minutes. For a yearly date use, for example: "every year on 1 March at 09:00".`,
    `“${words}”太长了：间隔最长 366 天，即 527040 分钟。每年一次可以写，例如：“每年3月1日9:00”。`,
  );

export const invalidTime = (words: string): LocalizedText =>
  localize(
    `"${words}" is not a time of day: times run from 00:00 to 23:59. For example: "daily at 09:00".`,
    `“${words}”不是一天中的时间：时间从 00:00 到 23:59。例如：“每天9:00”。`,
  );

export const invalidDay = (words: string): LocalizedText =>
  localize(
    `There is no such day: "${words}". Days of the month run from 1 to 31. For example: "every month on the 1st at 09:00".`,
    `没有这样的日子：“${words}”。日期从 1 日到 31 日。例如：“每月1号9:00”。`,
  );

export const invalidWeekday = (words: string): LocalizedText =>
  localize(
    `"${words}" names no day of the week: a week runs from Monday to Sunday. For example: "every Monday at 09:00".`,
    `“${words}”不是星期几：一周从周一到周日。例如：“每周一9:00”。`,
  );

export const wrongFieldCount = (expression: string): LocalizedText =>
  localize(
    `The cron expression "${expression}" needs exactly five fields: minute, hour, day of the month, month and weekday. For example: "0 9 * * 1-5", weekdays at 09:00.`,
    `cron 表达式“${expression}”必须正好有五个字段：分、时、日、月、星期。例如：“0 9 * * 1-5”，即工作日 09:00。`,
  );

export const invalidCronField = (part: string, title: LocalizedText, range: string): LocalizedText =>
  localize(
    `"${part}" is not a ${title.en} of a cron expression: it takes ${range}, *, lists, ranges from small to large and steps such as */5; seconds, L, W, # and ? are not supported. For example: "0 9 * * 1-5", weekdays at 09:00.`,
    `“${part}”不能作为 cron 表达式的${title.zh}字段：可用 ${range}、*、列表、从小到大的范围和 */5 这样的步长；不支持秒、L、W、#、?。例如：“0 9 * * 1-5”，即工作日 09:00。`,
  );

export const impossibleDate = (words: string): LocalizedText =>
  localize(
    `"${words}" never comes: no such date exists in any of its months. For example: "0 9 28 2 *", 28 February at 09:00.`,
    `“${words}”永远不会到来：这些月份里没有这一天。例如：“0 9 28 2 *”，即 2月28日 09:00。`,
  );

export const unknownTimeZone = (words: string): LocalizedText =>
  localize(
    `The time zone "${words}" is unknown. Use a name such as Asia/Shanghai, Europe/Berlin or UTC, for example: "daily at 09:00 Asia/Shanghai".`,
    `不认识时区“${words}”。请用 Asia/Shanghai、Europe/Berlin、UTC 这样的名称，例如：“每天9:00 Asia/Shanghai”。`,
  );

export const timeMissing = (words: string): LocalizedText =>
  localize(
    `"${words}" does not say at what time of the day. For example: "${words} at 09:00".`,
    `“${words}”没有说明在几点。例如：“${words}9:00”。`,
  );

export const dayMissing = (words: string): LocalizedText =>
  localize(
    `"${words}" does not say on which day. For example: "every Monday at 09:00" or "every month on the 1st at 09:00".`,
    `“${words}”没有说明在哪一天。例如：“每周一9:00”或“每月1号9:00”。`,
  );

export const timesMissing = (words: string): LocalizedText =>
  localize(
    `"${words}" does not say at which times. For example: "daily at 9:00 and 18:00".`,
    `“${words}”没有说明分别在几点。例如：“每天9:00和18:00”。`,
  );

export const intervalAndTime = (words: string): LocalizedText =>
  localize(
    `"${words}" is two kinds of schedule at once: an interval and a time of the day. Choose one, for example "every 2 days" or "every Monday and Thursday at 09:00".`,
    `“${words}”同时用了两种方式：间隔和一天中的时间。请选一种，例如“每2天”或“每周一、周四9:00”。`,
  );

export const unevenSteps = (words: string): LocalizedText =>
  localize(
    `"${words}" cannot be kept evenly within a day. With days or hours beside it an interval has to divide the hour or the day, for example "every 15 minutes from 9:00 to 17:00 on weekdays".`,
    `“${words}”无法在一天内均匀排列。限定了日子或时段时，间隔要能整除一小时或一天，例如“工作日9点到17点每15分钟”。`,
  );

export const differentMinutes = (words: string): LocalizedText =>
  localize(
    `"${words}" has times with different minutes, which one schedule cannot hold. Set up one for each, for example "daily at 09:00" and "daily at 18:30".`,
    `“${words}”中几个时间的分钟数不同，一个时间安排放不下。请分别设置，例如“每天9:00”和“每天18:30”。`,
  );

export const secondSchedule = (words: string): LocalizedText =>
  localize(
    `This is a second schedule: "${words}". Each schedule holds one, for example "every 5 minutes" or "daily at 09:00".`,
    `这里还有另一个时间安排：“${words}”。一次只能设置一个，例如“每5分钟”或“每天9:00”。`,
  );

export const unsupportedMonthDay = (words: string): LocalizedText =>
  localize(
    `"${words}" cannot be scheduled: days are counted from the start of the month, not from its end or by weekday. For example: "every month on the 28th at 09:00" or "every Monday at 09:00".`,
    `“${words}”无法设置：只能按日期或按星期，不能从月末数，也不能写第几个星期几。例如：“每月28号9:00”或“每周一9:00”。`,
  );
