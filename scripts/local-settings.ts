// Where a local start gets its settings from, and how they reach the Worker.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { parseSettings, settingsSchema, type Settings } from "../src/settings.ts";
import { ROOT } from "./tools.ts";

export type LocalSettings = {
  readonly port: number;
  /** The folder of the local storage. */
  readonly state: string;
  /** What the Worker gets, by name. May hold secrets. */
  readonly vars: Readonly<Record<string, string>>;
  readonly settings: Settings;
};

/**
 * Reads `.dev.vars` and the environment, which wins. Other names in `.dev.vars` are handed on as they
 * are, for agents that have settings of their own. Throws an Error that names every wrong setting.
 */
export function readLocalSettings(env: Readonly<Record<string, string | undefined>>): LocalSettings {
  const { PORT, ORRERY_STATE, ...file } = readFile();
  const vars: Record<string, string> = { ...file };
  for (const name of Object.keys(settingsSchema.shape)) {
    const given = env[name];
    if (given !== undefined) vars[name] = given;
    // An empty value is how a shell unsets what the file sets.
    if (vars[name]?.trim() === "") delete vars[name];
  }
  const state = env["ORRERY_STATE"] ?? ORRERY_STATE ?? "";
  return {
    port: portOf(env["PORT"] ?? PORT ?? "8787"),
    state: state.trim() === "" ? join(".wrangler", "state") : state,
    vars,
    settings: parseSettings(vars),
  };
}

function readFile(): Record<string, string> {
  const path = join(ROOT, ".dev.vars");
  return existsSync(path) ? (parseEnv(readFileSync(path, "utf8")) as Record<string, string>) : {};
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Error(`Wrong settings:\n  PORT: must be a number from 1 to 65535, not ${JSON.stringify(text)}`);
}

/** Writes the variables where only this user can read them: a command line would show secrets to everybody. */
export function writeVars(path: string, vars: Readonly<Record<string, string>>): void {
  const lines = Object.entries(vars).map(([name, value]) => `${name}=${quoted(name, value)}`);
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
}

/** Wrangler's reader keeps what is in quotes as it is, but expands `$NAME` even there. */
function quoted(name: string, value: string): string {
  const quote = ["'", '"', "`"].find((candidate) => !value.includes(candidate));
  if (quote === undefined) throw new Error(`Wrong settings:\n  ${name}: must not contain all three kinds of quotes`);
  return `${quote}${value.replaceAll("$", "\\$")}${quote}`;
}
