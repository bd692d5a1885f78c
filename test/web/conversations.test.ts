// The list of conversations: its stretches of time, and what this browser has seen of them.

import { expect, test } from "vitest";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import { groupConversations, getPeriod } from "../../src/web/conversations/group-conversations.ts";
import { buildListRows } from "../../src/web/conversations/conversation-list-rows.ts";
import { isUnread, parseSeen, withSeen, type SeenState } from "../../src/web/conversations/seen-conversations.ts";

const NOW = new Date(2026, 10, 21, 14, 30).getTime();
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

function conversation(id: string, updated_at: number): ConversationInfo {
  return { conversation_id: id, user_id: "ada", status: "completed", created_at: 0, updated_at };
}

test("stretches are calendar days, not spans of hours", () => {
  expect(getPeriod(at(21, 0), NOW)).toBe("today");
  expect(getPeriod(at(20, 23, 59), NOW)).toBe("yesterday");
  expect(getPeriod(at(20, 0), NOW)).toBe("yesterday");
  expect(getPeriod(at(19, 23, 59), NOW)).toBe("week");
  expect(getPeriod(at(14, 0), NOW)).toBe("week");
  expect(getPeriod(at(13, 23, 59), NOW)).toBe("older");
});

test("a clock that is behind the server's puts nothing into another stretch than today", () => {
  expect(getPeriod(NOW + 60_000, NOW)).toBe("today");
});

test("keeps the order, leaves out empty stretches, and shows a conversation once that two pages name", () => {
  const pages = [conversation("a", at(21, 12)), conversation("b", at(13, 12)), conversation("a", at(13, 11))];
  expect(groupConversations(pages, NOW).map(({ stretch, conversations }) => [stretch, conversations.length])).toEqual([
    ["today", 1],
    ["older", 1],
  ]);
  expect(buildListRows(pages, NOW).map(({ key }) => key)).toEqual(["today", "a", "older", "b"]);
});

test("what was there before this browser came is not new, and what changes after it was seen is", () => {
  const seen = parseSeen(null, 100);
  expect(isUnread(seen, conversation("a", 90))).toBe(false);
  expect(isUnread(seen, conversation("a", 110))).toBe(true);
  const after = withSeen(seen, conversation("a", 110));
  expect(isUnread(after, conversation("a", 110))).toBe(false);
  expect(isUnread(after, conversation("a", 111))).toBe(true);
  expect(isUnread(after, conversation("b", 111))).toBe(true);
  expect(withSeen(after, conversation("a", 105))).toBe(after);
});

test("remembers a limited number, and what it forgets stays seen", () => {
  let seen: SeenState = { since: 0, at: {} };
  for (let i = 1; i <= 600; i++) seen = withSeen(seen, conversation(`c${i}`, i));
  expect(Object.keys(seen.at)).toHaveLength(500);
  expect(isUnread(seen, conversation("c1", 1))).toBe(false);
  expect(isUnread(seen, conversation("c600", 600))).toBe(false);
  expect(isUnread(seen, conversation("c600", 601))).toBe(true);
});

test.each(["", "nonsense", "[]", '{"since":"x"}', '{"since":1,"at":[1]}'])("takes %j for never written", (text) => {
  expect(parseSeen(text, 7)).toEqual({ since: 7, at: {} });
});
