import { parseArgs } from "node:util";

export const USAGE = `Sends one message to a running Orrery and shows what happens.

  npm run ask -- [options] "your message"

  --agent NAME         send the message to this agent, without triage
  --conversation ID    continue this conversation; answers its open question if it has one
  --url URL            URL of the server (default: ORRERY_URL, or http://localhost:8787)
  --token TOKEN        bearer token, if the server requires one (default: ORRERY_TOKEN)
  --language TAG       language of the answer, for example zh-CN
  --timezone ZONE      time zone of the times in the message (default: the time zone of this machine)
  --verify             let the agents verify their work
  --json               print only the raw frames, one per line (use: npm run --silent ask)
  --help               print this help

Exit codes: 0 the thread completed; 1 it failed, was cancelled or waits for an answer; 2 the message was not sent, or the
connection was lost before the end of the thread.`;

const SEE_HELP = "See: npm run ask -- --help";

export type AskOptions = {
  readonly message: string;
  readonly agent: string | undefined;
  readonly conversation: string | undefined;
  readonly url: string;
  /** The options that select this server, for a printed command. Ends with a space if it is not empty. */
  readonly serverOptions: string;
  readonly token: string | undefined;
  readonly language: string | undefined;
  readonly timezone: string;
  readonly verify: boolean;
  readonly json: boolean;
};

/** Parses the arguments. Returns null for `--help`. Throws an Error with a message for the user if they are invalid. */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AskOptions | null {
  const { values, positionals } = parseArguments(args);
  if (values.help) return null;
  const message = positionals.join(" ");
  if (message.trim() === "") throw new Error(`The message is missing. ${SEE_HELP}`);
  const requestedUrl = values.url ?? env["ORRERY_URL"] ?? `http://localhost:${env["PORT"] ?? "8787"}`;
  if (!/^https?:$/.test(getProtocol(requestedUrl))) {
    throw new Error(`--url must be an http or https address such as http://localhost:8787, not ${requestedUrl}`);
  }
  const url = requestedUrl.replace(/\/+$/, "");
  return {
    message,
    agent: values.agent,
    conversation: values.conversation,
    url,
    serverOptions: `${values.url === undefined ? "" : `--url ${url} `}${values.token === undefined ? "" : "--token TOKEN "}`,
    token: values.token ?? env["ORRERY_TOKEN"],
    language: values.language,
    timezone: values.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    verify: values.verify,
    json: values.json,
  };
}

function parseArguments(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        agent: text,
        conversation: text,
        url: text,
        token: text,
        language: text,
        timezone: text,
        verify: flag,
        json: flag,
        help: { ...flag, short: "h" },
      },
    });
  } catch (thrown) {
    const [sentence] = thrown instanceof Error ? thrown.message.split(". ") : [String(thrown)];
    throw new Error(`${sentence}. ${SEE_HELP}`, { cause: thrown });
  }
}

function getProtocol(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}
