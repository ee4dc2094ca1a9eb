-- The tables of foundation with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- The time of the last list that began. A transaction reads it at its start, and so knows if the lists that its process remembers are all.
create table account_event_epoch (
  is_one boolean default true not null,
  epoch bigint not null,
  constraint account_event_epoch_pkey primary key (is_one),
  constraint account_event_epoch_is_one_check check (is_one)
);
grant select on account_event_epoch to hostdesk_app;

-- The list of an account with a reader. Its row is locked from the first event until the commit, as that of live_cursors is, so that numbers
-- become visible in their order and without holes. The list of the operator has the id of no account, 0. The row stays when nobody reads
-- any more, so that no number is given twice.
create table account_event_lists (
  user_id uuid not null,
  last_seq bigint default 0 not null,
  -- Events before this number were not written, or are undone: a reader who was here before has missed something.
  begins bigint default 0 not null,
  -- Events are written until then: 30 days after the last reading, or for ever where an endpoint reads.
  read_until timestamp with time zone not null,
  -- False until every transaction that began before the list has ended: such a one does not know of it.
  is_settled boolean default false not null,
  epoch bigint not null,
  constraint account_event_lists_pkey primary key (user_id),
  constraint account_event_lists_begins_check check (begins >= 0),
  constraint account_event_lists_last_seq_check check (last_seq >= 0)
);
create index account_event_lists_by_epoch on account_event_lists (epoch);
grant select on account_event_lists to hostdesk_app;

create table account_events (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null,
  -- The public id of the server that the event is about.
  host_id text,
  -- The account that the event is about, in the list of the operator.
  customer_id uuid,
  -- Read behind the lock, so that the times of a list rise with its numbers.
  occurred_at timestamp with time zone default clock_timestamp() not null,
  slot smallint default account_event_slot(now()) not null,
  constraint account_events_data_check check (pg_column_size(data) <= 65536)
) partition by list (slot);
create table account_events_0 partition of account_events (constraint account_events_0_pkey primary key (user_id, seq)) for values in ('0');
create table account_events_1 partition of account_events (constraint account_events_1_pkey primary key (user_id, seq)) for values in ('1');
create table account_events_2 partition of account_events (constraint account_events_2_pkey primary key (user_id, seq)) for values in ('2');
create table account_events_3 partition of account_events (constraint account_events_3_pkey primary key (user_id, seq)) for values in ('3');
create table account_events_4 partition of account_events (constraint account_events_4_pkey primary key (user_id, seq)) for values in ('4');
create table account_events_5 partition of account_events (constraint account_events_5_pkey primary key (user_id, seq)) for values in ('5');
create table account_events_6 partition of account_events (constraint account_events_6_pkey primary key (user_id, seq)) for values in ('6');
create table account_events_7 partition of account_events (constraint account_events_7_pkey primary key (user_id, seq)) for values in ('7');
create index account_events_0_of_customer on account_events_0 (customer_id) where customer_id is not null;
create index account_events_1_of_customer on account_events_1 (customer_id) where customer_id is not null;
create index account_events_2_of_customer on account_events_2 (customer_id) where customer_id is not null;
create index account_events_3_of_customer on account_events_3 (customer_id) where customer_id is not null;
create index account_events_4_of_customer on account_events_4 (customer_id) where customer_id is not null;
create index account_events_5_of_customer on account_events_5 (customer_id) where customer_id is not null;
create index account_events_6_of_customer on account_events_6 (customer_id) where customer_id is not null;
create index account_events_7_of_customer on account_events_7 (customer_id) where customer_id is not null;
grant select on account_events to hostdesk_app;
create trigger account_events_are_append_only before delete or update on account_events for each row execute function keep_account_events();
create trigger account_events_are_append_only before delete or update on account_events_0 for each row execute function keep_account_events();
create trigger account_events_are_append_only before delete or update on account_events_1 for each row execute function keep_account_events();
create trigger account_events_are_append_only before delete or update on account_events_2 for each row execute function keep_account_events();
create trigger account_events_are_append_only before delete or update on account_events_3 for each row execute function keep_account_events();
create trigger account_events_are_append_only before delete or update on account_events_4 for each row execute function keep_account_events();
create trigger account_events_are_append_only before delete or update on account_events_5 for each row execute function keep_account_events();
create trigger account_events_are_append_only before delete or update on account_events_6 for each row execute function keep_account_events();
create trigger account_events_are_append_only before delete or update on account_events_7 for each row execute function keep_account_events();

-- Rows of the list are added, and never changed or deleted but by the erasure of an account.
create function keep_account_events()
 returns trigger
 language plpgsql
as $$
begin
  if tg_op = 'DELETE' and current_setting('app.erased', true) in (old.user_id::text, old.customer_id::text) then
    return old;
  end if;
  if tg_op = 'UPDATE' and current_setting('app.redacts', true) in (old.user_id::text, old.customer_id::text)
    and (old.user_id, old.seq, old.type, old.occurred_at) is not distinct from (new.user_id, new.seq, new.type, new.occurred_at) then
    return new;
  end if;
  raise exception 'account_events is append-only' using errcode = 'insufficient_privilege';
end $$;

-- Amounts that count against a member's allowance. Their sum is read under the lock allowance:<user>; rows are never corrected.
create table allowance_uses (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  act text not null,
  -- Minor units.
  amount bigint not null,
  at timestamp with time zone default now() not null,
  constraint allowance_uses_pkey primary key (id),
  constraint allowance_uses_user_id_fkey foreign key (user_id) references users(id),
  constraint allowance_uses_amount_check check (amount > 0)
);
create index allowance_uses_of_member on allowance_uses (user_id, act, at);
grant insert, select on allowance_uses to hostdesk_app;
alter table allowance_uses enable row level security;
alter table allowance_uses force row level security;
create policy deleted_by_owner on allowance_uses for delete using (actor_owns(user_id));
create policy inserted_by_owner on allowance_uses for insert with check (actor_owns(user_id));
create policy readable on allowance_uses for select using (true);
create policy updated_by_owner on allowance_uses for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger allowance_uses_are_append_only before delete or update on allowance_uses for each row execute function refuse_change();
create trigger allowance_uses_are_not_truncated before truncate on allowance_uses for each statement execute function refuse_change();

create table approvals (
  id uuid default gen_random_uuid() not null,
  -- The name of the permission that the action needs.
  act text not null,
  customer_id uuid,
  amount bigint,
  -- The input of the action, besides customer, amount and reason.
  input jsonb not null,
  why text not null,
  -- The facts that the member who asks shares with the customer, as they were then.
  links text[] default '{}'::text[] not null,
  reason text not null,
  proposed_by uuid not null,
  -- Whole milliseconds, which cursors hold.
  proposed_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  expires_at timestamp with time zone not null,
  status text default 'proposed'::text not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  note text,
  result jsonb,
  -- The code by which the action's own rules refused it.
  failure text,
  constraint approvals_pkey primary key (id),
  constraint approvals_customer_id_fkey foreign key (customer_id) references users(id),
  constraint approvals_decided_by_fkey foreign key (decided_by) references users(id),
  constraint approvals_proposed_by_fkey foreign key (proposed_by) references users(id),
  constraint approvals_amount_check check (amount > 0),
  constraint approvals_check check (decided_by <> proposed_by),
  constraint approvals_check1 check ((status = 'proposed'::text) = (decided_at is null)),
  constraint approvals_check2 check ((status = any (array['approved'::text, 'failed'::text, 'refused'::text])) = (decided_by is not null)),
  constraint approvals_check3 check ((status = 'failed'::text) = (failure is not null)),
  constraint approvals_status_check check (status = any (array['proposed'::text, 'approved'::text, 'failed'::text, 'refused'::text, 'withdrawn'::text, 'expired'::text])),
  constraint approvals_why_check check (why = any (array['allowance'::text, 'day'::text, 'linked'::text, 'always'::text]))
);
create unique index approval_proposed_once on approvals (act, customer_id, amount, md5(input::text)) nulls not distinct where status = 'proposed'::text;
create index approvals_of_customer on approvals (customer_id);
create index approvals_of_proposer on approvals (proposed_by, proposed_at);
create index approvals_waiting_first on approvals ((status = 'proposed'::text), proposed_at, id);
grant insert, select on approvals to hostdesk_app;
alter table approvals enable row level security;
alter table approvals force row level security;
create policy deleted_by_owner on approvals for delete using (actor_owns(customer_id));
create policy inserted_by_owner on approvals for insert with check (actor_owns(customer_id));
create policy readable on approvals for select using (true);
create policy updated_by_owner on approvals for update using (actor_owns(customer_id)) with check (actor_owns(customer_id));
create trigger approvals_are_decided_once before update on approvals for each row execute function guard_approval();
create trigger approvals_are_kept before delete on approvals for each row execute function refuse_change();
create trigger approvals_are_not_truncated before truncate on approvals for each statement execute function refuse_change();
create trigger no_robot before update of decided_by on approvals for each row execute function refuse_robot('decided_by');

-- A row leaves `proposed` once, and nothing else of it ever changes: two who decide at once meet here at the latest.
create function guard_approval()
 returns trigger
 language plpgsql
as $$
begin
  if old.status <> 'proposed' or new.status = 'proposed' then
    raise exception 'an approval is decided once' using errcode = 'restrict_violation';
  end if;
  if (new.id, new.act, new.customer_id, new.amount, new.input, new.why, new.links, new.reason, new.proposed_by, new.proposed_at,
    new.expires_at) is distinct from (old.id, old.act, old.customer_id, old.amount, old.input, old.why, old.links, old.reason,
    old.proposed_by, old.proposed_at, old.expires_at)
  then
    raise exception 'a proposal does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Allowed attempts of a sliding window. Counted by one statement under the row's lock: exact under concurrency.
create table attempts (
  bucket bytea not null,
  hits timestamp with time zone[] not null,
  allowed boolean not null,
  expires_at timestamp with time zone not null,
  constraint attempts_pkey primary key (bucket)
);
create index attempts_by_age on attempts (expires_at);
grant delete, insert, select, update on attempts to hostdesk_app;

-- Security acts, never changed afterwards. Owned by foundation/server/audit.
create table audit (
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  user_id uuid,
  act text not null,
  ip inet,
  user_agent text,
  detail jsonb default '{}'::jsonb not null,
  -- The id of the request that an act came by, as the log tells it (rule 44).
  request_id text,
  -- The account that acted; null for the command line, the product itself, and people who had proven nothing.
  actor_id uuid,
  -- Named by a trigger, as actor_id is, whatever a statement says.
  actor_kind text default 'system'::text not null,
  constraint audit_pkey primary key (id),
  constraint audit_actor_kind_check check (actor_kind = any (array['self'::text, 'staff'::text, 'customer'::text, 'cli'::text, 'system'::text, 'stranger'::text]))
);
create index audit_by_act on audit (act, at, id);
create index audit_by_actor_id on audit (actor_id, at, id) where actor_id is not null;
create index audit_by_ip on audit (ip, at, id) where ip is not null;
create index audit_by_time on audit (at, id);
create index audit_of_user_by_time on audit (user_id, at, id);
create index audit_with_origin on audit (at) where ip is not null;
grant insert, select on audit to hostdesk_app;
create trigger audit_is_append_only before delete or update on audit for each row execute function keep_audit();
create trigger audit_is_not_truncated before truncate on audit for each statement execute function refuse_change();
create trigger audit_names_its_actor before insert on audit for each row execute function name_actor();

-- Nothing of a row changes, but that its origin is forgotten after 400 days.
create function keep_audit()
 returns trigger
 language plpgsql
as $$
begin
  if tg_op = 'UPDATE' and old.at < now() - interval '400 days' and new.ip is null and new.user_agent is null
    and to_jsonb(new) - '{ip,user_agent}'::text[] = to_jsonb(old) - '{ip,user_agent}'::text[]
  then
    return new;
  end if;
  raise exception 'audit is append-only' using errcode = 'insufficient_privilege';
end $$;

-- Names the actor of each act, whoever writes the row.
create function name_actor()
 returns trigger
 language plpgsql
as $$
declare
  -- `act_for` names who acts for another account; others are named in the detail.
  named text := coalesce(nullif(current_setting('app.person', true), ''), new.detail ->> 'by');
begin
  if named = 'command line' then
    new.actor_kind := 'cli';
  elsif named !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    -- An act that happens by itself names the product.
    new.actor_kind := 'system';
  elsif named is not null then
    new.actor_id := named::uuid;
    new.actor_kind := case
      when new.actor_id = new.user_id then 'self'
      when coalesce(current_setting('app.person', true), '') = ''
        and exists (select from users where id = new.actor_id and is_staff) then 'staff'
      else 'customer' end;
  elsif new.act in ('login.refused', 'password.locked', 'code.refused', 'code.locked', 'passkey.refused') then
    new.actor_kind := 'stranger';
  elsif new.user_id is not null and new.ip is not null then
    new.actor_id := new.user_id;
    new.actor_kind := 'self';
  else
    new.actor_kind := 'system';
  end if;
  return new;
end $$;

create table backups (
  id bigint generated always as identity not null,
  made_at timestamp with time zone not null,
  -- As the command or the settings named it, on the machine that wrote it.
  file text not null,
  row_count bigint not null,
  file_count bigint not null,
  size_bytes bigint not null,
  constraint backups_pkey primary key (id)
);
create index backups_made_at on backups (made_at);
grant select on backups to hostdesk_app;

-- A row is written in the transaction of the effect itself: both stand, or neither. Two calls with one key meet at the
-- primary key, where the second waits for the first and then answers as it did.
create table idempotency_keys (
  user_id uuid not null,
  key text not null,
  -- SHA-256 of method, path and body: the same key for something else is a mistake of the caller.
  request_hash bytea not null,
  status smallint,
  body jsonb,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_pkey primary key (user_id, key),
  constraint idempotency_keys_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint idempotency_keys_key_check check (length(key) >= 1 and length(key) <= 255)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
grant delete, insert, select, update on idempotency_keys to hostdesk_app;
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy deleted_by_owner on idempotency_keys for delete using (actor_owns(user_id));
create policy inserted_by_owner on idempotency_keys for insert with check (actor_owns(user_id));
create policy readable on idempotency_keys for select using (true);
create policy updated_by_owner on idempotency_keys for update using (actor_owns(user_id)) with check (actor_owns(user_id));

-- A row names who gave a role to whom without a second owner (docs/decisions/066). Owned by foundation/server/approvals.
create table introductions (
  id bigint generated always as identity not null,
  member_id uuid not null,
  by_id uuid not null,
  at timestamp with time zone default now() not null,
  constraint introductions_pkey primary key (id),
  constraint introductions_by_id_fkey foreign key (by_id) references users(id) on delete cascade,
  constraint introductions_member_id_fkey foreign key (member_id) references users(id) on delete cascade,
  constraint introductions_check check (member_id <> by_id)
);
create index introductions_by_author on introductions (by_id, at);
create index introductions_by_member on introductions (member_id, at);
grant insert, select on introductions to hostdesk_app;

-- The processes that run jobs now. Each holds the advisory lock of its number for as long as it lives, so that the
-- death of one (kill -9, power) is seen by the others, and what it had taken is given back within seconds.
create table job_processes (
  id uuid not null,
  lock_number integer generated always as identity not null,
  -- The time at which the lock was first found free. A lost connection is not a death: it is taken again within a second.
  missed_at timestamp with time zone,
  started_at timestamp with time zone default now() not null,
  constraint job_processes_pkey primary key (id),
  constraint job_processes_lock_number_key unique (lock_number)
);
grant select on job_processes to hostdesk_app;

create table jobs (
  id bigint generated always as identity not null,
  name text not null,
  payload jsonb not null,
  -- The last of several that were asked for under one key stands.
  key text,
  run_at timestamp with time zone not null,
  -- Counted when it is taken, so that a job that kills its process is given up in the end.
  attempts integer default 0 not null,
  max_attempts integer not null,
  -- The process (`job_processes.id`) that does it now.
  taken_by uuid,
  taken_at timestamp with time zone,
  last_error text,
  -- Each class has places of its own (rule 48).
  class text not null,
  constraint jobs_pkey primary key (id),
  constraint jobs_key_key unique (key)
);
create index jobs_given_up on jobs (name) where taken_by is null and attempts >= max_attempts;
create index jobs_taken on jobs (taken_by) where taken_by is not null;
create index jobs_waiting_by_class on jobs (class, run_at, id) where taken_by is null and attempts < max_attempts;

-- Settings that owners have changed on a page: they win over those of the environment. Each change of a section is a row; version 1 of a
-- section is what the environment says.
create table kept_settings (
  section text not null,
  version integer not null,
  -- All that is kept of this section, by the names of the settings; a setting that is not in it is that of the environment.
  settings jsonb not null,
  -- The member who changed it; null for the command line.
  changed_by uuid,
  changed_at timestamp with time zone default now() not null,
  constraint kept_settings_pkey primary key (section, version),
  constraint kept_settings_changed_by_fkey foreign key (changed_by) references users(id),
  constraint kept_settings_section_check check (section ~ '^[a-z_]{1,40}$'::text),
  constraint kept_settings_settings_check check (jsonb_typeof(settings) = 'object'::text),
  constraint kept_settings_version_check check (version > 1)
);
grant insert, select on kept_settings to hostdesk_app;
create trigger kept_settings_are_append_only before delete or update on kept_settings for each row execute function refuse_change();
create trigger kept_settings_are_not_truncated before truncate on kept_settings for each statement execute function refuse_change();

-- The newest number of each customer's log. Its row is locked from the first event until the commit, so that numbers
-- become visible in their order and without holes. A reader's cursor over a plain sequence would jump over
-- numbers that are given out but not committed yet.
create table live_cursors (
  user_id uuid not null,
  last_seq bigint not null,
  constraint live_cursors_pkey primary key (user_id)
);
grant delete, insert, select, update on live_cursors to hostdesk_app;

create table live_events (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  payload jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  -- The customer of a ticket is never sent what staff are told of it, also where that customer is staff.
  hidden_from uuid,
  slot smallint default live_slot(now()) not null
) partition by list (slot);
create table live_events_0 partition of live_events (constraint live_events_0_pkey primary key (user_id, seq)) for values in ('0');
create table live_events_1 partition of live_events (constraint live_events_1_pkey primary key (user_id, seq)) for values in ('1');
create table live_events_2 partition of live_events (constraint live_events_2_pkey primary key (user_id, seq)) for values in ('2');
create table live_events_3 partition of live_events (constraint live_events_3_pkey primary key (user_id, seq)) for values in ('3');
grant delete, insert, select, update on live_events to hostdesk_app;

-- A mail owed is a row written in the transaction of the act it tells of. No row-level security: a mail may go to
-- somebody who has no account, or to another than the one who acts.
create table mails (
  -- The Message-ID too, so that a second delivery after a crash can be recognised as the same mail.
  id uuid default gen_random_uuid() not null,
  user_id uuid,
  to_address text not null,
  letter text not null,
  locale text not null,
  -- Sealed, for it holds keys that reset passwords: a dump of the database must not open accounts. Null once sent.
  content text,
  -- 'kept': there is no mail server; readable at /dev/mail/.
  state text default 'owed'::text not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  leased_by uuid,
  leased_until timestamp with time zone,
  last_error text,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  -- The class of its template, which its job gets at each try.
  class text not null,
  -- Mails that the mail server did not take because it was away itself, since their last try. When it is back they go at once.
  awaits_server_since timestamp(3) with time zone,
  constraint mails_pkey primary key (id),
  constraint mails_user_id_fkey foreign key (user_id) references users(id) on delete set null,
  constraint mails_locale_check check (locale = any (array['en'::text, 'de'::text, 'ru'::text])),
  constraint mails_state_check check (state = any (array['owed'::text, 'sending'::text, 'sent'::text, 'dead'::text, 'kept'::text])),
  constraint mails_to_address_check check (length(to_address) <= 320)
);
create index mails_awaiting_server on mails (created_at) where awaits_server_since is not null;
create index mails_by_address on mails (to_address, created_at);
create index mails_by_age on mails (created_at);
create index mails_by_user on mails (user_id, created_at desc, id desc) where user_id is not null;
create index mails_dead on mails (created_at) where state = 'dead'::text;
create index mails_due on mails (next_at) where state = any (array['owed'::text, 'sending'::text]);
grant delete, insert, select, update on mails to hostdesk_app;

create table migrations (
  name text not null,
  hash text not null,
  ran_at timestamp with time zone default now() not null,
  constraint migrations_pkey primary key (name)
);
grant select on migrations to hostdesk_app;

-- Things a running process noticed about its surroundings, for `hostdesk doctor`. Owned by foundation/server/operation.
create table observations (
  name text not null,
  seen_at timestamp with time zone default now() not null,
  constraint observations_pkey primary key (name)
);
grant insert, select, update on observations to hostdesk_app;

-- Figures about the whole installation, read by one process for all of them. Owned by foundation/server/operation.
create table operation_figures (
  -- One row.
  name text not null,
  -- A process that takes the reading upon itself writes the time first, so that no other reads meanwhile.
  claimed_at timestamp with time zone not null,
  read_at timestamp with time zone,
  figures jsonb,
  constraint operation_figures_pkey primary key (name)
);
grant insert, select, update on operation_figures to hostdesk_app;

-- Events of the operator's list wait until a reader numbers them (docs/decisions/184): an act adds a row and locks nothing, so that acts of
-- different customers do not take turns. The ids rise with the acts of an account; a gap, or one that becomes visible late, is no harm.
create table operator_events_waiting (
  id bigint generated always as identity not null,
  type text not null,
  data jsonb not null,
  host_id text,
  customer_id uuid,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  constraint operator_events_waiting_pkey primary key (id),
  constraint operator_events_waiting_data_check check (pg_column_size(data) <= 65536)
);
create index operator_events_waiting_of_customer on operator_events_waiting (customer_id);
grant select on operator_events_waiting to hostdesk_app;

-- A half-finished login has a table and a kind of token of its own, so that what loads sessions cannot read it.
-- user_id is null where there is no account behind it: a passkey challenge, or a sign-up with a taken address.
create table pending_logins (
  token_hash bytea not null,
  user_id uuid,
  stage text not null,
  email text,
  methods jsonb default '[]'::jsonb not null,
  scratch jsonb default '{}'::jsonb not null,
  stage_at timestamp with time zone default now() not null,
  written_at timestamp with time zone default now() not null,
  constraint pending_logins_pkey primary key (token_hash),
  constraint pending_logins_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint pending_logins_stage_check check (stage = any (array['none'::text, 'verify_email'::text, 'mfa_authenticate'::text]))
);
create index pending_logins_by_age on pending_logins (written_at);
create index pending_logins_of_user on pending_logins (user_id);
grant delete, insert, select, update on pending_logins to hostdesk_app;

create table refresh_tokens (
  token_hash bytea not null,
  session_id bigint not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  -- A refresh token names the one it replaced, so that a lost answer can be given again (decision 026). One successor each.
  parent_hash bytea,
  issued_at timestamp with time zone default now() not null,
  constraint refresh_tokens_pkey primary key (token_hash),
  constraint refresh_tokens_parent_hash_key unique (parent_hash),
  constraint refresh_tokens_session_id_fkey foreign key (session_id) references sessions(id) on delete cascade
);
create index refresh_tokens_of_session on refresh_tokens (session_id);
grant delete, insert, select, update on refresh_tokens to hostdesk_app;

-- The fingerprint of SECRET_KEY, so that a process with another key does not start. Owned by foundation/server/key-change.
create table secret_keys (
  fingerprint text not null,
  made_at timestamp with time zone default now() not null,
  retired_at timestamp with time zone,
  -- The part of a retired key that hashes short secrets that are kept nowhere in clear (vouchers), sealed with the present key.
  digests text,
  constraint secret_keys_pkey primary key (fingerprint)
);
create unique index secret_keys_present on secret_keys ((retired_at is null)) where retired_at is null;
grant select on secret_keys to hostdesk_app;

create table sessions (
  id bigint generated always as identity not null,
  user_id uuid not null,
  token_hash bytea not null,
  -- Raised whenever the token is rotated, so that the access tokens that it gave are dead at once.
  generation integer default 1 not null,
  methods jsonb default '[]'::jsonb not null,
  -- Kept by a step for the next one: a TOTP secret to confirm (sealed), a passkey challenge.
  scratch jsonb default '{}'::jsonb not null,
  ip inet not null,
  user_agent text not null,
  created_at timestamp with time zone default now() not null,
  written_at timestamp with time zone default now() not null,
  constraint sessions_pkey primary key (id),
  constraint sessions_token_hash_key unique (token_hash),
  constraint sessions_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index sessions_by_age on sessions (written_at);
create index sessions_by_start on sessions (created_at);
create index sessions_of_user on sessions (user_id);
grant delete, insert, select, update on sessions to hostdesk_app;
alter table sessions enable row level security;
alter table sessions force row level security;
create policy deleted_by_owner on sessions for delete using (actor_owns(user_id));
create policy inserted_by_owner on sessions for insert with check (actor_owns(user_id));
create policy readable on sessions for select using (true);
create policy updated_by_owner on sessions for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create trigger no_robot before insert on sessions for each row execute function refuse_robot('user_id');

create table users (
  id uuid default gen_random_uuid() not null,
  -- The primary address, lower-cased. Kept in step by the owner of email_addresses.
  email text not null,
  locale text default 'en'::text not null,
  is_staff boolean default false not null,
  is_active boolean default true not null,
  -- The proofs that the account has, kept by the owner of passwords and authenticators.
  has_password boolean default false not null,
  factors text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  last_login_at timestamp with time zone,
  -- Accounts of the example people, whose passwords are in the README. Production refuses them (rule 39).
  is_example boolean default false not null,
  -- In whose time zone mails tell times; null: the operator's (COMPANY_TIME_ZONE). Checked by the program, whose list of zones it is.
  time_zone text,
  -- Roles of staff: a fixed set, whose permissions stand in the contracts of the calls.
  staff_roles text[] default '{}'::text[] not null,
  access text default 'open'::text not null,
  -- The customer reads this text.
  access_message text default ''::text not null,
  -- The page on which a member of staff begins. Everybody else begins with the list of servers.
  first_page text default 'servers'::text not null,
  -- Robots: members of staff that are no person, with tokens of their own and nothing to sign in with (docs/decisions/179).
  kind text default 'person'::text not null,
  constraint users_pkey primary key (id),
  constraint access_is_known check (access = any (array['open'::text, 'blocked'::text, 'locked'::text])),
  constraint first_page_is_known check (first_page = any (array['servers'::text, 'tickets'::text, 'today'::text])),
  constraint kind_is_known check (kind = any (array['person'::text, 'robot'::text])),
  constraint robots_prove_nothing check (kind = 'person'::text or not has_password and factors = '{}'::text[] and not ('owner'::text = any (staff_roles))),
  constraint staff_roles_are_staff check ((cardinality(staff_roles) > 0) = is_staff),
  constraint staff_roles_known check (staff_roles <@ '{support,billing,admin,owner}'::text[]),
  constraint users_access_message_check check (length(access_message) <= 2000),
  constraint users_email_check check (email = lower(email) and length(email) <= 254),
  constraint users_locale_check check (locale = any (array['en'::text, 'de'::text, 'ru'::text])),
  constraint users_time_zone_check check (length(time_zone) >= 1 and length(time_zone) <= 64)
);
create index example_users on users (id) where is_example;
create index users_by_last_login on users (last_login_at, id) where last_login_at is not null;
create index users_not_open on users (created_at, id) where access <> 'open'::text;
create index users_of_staff on users (id) where is_staff;
create index users_without_address on users (id) where email ~~ '%@unproven.invalid'::text;
grant delete, insert, select, update on users to hostdesk_app;
alter table users enable row level security;
alter table users force row level security;
create policy deleted_by_owner on users for delete using (actor_owns(id));
create policy inserted_by_owner on users for insert with check (actor_owns(id));
create policy readable on users for select using (true);
create policy updated_by_owner on users for update using (actor_owns(id)) with check (actor_owns(id));
create trigger keep_access before update of access on users for each row when (new.access is distinct from old.access) execute function keep_access();
create trigger keep_kind before update of kind on users for each row when (new.kind <> old.kind) execute function keep_kind();
create trigger keep_staff_roles before update of staff_roles on users for each row execute function keep_staff_roles();
create trigger owner_stays before update of staff_roles, is_active on users for each row when (old.is_active and ('owner'::text = any (old.staff_roles)) and not old.is_example and not (new.is_active and ('owner'::text = any (new.staff_roles)))) execute function keep_an_owner();

-- Written by `system` only: the attack is a statement that writes a customer's own row with fields that they chose.
create function keep_access()
 returns trigger
 language plpgsql
as $$
begin
  if current_setting('app.actor', true) is distinct from 'system' then
    raise exception 'access is given by the system only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- The last owner stays: taking the role or the account of the only one is refused, whatever statement tries it. Two owners
-- who revoke each other take turns at the lock. Example people may go.
create function keep_an_owner()
 returns trigger
 language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('staff owners', 0));
  if not exists (select from users where is_staff and is_active and 'owner' = any (staff_roles) and id <> old.id) then
    raise exception 'the last owner stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create function keep_kind()
 returns trigger
 language plpgsql
as $$
begin
  raise exception 'a person stays one, and a robot' using errcode = 'insufficient_privilege';
end $$;

-- A role is added by `system` only: the attack is a statement that writes a customer's own row with fields that they chose.
create function keep_staff_roles()
 returns trigger
 language plpgsql
as $$
begin
  if not new.staff_roles <@ old.staff_roles and current_setting('app.actor', true) is distinct from 'system' then
    raise exception 'roles are given by the system only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- Accounts that members of staff look at as their customers see them. An open view is a row here; that there was one stays in the audit.
-- Owned by foundation/server/session.
create table view_sessions (
  id uuid default gen_random_uuid() not null,
  member_id uuid not null,
  -- With the session ends the view: whoever takes rights away, or signs out, ends it without knowing of it.
  session_id bigint not null,
  customer_id uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint view_sessions_pkey primary key (id),
  constraint view_sessions_customer_id_fkey foreign key (customer_id) references users(id) on delete cascade,
  constraint view_sessions_member_id_fkey foreign key (member_id) references users(id) on delete cascade,
  constraint view_sessions_session_id_fkey foreign key (session_id) references sessions(id) on delete cascade,
  constraint view_sessions_check check (member_id <> customer_id)
);
create index view_sessions_of_customer on view_sessions (customer_id);
create index view_sessions_of_member on view_sessions (member_id);
create index view_sessions_of_session on view_sessions (session_id);
grant delete, insert, select on view_sessions to hostdesk_app;
alter table view_sessions enable row level security;
alter table view_sessions force row level security;
create policy deleted_by_owner on view_sessions for delete using (actor_owns(member_id));
create policy inserted_by_owner on view_sessions for insert with check (actor_owns(member_id));
create policy readable on view_sessions for select using (true);
create policy updated_by_owner on view_sessions for update using (actor_owns(member_id)) with check (actor_owns(member_id));

-- Transactions read the epoch by this name alone, so that those that have read it are known by their locks.
create view known_event_epoch as
 select epoch
   from account_event_epoch;
grant select on known_event_epoch to hostdesk_app;

-- Events are kept for 30 days at least, in a ring of eight parts of five days that are written in turn, as live_events are (decision 061).
create function account_event_slot(at timestamp with time zone)
 returns smallint
 language sql
 stable parallel safe
as $$
  select (extract(epoch from at)::bigint / 432000 % 8)::smallint
$$;

-- For whom the transaction writes: a user's id, 'system', or nobody (then no row may be written).
create function actor_owns(owner uuid)
 returns boolean
 language sql
 stable
as $$
  select current_setting('app.actor', true) in ('system', owner::text)
$$;

-- Gives the application exactly the named rights on a table.
create function allow_app(table_name text, rights text)
 returns void
 language plpgsql
as $$
begin
  if exists (select from pg_roles where rolname = 'hostdesk_app') then
    execute format('grant %s on %I to hostdesk_app', rights, table_name);
  end if;
end $$;

-- Rows of the table are added, and never changed or deleted.
create function append_only(table_name text)
 returns void
 language plpgsql
as $$
begin
  execute format('create trigger %I before delete or update on %I for each row execute function refuse_change()',
    table_name || '_are_append_only', table_name);
  execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()',
    table_name || '_are_not_truncated', table_name);
end $$;

-- Keeps a list written for 30 days more, or begins it. Returns true if the caller has to wait for older transactions. A list that nobody
-- read for so long that it ended skips a number: a reader who comes back with an older one has missed something, and is told so.
create function begin_account_events(owner uuid)
 returns boolean
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
declare
  until timestamptz := now() + interval '30 days';
  list public.account_event_lists;
  next_epoch bigint;
begin
  insert into public.account_event_lists (user_id, read_until, epoch) values (owner, '-infinity', 0) on conflict do nothing;
  select * into list from public.account_event_lists where user_id = owner for update;
  if list.read_until > now() + interval '1 hour' then
    update public.account_event_lists set read_until = greatest(read_until, until) where user_id = owner;
    return not list.is_settled;
  end if;
  -- The epoch rises with the clock too, so that none is given twice by a database that went back to an earlier state.
  update public.account_event_epoch
  set epoch = greatest(epoch + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint) returning epoch into next_epoch;
  update public.account_event_lists
  set read_until = until, is_settled = false, epoch = next_epoch,
    last_seq = last_seq + (case when list.epoch = 0 then 0 else 1 end), begins = last_seq + (case when list.epoch = 0 then 0 else 1 end)
  where user_id = owner;
  return true;
end $$;

-- Begins a transaction of an actor for an account, which is not deleted before the commit. A call that waited for the deletion of its account
-- ends here: the code is read by foundation/server/database/transaction.ts.
create function begin_for(actor text, account uuid)
 returns void
 language plpgsql
as $$
begin
  perform set_config('app.actor', actor, true);
  perform from users where id = account and is_active for key share;
  if not found then
    raise exception 'the account % is not active', account using errcode = 'HD401';
  end if;
end $$;

-- Counts the edits of a row in its `version` (rule 45).
create function count_edit()
 returns trigger
 language plpgsql
as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

create function drop_failed_job(job_id bigint)
 returns text
 language sql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
  delete from public.jobs j
  where j.id = job_id and j.taken_by is null and j.max_attempts > 0 and j.attempts >= j.max_attempts returning j.name
$$;

-- A job that was asked for anew while it runs is told by its attempts from one that used up all of them: when its process dies, the
-- one is removed, and the other is shown as given up.
create function enqueue_job(name text, payload jsonb, run_at timestamp with time zone, key text, max_attempts integer, class text)
 returns void
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
begin
  loop
    insert into public.jobs as waiting (name, payload, run_at, key, max_attempts, class)
    values (enqueue_job.name, coalesce(enqueue_job.payload, '{}'), enqueue_job.run_at, enqueue_job.key,
      coalesce(enqueue_job.max_attempts, 25), enqueue_job.class)
    on conflict on constraint jobs_key_key do update
      set name = excluded.name, payload = excluded.payload, run_at = excluded.run_at,
        class = excluded.class, max_attempts = excluded.max_attempts, attempts = 0, last_error = null
      where waiting.taken_by is null;
    exit when found;
    -- One that runs keeps running, but is not tried again: what was asked for now stands in its place, and
    -- with no attempts at all it can be told from one that used up its own.
    update public.jobs j set key = null, max_attempts = 0
      where j.key = enqueue_job.key and j.taken_by is not null;
  end loop;
  -- A later one is found by the polls; commits that notify take turns.
  if enqueue_job.run_at <= clock_timestamp() + interval '1 second' then
    perform pg_notify('jobs', '');
  end if;
end $$;

-- Erases what the lists hold of an account: its own list, and its events in the list of the operator.
create function erase_account_events(account uuid)
 returns void
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
begin
  perform set_config('app.erased', account::text, true);
  delete from public.operator_events_waiting where customer_id = account;
  delete from public.account_events where user_id = account;
  delete from public.account_events where customer_id = account;
  update public.account_event_lists set read_until = now() where user_id = account and read_until > now();
  perform set_config('app.erased', '', true);
end $$;

-- Without the payload: it may hold keys.
create function failed_jobs()
 returns table(id bigint, name text, attempts integer, last_error text)
 language sql
 stable security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
  select j.id, j.name, j.attempts, j.last_error from public.jobs j
  where j.taken_by is null and j.max_attempts > 0 and j.attempts >= j.max_attempts order by j.id desc limit 100
$$;

-- Text as people search for it: case, accents, ß, apostrophes, hyphens and kinds of blanks make no difference. The same functions in
-- TypeScript are in foundation/search-text.ts.
create function fold_text(value text)
 returns text
 language plpgsql
 immutable parallel safe strict
as $$
declare
  gone constant text := E'''`\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201a\u201b\u2032\uff07\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d-';
  letters text := case when octet_length(value) = length(value) then translate(value, '''`-', '') else translate(value, gone, '') end;
begin
  if octet_length(letters) <> length(letters) then
    letters := lower(regexp_replace(normalize(letters, nfkd), '[\u0300-\u036f\u200b-\u200f\u2060\ufeff]', '', 'g'));
    letters := replace(replace(replace(replace(letters, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    letters := translate(letters, 'ıłøđðħς', 'iloddhσ');
  else
    letters := lower(letters);
  end if;
  return btrim(regexp_replace(letters, '[ \t\n\v\f\r\u0085\u1680\u2028\u2029]+', ' ', 'g'), ' ');
end $$;

-- Forgets the origins of the oldest rows, 5,000 at once, and returns of how many. The application has no right to change the table itself.
create function forget_old_origins()
 returns integer
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
declare
  forgotten integer;
begin
  update public.audit set ip = null, user_agent = null where id in (
    select id from public.audit where ip is not null and at < now() - interval '400 days' order by at limit 5000);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

-- The name as staff read and search it.
create function full_name(name text, middle_name text, surname text)
 returns text
 language sql
 immutable parallel safe
as $$
  select name || ' ' || case when middle_name = '' then '' else middle_name || ' ' end || surname
$$;

-- One address, or a /64 as a prefix: most hosters give a server one. None that stands for an IPv4 (::/96, ::ffff:0:0/96), or one
-- machine would have two licences.
create function is_licensable_ipv6(address inet)
 returns boolean
 language sql
 immutable
as $$
  select family(address) = 6 and not address && inet '::/96' and not address && inet '::ffff:0:0/96'
    and (masklen(address) = 128 or (masklen(address) = 64 and address = network(address)::inet))
$$;

create function keep_account_events_read(owner uuid, forever boolean)
 returns void
 language sql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
  update public.account_event_lists
  set read_until = case when forever then 'infinity' else now() + interval '30 days' end where user_id = owner
$$;

-- Events are kept for an hour, and most of what a table of them costs is to remove them again (decision 061). They lie in a ring of
-- four parts, half an hour each, and the part that comes next is emptied at once. All parts are there from the start,
-- so that no write depends on one that is made in time.
create function live_slot(at timestamp with time zone)
 returns smallint
 language sql
 stable parallel safe
as $$
  select (extract(epoch from at)::bigint / 1800 % 4)::smallint
$$;

-- Locks a list that has begun, and returns its newest number. What waits for a number comes before a reader who begins now.
create function lock_account_events(owner uuid)
 returns bigint
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
declare
  newest bigint;
begin
  if owner = '00000000-0000-0000-0000-000000000000' then
    perform from public.account_event_lists where user_id = owner for update;
    while public.number_operator_events() > 0 loop
    end loop;
  end if;
  select last_seq into newest from public.account_event_lists where user_id = owner and read_until > now() for update;
  return newest;
end $$;

-- True for a person through whose grant others may act: an open account, with a second factor where the grant asks for one.
create function may_pass(person uuid, needs_second_factor boolean)
 returns boolean
 language sql
 stable
as $$
  select exists (
    select from users u where u.id = person and u.is_active and u.access = 'open'
      and (not needs_second_factor or u.factors && array['totp', 'webauthn']))
$$;

-- Numbers up to a thousand events that wait, and returns how many. Only committed ones are seen, and an act that follows another of its account
-- has the higher id, so the order of each account is kept. Where another process numbers already, this one does nothing. The times
-- of the list rise with its numbers.
create function number_operator_events()
 returns integer
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
declare
  operator constant uuid := '00000000-0000-0000-0000-000000000000';
  newest timestamptz;
  numbered integer;
begin
  perform from public.account_event_lists where user_id = operator for update skip locked;
  if not found then
    return 0;
  end if;
  select occurred_at into newest from public.account_events where user_id = operator order by seq desc limit 1;
  with taken as (
    delete from public.operator_events_waiting
    where id in (select id from public.operator_events_waiting order by id limit 1000) returning *),
  list as (
    update public.account_event_lists set last_seq = last_seq + (select count(*) from taken)
    where user_id = operator returning last_seq)
  insert into public.account_events (user_id, seq, type, data, host_id, customer_id, occurred_at)
  select operator, last_seq - count(*) over () + row_number() over (order by id), type, data, host_id, customer_id,
    greatest(newest, max(occurred_at) over (order by id))
  from taken cross join list;
  get diagnostics numbered = row_count;
  return numbered;
end $$;

-- The parts of a text that are one, two or three letters long, in small letters. A text contains another only if it has all of its parts,
-- which an index can tell.
create function parts_of(value text)
 returns text[]
 language plpgsql
 immutable parallel safe strict cost 1000
as $$
declare
  letters text := lower(value);
  parts text[] := string_to_array(letters, null);
begin
  -- In a loop, since every change of a name writes an index of its parts, and a query of all places and sizes takes longer.
  for place in 1 .. length(letters) - 1 loop
    parts := array_append(parts, substr(letters, place, 2));
    parts := array_append(parts, substr(letters, place, 3));
  end loop;
  return parts;
end $$;

-- For which payer the transaction writes (docs/decisions/106).
create function payer_owns(owner uuid)
 returns boolean
 language sql
 stable
as $$
  select coalesce(current_setting('app.payer', true) = owner::text, false)
$$;

-- Reads are filtered by owner in queries.ts; writes are checked here a second time (see docs/decisions).
create function protect_rows(table_name text, owner_column text)
 returns void
 language plpgsql
as $$
begin
  execute format('alter table %I enable row level security', table_name);
  execute format('alter table %I force row level security', table_name);
  execute format('create policy readable on %I for select using (true)', table_name);
  execute format('create policy inserted_by_owner on %I for insert with check (actor_owns(%I))', table_name, owner_column);
  execute format('create policy updated_by_owner on %I for update using (actor_owns(%I)) with check (actor_owns(%I))',
    table_name, owner_column, owner_column);
  execute format('create policy deleted_by_owner on %I for delete using (actor_owns(%I))', table_name, owner_column);
end $$;

-- The application has no rights on the queue; how much is in it, it may know. Only what is due is counted, and at most
-- 100,000 jobs: the rest waits for its time, and there is as much of it as there are customers.
create function queue_figures()
 returns table(name text, due bigint, oldest_s double precision, running bigint, given_up bigint)
 language sql
 stable security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
  select figure.name, sum(figure.due)::bigint, greatest(max(figure.oldest_s), 0), sum(figure.running)::bigint, sum(figure.given_up)::bigint
  from (
    select due.name, count(*) as due, extract(epoch from clock_timestamp() - min(due.run_at))::double precision as oldest_s,
      0 as running, 0 as given_up
    from (select j.name, j.run_at from public.jobs j
      where j.taken_by is null and j.run_at <= now() and j.attempts < j.max_attempts limit 100000) due group by due.name
    union all
    select j.name, 0, 0, count(*), 0 from public.jobs j where j.taken_by is not null group by j.name
    union all
    select j.name, 0, 0, 0, count(*) from public.jobs j
    where j.taken_by is null and j.attempts >= j.max_attempts group by j.name
  ) figure group by figure.name
$$;

-- Most acts record one event: it is written by one statement, without arrays to take apart, in less than half of the time. The list is counted
-- and its event written at once, and the event of the operator behind it, as by record_account_events, which writes several.
create function record_account_event(list uuid, of_type text, body text, host text, for_operator boolean, customer uuid)
 returns void
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
begin
  if list is not null then
    with counted as (
      update public.account_event_lists set last_seq = last_seq + 1 where user_id = list and read_until > now() returning last_seq)
    insert into public.account_events (user_id, seq, type, data, host_id)
    select list, last_seq, of_type, body::jsonb, host from counted;
  end if;
  if for_operator then
    insert into public.operator_events_waiting (type, data, host_id, customer_id)
    select of_type, body::jsonb, host, customer
    where exists (
      select from public.account_event_lists where user_id = '00000000-0000-0000-0000-000000000000' and read_until > now());
  end if;
end $$;

-- Most acts record one event, or a few of one account: each list is counted by one plain statement, and each event written by another, whose
-- plans are kept. The windows and joins of before cost a third of an act. Lists are locked in the same order.
create function record_account_events(owners uuid[], types text[], bodies text[], hosts text[], customers uuid[])
 returns void
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
declare
  operator constant uuid := '00000000-0000-0000-0000-000000000000';
  account uuid;
  places integer[];
  number bigint;
begin
  for account, places in
    select g.owner, array_agg(g.place order by g.place) from unnest(owners) with ordinality as g (owner, place)
    where g.owner <> operator group by g.owner order by g.owner
  loop
    update public.account_event_lists set last_seq = last_seq + cardinality(places)
    where user_id = account and read_until > now() returning last_seq - cardinality(places) into number;
    continue when not found;
    for nth in 1 .. cardinality(places) loop
      insert into public.account_events (user_id, seq, type, data, host_id, customer_id)
      values (account, number + nth, types[places[nth]], bodies[places[nth]]::jsonb, hosts[places[nth]], customers[places[nth]]);
    end loop;
  end loop;
  -- Behind the locks of the accounts' own lists, so that both lists have the same order.
  if operator = any (owners)
    and exists (select from public.account_event_lists where user_id = operator and read_until > now()) then
    for nth in 1 .. cardinality(owners) loop
      if owners[nth] = operator then
        insert into public.operator_events_waiting (type, data, host_id, customer_id)
        values (types[nth], bodies[nth]::jsonb, hosts[nth], customers[nth]);
      end if;
    end loop;
  end if;
end $$;

-- Replaces what lists of account events hold of a thing, also where it waits for its number. Returns the numbers of the events.
create function redact_account_events(account uuid, of_type text, holding jsonb, instead jsonb)
 returns table(list_id uuid, event_seq bigint)
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
begin
  perform set_config('app.redacts', account::text, true);
  update public.operator_events_waiting set data = data || instead
  where customer_id = account and type = of_type and data @> holding;
  return query
    update public.account_events e set data = e.data || instead
    where (e.user_id = account or e.customer_id = account) and e.type = of_type and e.data @> holding
    returning e.user_id, e.seq;
  perform set_config('app.redacts', '', true);
end $$;

create function refuse_change()
 returns trigger
 language plpgsql
as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- An account that nobody ever used is removed with its rows; of any other the evidence stays.
create function refuse_change_of_accounts()
 returns trigger
 language plpgsql
as $$
begin
  if tg_op = 'DELETE' and not exists (select from users where id = old.user_id) then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Acts and things of people alone: a robot signs in nowhere, has no address, helps nobody, and never confirms what waits for a second member.
create function refuse_robot()
 returns trigger
 language plpgsql
as $$
begin
  if exists (select from users where id = (to_jsonb(new) ->> tg_argv[0])::uuid and kind = 'robot') then
    raise exception 'a robot is no person: %', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- Makes a failed job due at once, with all its attempts. Answers its name; null where no such job has failed.
create function retry_failed_job(job_id bigint)
 returns text
 language sql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
  select pg_notify('jobs', '');
  update public.jobs j set attempts = 0, run_at = clock_timestamp()
  where j.id = job_id and j.taken_by is null and j.max_attempts > 0 and j.attempts >= j.max_attempts returning j.name
$$;

-- The newest migration that ran; the baseline until there is one.
create function schema_version()
 returns text
 language sql
 stable security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
  select name from public.migrations order by name = 'baseline', name desc limit 1
$$;

-- The parts of the searchable form of a text, of one to three letters, for indices.
create function search_parts_of(value text)
 returns text[]
 language plpgsql
 immutable parallel safe strict cost 1000
as $$
begin
  return public.parts_of(public.searchable(value));
end $$;

-- The form of a text in which it is searched: folded, and the short form beside it where the two differ.
create function searchable(value text)
 returns text
 language plpgsql
 immutable parallel safe strict
as $$
declare
  folded text := public.fold_text(value);
  short text := public.shortened(folded);
begin
  return case when short = folded then folded else folded || ' ' || short end;
end $$;

create function settle_account_events(owner uuid)
 returns void
 language sql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
  update public.account_event_lists set is_settled = true where user_id = owner and not is_settled
$$;

-- Germans write ü as u or ue: what is searched for has the short form, and what is searched holds it beside the other.
create function shortened(folded text)
 returns text
 language sql
 immutable parallel safe strict
as $$ select regexp_replace(folded, '([aou])e+', '\1', 'g') $$;

-- Empties the part that is written to next, whose events are 30 days old at least. Where somebody reads a part for long, as a backup
-- does, nobody waits behind us. Right before a part's turn it is left alone.
create function sweep_account_events(at timestamp with time zone default now())
 returns void
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
 set lock_timeout to '100ms'
as $$
declare
  part text := 'public.account_events_' || public.account_event_slot(at + interval '5 days');
  is_full boolean;
begin
  if extract(epoch from at)::bigint % 432000 < 431700 then
    execute format('select exists (select from %s)', part) into is_full;
    if is_full then
      execute format('truncate %s', part);
    end if;
  end if;
exception when lock_not_available then
  null;
end $$;

-- Empties the part that is written to next, whose events are an hour old at least. Where
-- somebody reads a part for long, as a backup does, nobody waits behind us: the next run is soon. Right before a part's turn it
-- is left alone, for writers do not wait for us either.
create function sweep_live_events(at timestamp with time zone default now())
 returns void
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
 set lock_timeout to '100ms'
as $$
begin
  if extract(epoch from at)::bigint % 1800 < 1740 then
    case public.live_slot(at + interval '30 minutes')
      when 0 then truncate public.live_events_0;
      when 1 then truncate public.live_events_1;
      when 2 then truncate public.live_events_2;
      else truncate public.live_events_3;
    end case;
  end if;
exception when lock_not_available then
  null;
end
$$;

-- Removes the jobs that the process has done, and takes for it the next due job of each class, in the order of the classes; of
-- a kind that goes together, up to `most` of them. One that failed before is taken alone, so that it holds up no others.
-- Runs with the caller's rights.
create function take_jobs(process uuid, done bigint[], names text[], classes text[], together text[], most integer)
 returns setof jobs
 language plpgsql
as $$
declare
  -- A constant: compared with the clock itself, each waiting job would be looked at.
  due constant timestamptz := clock_timestamp();
  wanted text;
  next_one jobs;
begin
  delete from jobs where id = any(done) and taken_by = process;
  foreach wanted in array classes loop
    update jobs set taken_by = process, taken_at = due, attempts = attempts + 1
      where id = (select id from jobs where taken_by is null and class = wanted and run_at <= due
        and attempts < max_attempts and name = any(names) order by run_at, id limit 1 for update skip locked)
      returning * into next_one;
    continue when not found;
    return next next_one;
    continue when next_one.attempts > 1 or next_one.name <> all(together);
    return query update jobs set taken_by = process, taken_at = due, attempts = attempts + 1
      where id = any(array(select id from jobs where taken_by is null and class = wanted and run_at <= due
        and attempts < max_attempts and attempts = 0 and name = next_one.name order by run_at, id limit most - 1
        for update skip locked))
      returning *;
  end loop;
end $$;
