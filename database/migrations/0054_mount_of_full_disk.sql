-- The disk of which an alert tells, by its mount (docs/decisions/185): the fullest since it was at the limit, and null where a process of
-- the release before wrote the check-in.
alter table host_agents add column disk_mount text;
alter table alert_incidents add column mount text;
