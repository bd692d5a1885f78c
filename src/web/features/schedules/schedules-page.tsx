import { Plus } from "lucide-react";
import { useMessages } from "../../session/language.ts";
import { CardList } from "../../ui/card-list.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyNotice, LoadFailure, Loading, LoadMore } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ScheduleCard } from "./schedule-card.tsx";
import { useSchedules } from "./use-schedules.ts";

/** The page that lists all schedules, with a link to a filled-in message that creates a schedule. */
export function SchedulesPage() {
  const t = useMessages("schedules");
  return (
    <Panel title={t("title")} lead={t("lead")} actions={<NewScheduleLink />}>
      <ScheduleList />
    </Panel>
  );
}

/** Schedules are created in conversations. */
function NewScheduleLink() {
  const t = useMessages("schedules");
  return (
    <ButtonLink href={`/?message=${encodeURIComponent(t("example"))}`} look="primary">
      <Plus size={16} aria-hidden />
      {t("add")}
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
  const t = useMessages("schedules");
  const example = t("example");
  return (
    <EmptyNotice title={t("emptyTitle")}>
      <p>{t("emptyMore")}</p>
      <ButtonLink href={`/?message=${encodeURIComponent(example)}`}>{t("tryExample", { example })}</ButtonLink>
    </EmptyNotice>
  );
}
