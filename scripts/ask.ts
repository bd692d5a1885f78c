// npm run ask: sends one message to the running server and prints the events of its thread.

import { createInterface } from "node:readline/promises";
import { Fault } from "../src/protocol/wire/fault.ts";
import { CommandRefused } from "../src/client/command-outbox.ts";
import { ask, type AskOutcome, type AskQuestion } from "./ask/ask-thread.ts";
import { readOptions, USAGE, type AskOptions } from "./ask/options.ts";
import { paintColoured, paintPlain } from "./ask/paint.ts";
import { createPrinter } from "./ask/printer.ts";

const EXIT_CODES = { completed: 0, failed: 1, waiting: 1, notSent: 2 } as const;

// The reader of a pipe may close it early, for example `head`.
process.stdout.on("error", () => process.exit(EXIT_CODES.failed));
process.exit(await main());

async function main(): Promise<number> {
  let options: AskOptions | null;
  try {
    options = readOptions(process.argv.slice(2), process.env);
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown);
    return EXIT_CODES.notSent;
  }
  if (options === null) {
    console.log(USAGE);
    return EXIT_CODES.completed;
  }
  try {
    return EXIT_CODES[printOutcome(await runThread(options), options)];
  } catch (thrown) {
    console.error(describeError(thrown));
    return EXIT_CODES.notSent;
  }
}

async function runThread(options: AskOptions): Promise<AskOutcome> {
  const print = createPrinter(process.stdout.isTTY ? paintColoured : paintPlain, options.url);
  const request = ask(options, {
    onFrame: (frame, { view }) =>
      process.stdout.write(options.json ? `${JSON.stringify(frame)}\n` : print(frame, view.plans)),
    onNotice: (notice) => console.error(`\n${notice}`),
    answerQuestion: options.json ? () => Promise.resolve(null) : readAnswer,
  });
  process.once("SIGTERM", () => {
    request.cancel();
    process.once("SIGTERM", () => process.exit(143));
  });
  process.once("SIGINT", () => {
    console.error("\nCancelling … (press Ctrl-C again to exit immediately)");
    request.cancel();
    process.once("SIGINT", () => process.exit(130));
  });
  return await request.outcome;
}

async function readAnswer(_question: AskQuestion): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    for (;;) {
      const answer = await terminal.question("> ");
      if (answer.trim() !== "") return answer;
    }
  } catch {
    // Ctrl-C or Ctrl-D: the question stays open.
    return null;
  } finally {
    terminal.close();
  }
}

function printOutcome({ kind, conversationId }: AskOutcome, { json, serverOptions }: AskOptions): AskOutcome["kind"] {
  if (json) return kind;
  if (kind === "waiting")
    console.error(`Answer with: npm run ask -- ${serverOptions}--conversation ${conversationId} "your answer"`);
  else console.log(`conversation ${conversationId}`);
  return kind;
}

function describeError(thrown: unknown): string {
  if (thrown instanceof CommandRefused) return `The server rejected the message: ${thrown.message}`;
  if (!(thrown instanceof Fault)) return thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown.code === "unavailable") return `${thrown.message} Is the server running? Start it with: npm start`;
  if (thrown.code === "unauthorized") return `${thrown.message} Pass a token with --token.`;
  return thrown.message;
}
