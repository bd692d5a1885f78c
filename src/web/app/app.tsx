// The root component and its routes. Every view is a separate script, loaded when it is first shown or prefetched.

import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { Route, Switch, Link, useLocation } from "wouter";
import { LazyConversationPane } from "../features/conversations/lazy-conversation-pane.ts";
import { createLazyComponent } from "../ui/lazy-component.tsx";
import { useSignInRequired } from "../session/account.ts";
import { prefetchScripts } from "../session/prefetch-scripts.ts";
import { AppLayout, LazyOpenDialog } from "./app-layout.tsx";
import { createQueryClient } from "./query-client.ts";
import { Loading, EmptyNotice } from "../ui/notice.tsx";
import { Toasts } from "../ui/toast.tsx";
import { useMessages } from "../session/language.ts";
import { Panel } from "../ui/panel.tsx";
import { findArea } from "./areas.ts";

const Chat = createLazyComponent(() => import("../features/conversations/chat.tsx").then((script) => script.Chat), {
  initialMessages: true,
});
const Agents = createLazyComponent(() =>
  import("../features/agents/agents-page.tsx").then((script) => script.AgentsPage),
);
const Agent = createLazyComponent(() => import("../features/agents/agent-page.tsx").then((script) => script.AgentPage));
const Schedules = createLazyComponent(() =>
  import("../features/schedules/schedules-page.tsx").then((script) => script.SchedulesPage),
);
const Schedule = createLazyComponent(() =>
  import("../features/schedules/schedule-page.tsx").then((script) => script.SchedulePage),
);
const Tools = createLazyComponent(() => import("../features/tools/tools-page.tsx").then((script) => script.ToolsPage));
const Tool = createLazyComponent(() => import("../features/tools/tool-page.tsx").then((script) => script.ToolPage));
const Pages = createLazyComponent(() => import("../features/pages/pages-page.tsx").then((script) => script.PagesPage));
const Page = createLazyComponent(() => import("../features/pages/stored-page.tsx").then((script) => script.PagePage));
const Plans = createLazyComponent(() =>
  import("../features/workflows/workflows-page.tsx").then((script) => script.WorkflowsPage),
);
const Template = createLazyComponent(() =>
  import("../features/workflows/templates/template-page.tsx").then((script) => script.TemplatePage),
);
const Instance = createLazyComponent(() =>
  import("../features/workflows/instance/workflow-instance.tsx").then((script) => script.WorkflowInstancePage),
);
const SignIn = createLazyComponent(() => import("./sign-in/sign-in.tsx").then((script) => script.SignIn));

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

/** The page for an unknown address. */
function NotFound() {
  const t = useMessages("shell");
  return (
    <Panel title={t("notFound")}>
      <EmptyNotice title={t("notFoundMore")}>
        <Link href="/">{t("newConversation")}</Link>
      </EmptyNotice>
    </Panel>
  );
}

/** The placeholder of a view while its script loads; in the areas, with their title and the menu button. */
function ViewSkeleton() {
  const t = useMessages("shell");
  const [path] = useLocation();
  const area = findArea(path);
  if (area === undefined) return <Loading />;
  return (
    <Panel title={t(area.name)}>
      <Loading />
    </Panel>
  );
}
