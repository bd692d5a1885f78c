import { Plus } from "lucide-react";
import { useWords } from "../language.ts";
import { CardList } from "../ui/card-list.tsx";
import { ButtonLink } from "../ui/button-link.tsx";
import { LoadMore } from "../ui/load-more.tsx";
import { EmptyNotice, LoadFailure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { ScheduleCard } from "./schedule-card.tsx";
import { useSchedules } from "./use-schedules.ts";
import { WORDS } from "./words.ts";

/** The page that lists all schedules. */
export function SchedulesPage() {
  const say = useWords(WORDS);
  return (
    <Panel title={say("title")} lead={say("lead")} actions={<NewScheduleLink />}>
      <ScheduleList />
    </Panel>
  );
}

/** Schedules are created in conversations. */
function NewScheduleLink() {
  const say = useWords(WORDS);
  return (
    <ButtonLink href={`/?message=${encodeURIComponent(say("example"))}`} look="primary">
      <Plus size={16} aria-hidden />
      {say("add")}
    </ButtonLink>
  );
}

function ScheduleList() {
  const list = useSchedules();
  const { data, error, refetch } = list;
  if (data === undefined)
    return error === null ? <Loading /> : <LoadFailure error={error} onRetry={() => void refetch()} />;
  const all = data.pages.flatMap(({ schedules }) => schedules);
  if (all.length === 0) return <NoSchedules />;
  return (
    <>
      <CardList>
        {[...new Map(all.map((schedule) => [schedule.schedule_id, schedule])).values()].map((schedule) => (
          <ScheduleCard key={schedule.schedule_id} schedule={schedule} />
        ))}
      </CardList>
      <LoadMore list={list} />
    </>
  );
}

function NoSchedules() {
  const say = useWords(WORDS);
  const example = say("example");
  return (
    <EmptyNotice title={say("emptyTitle")}>
      <p>{say("emptyMore")}</p>
      <ButtonLink href={`/?message=${encodeURIComponent(example)}`}>{say("tryExample", { example })}</ButtonLink>
    </EmptyNotice>
  );
}
