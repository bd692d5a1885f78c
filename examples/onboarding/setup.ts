// Registers the agents and the workflow of `config.json` on a running server, starts one onboarding and prints its
// progress. Run these commands in three terminals:
//
//   ALLOW_PRIVATE_AGENTS=1 npm start
//   npx wrangler dev -c examples/onboarding/wrangler.toml --port 8790
//   node scripts/run.mjs examples/onboarding/setup.ts --systems http://localhost:8790
//
// `--systems` is the URL of the five systems. Without it, the server must have bindings for them. `--url` is the URL of
// the server, `--token` a bearer token for it.

import { parseArgs } from "node:util";
import config from "./config.json" with { type: "json" };
import {
  workflowInstanceDetailsSchema,
  startedInstanceSchema,
  type WorkflowInstanceDetails,
} from "../../src/protocol/workflows/workflow-instance.ts";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8787" },
    systems: { type: "string" },
    token: { type: "string" },
  },
});

async function call(method: string, path: string, body?: object): Promise<Response> {
  const headers = {
    "content-type": "application/json",
    ...(values.token === undefined ? {} : { authorization: `Bearer ${values.token}` }),
  };
  const response = await fetch(`${values.url}/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() =>
    exitWithError(`${values.url} is not reachable. Start the server with: ALLOW_PRIVATE_AGENTS=1 npm start`),
  );
  if (response.ok || response.status === 409) return response;
  return exitWithError(`${method} ${path}: ${response.status} ${await response.text()}`);
}

function exitWithError(message: string): never {
  console.error(message);
  process.exit(1);
}

for (const app of config.apps) {
  const mcp = values.systems === undefined ? app.mcp : { url: `${values.systems}/${app.name}` };
  await call("POST", "/agents", { ...app, mcp });
  console.log(`agent ${app.name}`);
}
await call("POST", "/plan-templates", { ...config.plan, status: "released" });
console.log(`plan ${config.plan.plan_id}`);

const context = { id: "WZ001", name: "will zhang", email: "will.zhang@company.com", department: "工程部" };
const response = await call("POST", `/plan-templates/${config.plan.plan_id}/instances`, { context });
const { plan_instance_id: id } = startedInstanceSchema.parse(await response.json());
console.log(`instance ${id}\n`);

let printedCount = 0;
let instance = await readInstance();
while (instance.status === "running" && !instance.waiting_for_resume) {
  await new Promise((resolve) => setTimeout(resolve, 300));
  instance = await readInstance();
}
for (const { agent_id, task_name, status, tools_used } of instance.verification?.checklist ?? [])
  console.log(`${status}: ${agent_id}, ${task_name} (${tools_used.join(", ")})`);
console.log(`\n${instance.status}${instance.error === undefined ? "" : `: ${instance.error}`}`);
process.exitCode = instance.status === "done" ? 0 : 1;

async function readInstance(): Promise<WorkflowInstanceDetails> {
  const readInstance = workflowInstanceDetailsSchema.parse(await (await call("GET", `/plan-instances/${id}`)).json());
  for (const { type, at: _, ...rest } of readInstance.log.slice(printedCount)) console.log(type, JSON.stringify(rest));
  printedCount = readInstance.log.length;
  return readInstance;
}
