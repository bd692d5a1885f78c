import { describe, expect, test } from "vitest";
import { confirmsSchedule, parseConfirmation } from "../../src/language/schedules/schedule-confirmation.ts";

const CONFIRMED = [
  "每5分钟告诉我时间，确认",
  "每天9点报时，好的",
  "好，每5分钟告诉我时间",
  "每天9点报时，没问题",
  "每天9点报时。就这样！",
  "每天9点报时（确认）",
  "每天早上9点告诉我时间，不用确认",
  "不用跟我确认，每天9点报时",
  "每天9点报时，别再问我了",
  "每天9点报时，我已经确认了",
  "直接每5分钟告诉我时间",
  "确认每5分钟告诉我时间",
  "yes, every 5 minutes tell me the time",
  "OK, daily at 9 roll a die",
  "every 5 minutes tell me the time, ok",
  "every 5 minutes tell me the time. Confirmed.",
  "every hour tell me the time (yes, go ahead)",
  "confirm: every day at 9 tell me the time",
  "every day at 9 tell me the time, go ahead and set it up",
  "tell me the time every 5 minutes, no need to ask",
  "tell me the time every 5 minutes without asking",
  "every 5 minutes tell me the time, no confirmation needed",
];

const UNCONFIRMED = [
  "每5分钟告诉我时间",
  "每天9点报时，谢谢",
  "可以每5分钟告诉我时间吗",
  "每5分钟告诉我时间，可以吗？",
  "好不好，每天9点报时",
  "每天9点报时，不行",
  "每天9点报时，先跟我确认",
  "每天9点报时，等我确认再开始",
  "每天9点报时，先别设置",
  "每5分钟发送确认消息",
  "每天9点提醒我吃好的",
  "每5分钟回答“好”",
  "每天9点提醒我确认订单",
  "每天9点列出已确认的订单",
  "每天9点提醒大家直接办理",
  "every 5 minutes tell me the time",
  "every 5 minutes tell me the time, please",
  "can you tell me the time every 5 minutes, please",
  'say "yes" every 5 minutes',
  "every 5 minutes answer: yes",
  "every 5 minutes tell me the time, ok?",
  "every 5 minutes tell me the time, not ok yet",
  "please confirm: every day at 9 tell me the time",
  "every day at 9 tell me the time, ask me first",
  "every day at 9 tell me the time, yes. Wait, no",
  "good news every day at 9",
  "every day at 9 remind me to go ahead and pay",
];

describe("[F54] confirmsSchedule()", () => {
  test.each(CONFIRMED)("is true for %j", (message) => {
    expect(confirmsSchedule(message)).toBe(true);
  });

  test.each(UNCONFIRMED)("is false for %j", (message) => {
    expect(confirmsSchedule(message)).toBe(false);
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
