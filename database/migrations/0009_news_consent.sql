-- News by mail goes to nobody who has not asked for it.
alter table mail_preferences add column news boolean not null default false;
