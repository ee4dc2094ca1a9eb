-- The id of the request that an act came by, as the log tells it (rule 44).
alter table audit add column request_id text;
