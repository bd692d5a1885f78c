// The root component and its routes. Every view is a separate script, loaded when it is first shown or prefetched.

import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { Route, Switch } from "wouter";
import { LazyConversationPane } from "./chat/lazy-conversation-pane.ts";
import { createLazyComponent } from "./lazy-component.tsx";
import { useSignInRequired } from "./shell/sign-in-required.ts";
import { prefetchScripts } from "./shell/prefetch-scripts.ts";
import { ViewSkeleton } from "./shell/view-skeleton.tsx";
import { AppLayout } from "./shell/app-layout.tsx";
import { LazyOpenDialog } from "./shell/lazy-open-dialog.ts";
import { NotFound } from "./shell/not-found.tsx";
import { createQueryClient } from "./shell/query-client.ts";
import { Loading } from "./ui/notice.tsx";
import { Toasts } from "./ui/toast.tsx";

const Chat = createLazyComponent(() => import("./chat/chat.tsx").then((script) => script.Chat), {
  initialMessages: true,
});
const Agents = createLazyComponent(() => import("./agents/agents-page.tsx").then((script) => script.AgentsPage));
const Agent = createLazyComponent(() => import("./agents/agent-page.tsx").then((script) => script.AgentPage));
const Schedules = createLazyComponent(() =>
  import("./schedules/schedules-page.tsx").then((script) => script.SchedulesPage),
);
const Schedule = createLazyComponent(() =>
  import("./schedules/schedule-page.tsx").then((script) => script.SchedulePage),
);
const Tools = createLazyComponent(() => import("./tools/tools-page.tsx").then((script) => script.ToolsPage));
const Tool = createLazyComponent(() => import("./tools/tool-page.tsx").then((script) => script.ToolPage));
const Pages = createLazyComponent(() => import("./pages/pages-page.tsx").then((script) => script.PagesPage));
const Page = createLazyComponent(() => import("./pages/stored-page.tsx").then((script) => script.PagePage));
const Plans = createLazyComponent(() =>
  import("./workflows/workflows-page.tsx").then((script) => script.WorkflowsPage),
);
const Template = createLazyComponent(() =>
  import("./workflows/template-page.tsx").then((script) => script.TemplatePage),
);
const Instance = createLazyComponent(() =>
  import("./workflows/workflow-instance.tsx").then((script) => script.WorkflowInstancePage),
);
const SignIn = createLazyComponent(() => import("./shell/sign-in/sign-in.tsx").then((script) => script.SignIn));

/** Views that are prefetched after the first interaction: each is one click away. */
const PREFETCHED_VIEWS = [LazyOpenDialog, Agents, Schedules, Pages, Tools, Plans].map(({ load }) => load);

/**
 * Loads the scripts of the start page (`/`) or of a conversation (`/c/…`) before the first render. Does nothing for
 * other paths. Rejects if a script cannot be loaded.
 */
export async function loadRoute(path: string): Promise<void> {
  if (path === "/") await Chat.load();
  if (path.startsWith("/c/")) await Promise.all([Chat.load(), LazyConversationPane.load()]);
}

const queryClient = createQueryClient();

/**
 * The whole application: the sign-in page while the server requires it, otherwise the layout with the view of the
 * current address. Prefetches the scripts of the other views after the first interaction.
 */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <AppContent />
      <Toasts />
    </QueryClientProvider>
  );
}

function AppContent() {
  const isSignInRequired = useSignInRequired();
  useEffect(() => prefetchScripts(PREFETCHED_VIEWS), []);
  if (isSignInRequired) {
    return (
      <Suspense fallback={<Loading />}>
        <SignIn />
      </Suspense>
    );
  }
  return (
    <AppLayout>
      <Suspense fallback={<ViewSkeleton />}>
        <Routes />
      </Suspense>
    </AppLayout>
  );
}

function Routes() {
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
