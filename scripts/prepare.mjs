// Prepares a fresh clone: installs the dependencies of the lockfile and a recent Node.
// Runs on Node 20 without any dependency.

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

/** The oldest version of Node that the tools support. */
const MIN_NODE_VERSION = [22, 18];

/** Installs missing dependencies. Resolves with the path of a suitable Node; rejects with an Error for the user. */
export async function prepare() {
  await install();
  mkdirSync(join(ROOT, "dist", "web"), { recursive: true });
  if (existsSync(NODE)) return NODE;
  if (isNewEnough(process.versions.node)) return process.execPath;
  // The binary comes from an install script, which npm may be configured to skip.
  await run(process.execPath, ["installArchSpecificPackage"], NODE_PACKAGE);
  if (existsSync(NODE)) return NODE;
  throw new Error(
    `Node ${MIN_NODE_VERSION.join(".")} or newer is required, and the package "node" could not install it.`,
  );
}

async function install() {
  const fingerprint = computeFingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint) return;
  if (isInstalled()) return writeFileSync(STAMP, fingerprint);
  const startedAt = Date.now();
  process.stderr.write("Installing dependencies (about half a minute) … ");
  await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], ROOT);
  writeFileSync(STAMP, fingerprint);
  process.stderr.write(`done in ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
}

function computeFingerprint() {
  const hash = createHash("sha256");
  for (const file of ["package.json", "package-lock.json"]) hash.update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
}

/** Returns true if `npm install` has already installed the locked versions. npm records them in `node_modules`. */
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
  const [minMajor, minMinor] = MIN_NODE_VERSION;
  return major > minMajor || (major === minMajor && minor >= minMinor);
}

/** Runs a program without output. Rejects with its output if it fails. */
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
