// Follows a thread of a server that becomes unreachable.

import { expect, test } from "vitest";
import { ask } from "../../scripts/ask/ask-thread.ts";
import { readOptions } from "../../scripts/ask/options.ts";
import { createAnswerThread, startScriptedServer } from "../client/scripted-server.ts";

test("ask rejects when the server stops before it acknowledges the message and does not return", async () => {
  const server = await startScriptedServer();
  server.misbehavior.lostAcks = 1;
  server.misbehavior.reply = () => {
    void server.stop();
    return [];
  };
  const options = readOptions(["--url", server.url, "hello"], {});
  if (options === null) throw new Error("Unexpected --help");
  const { outcome } = ask(options, {
    onFrame: () => {},
    onNotice: () => {},
    answerQuestion: () => Promise.resolve(null),
    reconnectTimeoutMs: 300,
  });
  await expect(outcome).rejects.toMatchObject({
    code: "unavailable",
    message: `The connection to ${options.url} could not be restored.`,
  });
});

test("ask names the conversation when the server stops after it acknowledged the message", async () => {
  const server = await startScriptedServer();
  server.misbehavior.reply = () => createAnswerThread("th-1", "hello").slice(0, 2);
  const options = readOptions(["--url", server.url, "hello"], {});
  if (options === null) throw new Error("Unexpected --help");
  const notices: string[] = [];
  const { outcome } = ask(options, {
    onFrame: () => void server.stop(),
    onNotice: (notice) => void notices.push(notice),
    answerQuestion: () => Promise.resolve(null),
    reconnectTimeoutMs: 300,
  });
  await expect(outcome).rejects.toMatchObject({ code: "unavailable" });
  expect(notices.at(-1)).toBe("When the server is back, you will find the answer in conversation conv-1.");
});
