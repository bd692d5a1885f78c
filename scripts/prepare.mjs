// Makes a fresh clone ready: dependencies as the lockfile says, and a Node that is new enough.
// Works on plain Node 20 with nothing installed.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, "node_modules");
const STAMP = join(MODULES, ".orrery-install");
const NODE_PACKAGE = join(MODULES, "node");
const NODE = join(NODE_PACKAGE, "bin", process.platform === "win32" ? "node.exe" : "node");

/** The oldest Node that the tools run on. */
const NEEDED = [22, 18];

/** Installs what is missing. Resolves with the path of a Node that runs the project; rejects with a sentence. */
export async function prepare() {
  await install();
  mkdirSync(join(ROOT, "dist", "web"), { recursive: true });
  if (existsSync(NODE)) return NODE;
  if (isNewEnough(process.versions.node)) return process.execPath;
  // Its binary comes from an install script, which npm may have been told not to run.
  await run(process.execPath, ["installArchSpecificPackage"], NODE_PACKAGE);
  if (existsSync(NODE)) return NODE;
  throw new Error(`Node ${NEEDED.join(".")} or newer is needed, and the package "node" could not install one.`);
}

async function install() {
  const wanted = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  if (isInstalled()) return stamp(wanted);
  const startedAt = Date.now();
  process.stderr.write("Installing dependencies (about half a minute) … ");
  await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], ROOT);
  stamp(wanted);
  process.stderr.write(`done in ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
}

function fingerprint() {
  const hash = createHash("sha256");
  for (const file of ["package.json", "package-lock.json"]) hash.update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
}

function stamp(fingerprintOfInstall) {
  writeFileSync(STAMP, fingerprintOfInstall);
}

/** True when somebody's own `npm install` has already done it: npm notes in the tree what it put there. */
function isInstalled() {
  const tree = join(MODULES, ".package-lock.json");
  if (!existsSync(tree)) return false;
  const installed = JSON.parse(readFileSync(tree, "utf8")).packages;
  const locked = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")).packages;
  return Object.entries(locked).every(
    ([path, entry]) => path === "" || entry.optional === true || installed[path]?.version === entry.version,
  );
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

/** Runs a program quietly; when it fails, rejects with what it printed. */
function run(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, SCARF_ANALYTICS: "false" },
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(" ")} failed:\n${output.trim()}`)),
    );
  });
}
