-- In whose time zone mails tell times; null: the operator's (COMPANY_TIME_ZONE). Checked by the program, whose list of zones it is.
alter table users add column time_zone text check (length(time_zone) between 1 and 64);
