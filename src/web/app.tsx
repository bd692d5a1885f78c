// The root component and its routes. Every view is a separate script, loaded when it is first shown or prefetched.

import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { Route, Switch } from "wouter";
import { Conversation } from "./chat/open-conversation.ts";
import { lazily } from "./lazily.tsx";
import { useSignInWanted } from "./shell/access.ts";
import { fetchAhead } from "./shell/ahead.ts";
import { Coming } from "./shell/coming.tsx";
import { Layout } from "./shell/layout.tsx";
import { OpenWindow } from "./shell/open-window.ts";
import { NotFound } from "./shell/not-found.tsx";
import { createQueries } from "./shell/queries.ts";
import { Loading } from "./ui/notice.tsx";
import { Toasts } from "./ui/toast.tsx";

const Chat = lazily(() => import("./chat/chat.tsx").then((script) => script.Chat));
const Agents = lazily(() => import("./agents/agents.tsx").then((script) => script.Agents));
const Agent = lazily(() => import("./agents/agent.tsx").then((script) => script.Agent));
const Schedules = lazily(() => import("./schedules/schedules.tsx").then((script) => script.Schedules));
const Schedule = lazily(() => import("./schedules/schedule.tsx").then((script) => script.Schedule));
const Tools = lazily(() => import("./tools/tools.tsx").then((script) => script.Tools));
const Tool = lazily(() => import("./tools/tool.tsx").then((script) => script.Tool));
const Pages = lazily(() => import("./pages/pages.tsx").then((script) => script.Pages));
const Page = lazily(() => import("./pages/page.tsx").then((script) => script.Page));
const Plans = lazily(() => import("./plans/plans.tsx").then((script) => script.Plans));
const Template = lazily(() => import("./plans/template.tsx").then((script) => script.Template));
const Instance = lazily(() => import("./plans/instance.tsx").then((script) => script.Instance));
const SignIn = lazily(() => import("./shell/sign-in/sign-in.tsx").then((script) => script.SignIn));

/** Views that are prefetched after the first interaction: each is one click away. */
const NEAR = [OpenWindow, Agents, Schedules, Pages, Tools, Plans].map(({ load }) => load);

/**
 * Loads the scripts of the view at `path` before the first render; resolves at once for views that are not entry
 * points.
 */
export async function loadAt(place: string): Promise<void> {
  if (place === "/") await Chat.load();
  if (place.startsWith("/c/")) await Promise.all([Chat.load(), Conversation.load()]);
}

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
