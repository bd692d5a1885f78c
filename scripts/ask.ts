// npm run ask: one message to the running server, and what comes of it, in a terminal.

import { createInterface } from "node:readline/promises";
import { Fault } from "../src/protocol/wire/fault.ts";
import { CommandRefused } from "../src/client/command-outbox.ts";
import { ask, type Outcome, type Question } from "./ask/exchange.ts";
import { readOptions, USAGE, type AskOptions } from "./ask/options.ts";
import { coloured, plain } from "./ask/paint.ts";
import { createPrinter } from "./ask/printer.ts";

const EXIT = { well: 0, failed: 1, asked: 1, unasked: 2 } as const;

// Whoever reads the output may have seen enough, as `head` has.
process.stdout.on("error", () => process.exit(EXIT.failed));
process.exit(await main());

async function main(): Promise<number> {
  let options: AskOptions | null;
  try {
    options = readOptions(process.argv.slice(2), process.env);
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown);
    return EXIT.unasked;
  }
  if (options === null) {
    console.log(USAGE);
    return EXIT.well;
  }
  try {
    return EXIT[conclude(await converse(options), options)];
  } catch (thrown) {
    console.error(sentenceFor(thrown));
    return EXIT.unasked;
  }
}

async function converse(options: AskOptions): Promise<Outcome> {
  const print = createPrinter(process.stdout.isTTY ? coloured : plain, options.url);
  const running = ask(options, {
    hear: (frame, { view }) =>
      process.stdout.write(options.json ? `${JSON.stringify(frame)}\n` : print(frame, view.plans)),
    tell: (notice) => console.error(`\n${notice}`),
    answer: options.json ? () => Promise.resolve(null) : answerAtTerminal,
  });
  process.once("SIGTERM", () => {
    running.cancel();
    process.once("SIGTERM", () => process.exit(143));
  });
  process.once("SIGINT", () => {
    console.error("\nCancelling … (once more to leave at once)");
    running.cancel();
    process.once("SIGINT", () => process.exit(130));
  });
  return await running.outcome;
}

async function answerAtTerminal(_question: Question): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    for (;;) {
      const answer = await terminal.question("> ");
      if (answer.trim() !== "") return answer;
    }
  } catch {
    // Ctrl-C or Ctrl-D: the question waits for another time.
    return null;
  } finally {
    terminal.close();
  }
}

function conclude({ kind, conversationId }: Outcome, { json, again }: AskOptions): Outcome["kind"] {
  if (json) return kind;
  if (kind === "asked")
    console.error(`Answer with: npm run ask -- ${again}--conversation ${conversationId} "your answer"`);
  else console.log(`conversation ${conversationId}`);
  return kind;
}

function sentenceFor(thrown: unknown): string {
  if (thrown instanceof CommandRefused) return `The server refuses the message: ${thrown.message}`;
  if (!(thrown instanceof Fault)) return thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown.code === "unavailable") return `${thrown.message} Is the server running? Start it with: npm start`;
  if (thrown.code === "unauthorized") return `${thrown.message} Pass a token with --token.`;
  return thrown.message;
}
