import { describe, expect, test } from "vitest";
import {
  confirmsSchedule,
  parseConfirmation,
  removeConfirmationWords,
} from "../../src/language/schedules/schedule-confirmation.ts";

const CONFIRMED = [
  "每5分钟告诉我时间，确认",
  "每5分钟告诉我时间 确认",
  "每天9点报时，好的",
  "好，每5分钟告诉我时间",
  "好的。每天9点报时",
  "行，每天9点报时",
  "每天9点报时，可以",
  "每天9点报时，行",
  "每天9点报时，没问题",
  "每天9点报时。就这样！",
  "每天9点报时（确认）",
  "每天早上9点告诉我时间，不用确认",
  "每天早上9点告诉我时间，无需再确认",
  "每天早上9点告诉我时间，不用问我",
  "不用跟我确认，每天9点报时",
  "每天9点报时，别再问我了",
  "每天9点报时，我确认",
  "每天9点报时，我已经确认了",
  "每天9点报时，已确认",
  "直接每5分钟告诉我时间",
  "请直接设置：每天9点报时",
  "每天9点报时，直接执行",
  "确认每5分钟告诉我时间",
  "确认设置每天9点报时",
  "yes, every 5 minutes tell me the time",
  "Yes! Every 5 minutes tell me the time",
  "OK, daily at 9 roll a die",
  "every 5 minutes tell me the time, ok",
  "every 5 minutes tell me the time. Yes.",
  "every 5 minutes tell me the time. Confirmed.",
  "every 5 minutes tell me the time. I confirm this.",
  "every hour tell me the time (yes, go ahead)",
  "every 5 minutes tell me the time - confirm",
  "confirm: every day at 9 tell me the time",
  "every day at 9 tell me the time, please go ahead",
  "every day at 9 tell me the time, go ahead and set it up",
  "tell me the time every 5 minutes, no need to ask",
  "tell me the time every 5 minutes without asking",
  "every 5 minutes tell me the time, don't ask me",
  "every 5 minutes tell me the time, no confirmation needed",
  "every 5 minutes tell me the time, sure, do it",
];

const UNCONFIRMED = [
  "每5分钟告诉我时间",
  "每天9点报时，谢谢",
  "请每天9点报时",
  "可以每5分钟告诉我时间吗",
  "每5分钟告诉我时间可以吗",
  "每5分钟告诉我时间，可以吗？",
  "每5分钟告诉我时间，行不行",
  "每5分钟告诉我时间，好吗",
  "好不好，每天9点报时",
  "每天9点报时，好？",
  "每天9点报时，不行",
  "每天9点报时，不可以",
  "每天9点报时，先跟我确认",
  "每天9点报时，请确认",
  "每天9点报时，确认一下",
  "每天9点报时，等我确认再开始",
  "每天9点报时，先别设置",
  "每天9点报时，不确定",
  "每天9点报时，需要确认",
  "每5分钟发送确认消息",
  "每天9点提醒我吃好的",
  "每5分钟告诉我今天天气好不好",
  "每5分钟回答“好”",
  "每5分钟说：好",
  "每天9点提醒我确认订单",
  "每天9点列出已确认的订单",
  "每天9点列出不用确认的订单",
  "每天9点提醒我别问太多",
  "每天9点提醒大家直接办理",
  "every 5 minutes tell me the time",
  "every 5 minutes tell me the time, please",
  "every 5 minutes tell me the time, thanks",
  "can you tell me the time every 5 minutes, please",
  "every 5 minutes say yes",
  'say "yes" every 5 minutes',
  "every 5 minutes answer: yes",
  "every 5 minutes check the ok button",
  "every 5 minutes tell me the time, ok?",
  "every 5 minutes tell me the time, is that ok?",
  "every 5 minutes tell me the time, not ok yet",
  "every 5 minutes tell me the time, but don't confirm",
  "please confirm: every day at 9 tell me the time",
  "every day at 9 tell me the time, ask me first",
  "every day at 9 tell me the time, I'm not sure",
  "every day at 9 tell me the time, yes. Wait, no",
  "good news every day at 9",
  "every day at 9 remind me to go ahead and pay",
  "every day at 9 list what I confirm",
];

describe("[F54] confirmsSchedule()", () => {
  test.each(CONFIRMED)("is true for %j", (message) => {
    expect(confirmsSchedule(message)).toBe(true);
  });

  test.each(UNCONFIRMED)("is false for %j", (message) => {
    expect(confirmsSchedule(message)).toBe(false);
  });
});

describe("removeConfirmationWords()", () => {
  const AT_9 = "every day at 9 tell me the time";
  test.each([
    ...[
      `${AT_9}, yes go ahead`,
      `${AT_9}, yes, go ahead!`,
      `${AT_9} - ok`,
      `${AT_9} (confirmed)`,
      `(yes) ${AT_9}`,
      `Yes please: ${AT_9}`,
      `ok, ${AT_9}, thanks`,
      `go ahead and ${AT_9}`,
      `${AT_9}, go ahead and set it up`,
      `${AT_9}, don't ask me again`,
      `${AT_9} without asking`,
      `${AT_9}, I confirm`,
    ].map((message) => [message, AT_9]),
    [`${AT_9}. Yes.`, `${AT_9}.`],
    ["tell me the time, yes, every day at 9", "tell me the time, every day at 9"],
    ["tell me the time (yes go ahead) every day at 9", "tell me the time every day at 9"],
    ...[
      "每天9点报时，确认",
      "每天9点报时 好的",
      "每天9点报时，可以。",
      "每天9点报时（确认）",
      "好的，每天9点报时，就这样",
      "确认设置每天9点报时",
      "直接每天9点报时",
      "每天9点报时，不用再问我了，直接设置吧",
      "每天9点报时，我已经确认了",
    ].map((message) => [message, "每天9点报时"]),
  ])("removes the confirmation from %j", (message, work) => {
    expect(removeConfirmationWords(message, [])).toBe(work);
  });

  test.each([
    "every day at 9 tell me yes or no",
    'every day at 9 say "yes, go ahead"',
    "每天9点回答“好的，可以”",
    "每天9点说：好的",
    "每天9点报时，先跟我确认",
    "yes",
  ])("returns %j unchanged", (message) => {
    expect(removeConfirmationWords(message, [])).toBe(message);
  });

  test("keeps text inside a protected span", () => {
    const message = "every day at 9 count the words in: yes, go ahead";
    const start = message.indexOf("yes");
    expect(removeConfirmationWords(message, [{ start, end: message.length }])).toBe(message);
  });
});

describe("[F54] parseConfirmation()", () => {
  test.each([
    ..."yes|Yes.|OK!|ok thanks|yes please|go ahead|sure, do it|confirm|confirmed|sounds good|that's right|y|perfect, thanks".split(
      "|",
    ),
    ..."好|好的|好的，谢谢|可以|行|确认|是的，确认|没问题|嗯|嗯，可以|好，就这样|可以，设置吧|同意|对的|没错，确认".split(
      "|",
    ),
  ])("returns yes for %j", (answer) => {
    expect(parseConfirmation(answer)).toBe("yes");
  });

  test.each([
    ..."no|No.|nope|no thanks|never mind|don't|cancel|not now|stop|no, forget it|ok, never mind".split("|"),
    ..."不|不行|不要|不用了|不用了，谢谢|算了|取消|先不要|别设置|不好|不可以|好吧，算了".split("|"),
  ])("returns no for %j", (answer) => {
    expect(parseConfirmation(answer)).toBe("no");
  });

  test.each([
    ..."make it weekdays|yes, but at 8|no, make it 10|at 8 instead|what is the time|it depends|is that UTC?|ok?|later|every hour".split(
      "|",
    ),
    ..."8点吧|好，8点|不，8点|改成每天|可以改成工作日吗|可以吗|什么时候？|不对，应该是晚上|再早一点|好天气|每天9点".split(
      "|",
    ),
    "",
    "thanks",
  ])("returns other for %j", (answer) => {
    expect(parseConfirmation(answer)).toBe("other");
  });
});
