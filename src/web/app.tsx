// Which view stands at which address. Everything but the frame is loaded when it is first shown.

import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { Route, Switch } from "wouter";
import { useSignInWanted } from "./shell/access.ts";
import { fetchAhead } from "./shell/ahead.ts";
import { Coming } from "./shell/coming.tsx";
import { Layout } from "./shell/layout.tsx";
import { loadWindow } from "./shell/load-window.ts";
import { NotFound } from "./shell/not-found.tsx";
import { createQueries } from "./shell/queries.ts";
import { Loading } from "./ui/notice.tsx";
import { Toasts } from "./ui/toast.tsx";

const Chat = lazy(() => import("./chat/chat.tsx").then(({ Chat: component }) => ({ default: component })));
const loadAgents = () => import("./agents/agents.tsx").then(({ Agents: component }) => ({ default: component }));
const Agents = lazy(loadAgents);
const Agent = lazy(() => import("./agents/agent.tsx").then(({ Agent: component }) => ({ default: component })));
const loadSchedules = () =>
  import("./schedules/schedules.tsx").then(({ Schedules: component }) => ({ default: component }));
const Schedules = lazy(loadSchedules);
const Schedule = lazy(() =>
  import("./schedules/schedule.tsx").then(({ Schedule: component }) => ({ default: component })),
);
const loadTools = () => import("./tools/tools.tsx").then(({ Tools: component }) => ({ default: component }));
const Tools = lazy(loadTools);
const Tool = lazy(() => import("./tools/tool.tsx").then(({ Tool: component }) => ({ default: component })));
const loadPages = () => import("./pages/pages.tsx").then(({ Pages: component }) => ({ default: component }));
const Pages = lazy(loadPages);
const Page = lazy(() => import("./pages/page.tsx").then(({ Page: component }) => ({ default: component })));
const loadPlans = () => import("./plans/plans.tsx").then(({ Plans: component }) => ({ default: component }));
const Plans = lazy(loadPlans);
const Template = lazy(() => import("./plans/template.tsx").then(({ Template: component }) => ({ default: component })));
const Instance = lazy(() => import("./plans/instance.tsx").then(({ Instance: component }) => ({ default: component })));

const SignIn = lazy(() =>
  import("./shell/sign-in/sign-in.tsx").then(({ SignIn: component }) => ({ default: component })),
);

/** One click away from everywhere. */
const NEAR = [loadWindow, loadAgents, loadSchedules, loadPages, loadTools, loadPlans];

const queries = createQueries();

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <Everything />
      <Toasts />
    </QueryClientProvider>
  );
}

function Everything() {
  const isSignInWanted = useSignInWanted();
  useEffect(() => fetchAhead(NEAR), []);
  if (isSignInWanted) {
    return (
      <Suspense fallback={<Loading />}>
        <SignIn />
      </Suspense>
    );
  }
  return (
    <Layout>
      <Suspense fallback={<Coming />}>
        <Views />
      </Suspense>
    </Layout>
  );
}

function Views() {
  return (
    <Switch>
      <Route path="/">
        <Chat key="new" />
      </Route>
      <Route path="/c/:id">{({ id }) => <Chat key={id} id={id} />}</Route>
      <Route path="/agents" component={Agents} />
      <Route path="/agents/:name">{({ name }) => <Agent key={name} name={name} />}</Route>
      <Route path="/schedules" component={Schedules} />
      <Route path="/schedules/:id">{({ id }) => <Schedule key={id} id={id} />}</Route>
      <Route path="/tools" component={Tools} />
      <Route path="/tools/:name">{({ name }) => <Tool key={name} name={name} />}</Route>
      <Route path="/pages" component={Pages} />
      <Route path="/pages/:id">{({ id }) => <Page key={id} id={id} />}</Route>
      <Route path="/plans" component={Plans} />
      <Route path="/plans/:id">{({ id }) => <Template key={id} id={id} />}</Route>
      <Route path="/instances/:id">{({ id }) => <Instance key={id} id={id} />}</Route>
      <Route component={NotFound} />
    </Switch>
  );
}
