// The conversation list: its periods, and which conversations this browser has seen.

import { expect, test } from "vitest";
import type { ConversationInfo } from "../../../src/protocol/wire/conversation-info.ts";
import {
  buildListRows,
  groupConversations,
  getPeriod,
} from "../../../src/web/features/conversations/list/conversation-list-rows.ts";
import {
  isUnread,
  parseSeen,
  withSeen,
  type SeenState,
} from "../../../src/web/features/conversations/list/seen-conversations.ts";

const NOW = new Date(2026, 10, 21, 14, 30).getTime();
const getTime = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

function conversation(id: string, updated_at: number): ConversationInfo {
  return { conversation_id: id, user_id: "ada", status: "completed", created_at: 0, updated_at };
}

test("periods are calendar days, not spans of 24 hours", () => {
  expect(getPeriod(getTime(21, 0), NOW)).toBe("today");
  expect(getPeriod(getTime(20, 23, 59), NOW)).toBe("yesterday");
  expect(getPeriod(getTime(20, 0), NOW)).toBe("yesterday");
  expect(getPeriod(getTime(19, 23, 59), NOW)).toBe("week");
  expect(getPeriod(getTime(14, 0), NOW)).toBe("week");
  expect(getPeriod(getTime(13, 23, 59), NOW)).toBe("older");
});

test("a time in the future counts as today if the local clock is behind the server's", () => {
  expect(getPeriod(NOW + 60_000, NOW)).toBe("today");
});

test("grouping keeps the order, omits empty periods and removes duplicates across pages", () => {
  const pages = [
    conversation("a", getTime(21, 12)),
    conversation("b", getTime(13, 12)),
    conversation("a", getTime(13, 11)),
  ];
  expect(groupConversations(pages, NOW).map(({ period, conversations }) => [period, conversations.length])).toEqual([
    ["today", 1],
    ["older", 1],
  ]);
  expect(buildListRows(pages, NOW).map(({ key }) => key)).toEqual(["today", "a", "older", "b"]);
});

test("a conversation is unread if it changed after the first visit and after it was last seen", () => {
  const seen = parseSeen(null, 100);
  expect(isUnread(seen, conversation("a", 90))).toBe(false);
  expect(isUnread(seen, conversation("a", 110))).toBe(true);
  const after = withSeen(seen, conversation("a", 110));
  expect(isUnread(after, conversation("a", 110))).toBe(false);
  expect(isUnread(after, conversation("a", 111))).toBe(true);
  expect(isUnread(after, conversation("b", 111))).toBe(true);
  expect(withSeen(after, conversation("a", 105))).toBe(after);
});

test("the seen state keeps 500 conversations, and dropped ones stay seen", () => {
  let seen: SeenState = { since: 0, at: {} };
  for (let i = 1; i <= 600; i++) seen = withSeen(seen, conversation(`c${i}`, i));
  expect(Object.keys(seen.at)).toHaveLength(500);
  expect(isUnread(seen, conversation("c1", 1))).toBe(false);
  expect(isUnread(seen, conversation("c600", 600))).toBe(false);
  expect(isUnread(seen, conversation("c600", 601))).toBe(true);
});

test.each(["", "nonsense", "[]", '{"since":"x"}', '{"since":1,"at":[1]}'])(
  "the seen state %j is read as empty",
  (text) => {
    expect(parseSeen(text, 7)).toEqual({ since: 7, at: {} });
  },
);
