import { parseArgs } from "node:util";

export const USAGE = `Sends one message to a running Orrery and shows what happens.

  npm run ask -- [options] "your message"

  --agent NAME         ask this agent, without triage
  --conversation ID    go on in this conversation; answers its open question, if there is one
  --url URL            where the server is (default: ORRERY_URL, or http://localhost:8787)
  --token TOKEN        bearer token, where the server wants one (default: ORRERY_TOKEN)
  --language TAG       language of the answer, for example zh-CN
  --timezone ZONE      time zone that times are meant in (default: this machine's)
  --verify             have the agents verify what they have done
  --json               print the raw frames, one per line (and nothing else with: npm run --silent ask)
  --help               print this

Exit code: 0 when the thread ended well, 1 when something in it failed, when it was cancelled or waits for an answer, 2 when
it could not be asked, or the server went away before its end.`;

const SEE_HELP = "See: npm run ask -- --help";

export type AskOptions = {
  readonly message: string;
  readonly agent: string | undefined;
  readonly conversation: string | undefined;
  readonly url: string;
  /** The options that lead to the same server again, for a command to show. */
  readonly again: string;
  readonly token: string | undefined;
  readonly language: string | undefined;
  readonly timezone: string;
  readonly verify: boolean;
  readonly json: boolean;
};

/** Null when help was asked for. Throws an Error with a sentence when the arguments make no sense. */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AskOptions | null {
  const { values, positionals } = parsed(args);
  if (values.help) return null;
  const message = positionals.join(" ");
  if (message.trim() === "") throw new Error(`There is no message. ${SEE_HELP}`);
  const given = values.url ?? env["ORRERY_URL"] ?? `http://localhost:${env["PORT"] ?? "8787"}`;
  if (!/^https?:$/.test(protocolOf(given))) {
    throw new Error(`--url must be an http or https address such as http://localhost:8787, not ${given}`);
  }
  const url = given.replace(/\/+$/, "");
  return {
    message,
    agent: values.agent,
    conversation: values.conversation,
    url,
    again: `${values.url === undefined ? "" : `--url ${url} `}${values.token === undefined ? "" : "--token TOKEN "}`,
    token: values.token ?? env["ORRERY_TOKEN"],
    language: values.language,
    timezone: values.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    verify: values.verify,
    json: values.json,
  };
}

function parsed(args: readonly string[]) {
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

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}
