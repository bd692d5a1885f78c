import type { Schedule } from "../../protocol/schedules/schedule.ts";
import { useWords } from "../language.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { showToast } from "../ui/toast.tsx";
import { useDeleteSchedule } from "./use-schedules.ts";
import { WORDS } from "./words.ts";

/** Asks for confirmation and deletes a schedule; calls `onRemoved` after the deletion. */
export function RemoveScheduleDialog({
  schedule: { schedule_id: id, title },
  onRemoved,
  onClose,
}: {
  readonly schedule: Schedule;
  readonly onRemoved?: () => void;
  readonly onClose: () => void;
}) {
  const say = useWords(WORDS);
  const remove = useDeleteSchedule(id);
  const confirm = async () => {
    await remove(onRemoved);
    showToast(say("removed", { title }));
  };
  return (
    <ConfirmDialog title={say("removeTitle", { title })} action={say("remove")} onConfirm={confirm} onClose={onClose}>
      <p>{say("removeMore")}</p>
    </ConfirmDialog>
  );
}
