// One message from the client's side, when its server goes away.

import { expect, test } from "vitest";
import { ask } from "../../scripts/ask/exchange.ts";
import { readOptions } from "../../scripts/ask/options.ts";
import { scriptedServer } from "../client/scripted-server.ts";

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
