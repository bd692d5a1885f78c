// Reads the settings of a local start and writes them for the Worker.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { parseSettings, settingsSchema, type Settings } from "../src/settings.ts";
import { writePrivateFile } from "./private-files.ts";
import { ROOT } from "./tools.ts";

export type LocalSettings = {
  readonly port: number;
  /** The folder of the local storage. */
  readonly state: string;
  /** The variables of the Worker, by name. May contain secrets. */
  readonly vars: Readonly<Record<string, string>>;
  readonly settings: Settings;
};

/**
 * Reads `.dev.vars` and the environment, which takes precedence. Passes unknown names in `.dev.vars` on unchanged, for
 * the settings of agents. Throws an Error that names every invalid setting.
 */
export function readLocalSettings(env: Readonly<Record<string, string | undefined>>): LocalSettings {
  const { PORT, ORRERY_STATE, ...file } = readFile();
  const vars: Record<string, string> = { ...file };
  for (const name of Object.keys(settingsSchema.shape)) {
    const value = env[name];
    if (value !== undefined) vars[name] = value;
    // An empty value in the environment unsets a value of the file.
    if (vars[name]?.trim() === "") delete vars[name];
  }
  const state = env["ORRERY_STATE"] ?? ORRERY_STATE ?? "";
  return {
    port: parsePort(env["PORT"] ?? PORT ?? "8787"),
    state: state.trim() === "" ? join(".wrangler", "state") : state,
    vars,
    settings: parseSettings(vars),
  };
}

function readFile(): Record<string, string> {
  const path = join(ROOT, ".dev.vars");
  return existsSync(path) ? (parseEnv(readFileSync(path, "utf8")) as Record<string, string>) : {};
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Error(`Wrong settings:\n  PORT: must be a number from 1 to 65535, not ${JSON.stringify(text)}`);
}

/** Writes the variables to a file that only this user can read. A command line would show secrets to all users. */
export function writeVars(path: string, vars: Readonly<Record<string, string>>): void {
  const lines = Object.entries(vars).map(([name, value]) => `${name}=${quoteValue(name, value)}`);
  writePrivateFile(path, `${lines.join("\n")}\n`);
}

/** Quotes a value for the parser of wrangler, which expands `$NAME` even in quotes. */
function quoteValue(name: string, value: string): string {
  const quote = ["'", '"', "`"].find((candidate) => !value.includes(candidate));
  if (quote === undefined) throw new Error(`Wrong settings:\n  ${name}: must not contain all three kinds of quotes`);
  return `${quote}${value.replaceAll("$", "\\$")}${quote}`;
}
