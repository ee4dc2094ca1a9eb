-- How large the file of a backup is; null of those that were made before.
alter table backups add column size_bytes bigint;
