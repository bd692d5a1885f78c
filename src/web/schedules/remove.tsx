import type { Schedule } from "../../protocol/recurring.ts";
import { useWords } from "../language.ts";
import { Confirm } from "../ui/confirm.tsx";
import { toast } from "../ui/toast.tsx";
import { useRemove } from "./use-schedules.ts";
import { WORDS } from "./words.ts";

/** Asks for confirmation and deletes a schedule; calls `onRemoved` after the deletion. */
export function Remove({
  schedule: { schedule_id: id, title },
  onRemoved,
  onClose,
}: {
  readonly schedule: Schedule;
  readonly onRemoved?: () => void;
  readonly onClose: () => void;
}) {
  const say = useWords(WORDS);
  const remove = useRemove(id);
  const confirm = async () => {
    await remove(onRemoved);
    toast(say("removed", { title }));
  };
  return (
    <Confirm title={say("removeTitle", { title })} action={say("remove")} onConfirm={confirm} onClose={onClose}>
      <p>{say("removeMore")}</p>
    </Confirm>
  );
}
