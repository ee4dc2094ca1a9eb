-- A canned reply with acts after it is a macro.
alter table canned_replies add column acts jsonb not null default '{}' check (jsonb_typeof(acts) = 'object');
