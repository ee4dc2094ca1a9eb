-- Messages that came as a mail say so.
alter table ticket_messages add column by_mail boolean not null default false;
