-- How an instance stands by itself: its conversation may go on after it. Null for those that earlier releases have told of.

ALTER TABLE plan_instance ADD COLUMN status TEXT;
ALTER TABLE plan_instance ADD COLUMN ended_at INTEGER;
