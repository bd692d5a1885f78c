// One message from the client's side, when its server goes away.

import { expect, test } from "vitest";
import { ask } from "../../scripts/ask/exchange.ts";
import { readOptions } from "../../scripts/ask/options.ts";
import { answer, scriptedServer } from "../client/scripted-server.ts";

test("a server that goes away before it has taken the message, and stays away, ends the exchange", async () => {
  const server = await scriptedServer();
  server.misdeeds.lostAcks = 1;
  server.misdeeds.reply = () => {
    void server.stop();
    return [];
  };
  const options = readOptions(["--url", server.url, "hello"], {});
  if (options === null) throw new Error("Help was asked for.");
  const { outcome } = ask(options, {
    hear: () => {},
    tell: () => {},
    answer: () => Promise.resolve(null),
    patienceMs: 300,
  });
  await expect(outcome).rejects.toMatchObject({ code: "unavailable", message: `${options.url} does not come back.` });
});

test("a server that goes away after it has taken the message leaves where to look for the rest", async () => {
  const server = await scriptedServer();
  server.misdeeds.reply = () => answer("th-1", "hello").slice(0, 2);
  const options = readOptions(["--url", server.url, "hello"], {});
  if (options === null) throw new Error("Help was asked for.");
  const notices: string[] = [];
  const { outcome } = ask(options, {
    hear: () => void server.stop(),
    tell: (notice) => void notices.push(notice),
    answer: () => Promise.resolve(null),
    patienceMs: 300,
  });
  await expect(outcome).rejects.toMatchObject({ code: "unavailable" });
  expect(notices.at(-1)).toBe("What comes of it will stand in conversation conv-1.");
});
