-- Tables

create table acceptances (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  document text not null,
  version text not null,
  context text not null,
  order_id uuid,
  at timestamp with time zone default clock_timestamp() not null,
  constraint acceptances_check CHECK (((document <> 'begin_now'::text) OR (order_id IS NOT NULL))),
  constraint acceptances_context_check CHECK ((context = ANY (ARRAY['sign_up'::text, 'order'::text, 'prompt'::text]))),
  constraint acceptances_document_check CHECK ((document = ANY (ARRAY['terms'::text, 'begin_now'::text]))),
  constraint acceptances_order_id_fkey FOREIGN KEY (order_id) REFERENCES licence_orders(id),
  constraint acceptances_pkey PRIMARY KEY (id),
  constraint acceptances_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint acceptances_version_check CHECK (((length(version) >= 1) AND (length(version) <= 2000)))
);

create table account_event_epoch (
  is_one boolean default true not null,
  epoch bigint not null,
  constraint account_event_epoch_is_one_check CHECK (is_one),
  constraint account_event_epoch_pkey PRIMARY KEY (is_one)
);

create table account_event_lists (
  user_id uuid not null,
  last_seq bigint default 0 not null,
  begins bigint default 0 not null,
  read_until timestamp with time zone not null,
  is_settled boolean default false not null,
  epoch bigint not null,
  constraint account_event_lists_begins_check CHECK ((begins >= 0)),
  constraint account_event_lists_last_seq_check CHECK ((last_seq >= 0)),
  constraint account_event_lists_pkey PRIMARY KEY (user_id)
);

create table account_events (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null,
  host_id text,
  customer_id uuid,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  slot smallint default account_event_slot(now()) not null,
  constraint account_events_data_check CHECK ((pg_column_size(data) <= 65536))
) partition by LIST (slot);

create table account_events_0 (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null,
  host_id text,
  customer_id uuid,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  slot smallint default account_event_slot(now()) not null,
  constraint account_events_0_pkey PRIMARY KEY (user_id, seq),
  constraint account_events_data_check CHECK ((pg_column_size(data) <= 65536))
);

create table account_events_1 (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null,
  host_id text,
  customer_id uuid,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  slot smallint default account_event_slot(now()) not null,
  constraint account_events_1_pkey PRIMARY KEY (user_id, seq),
  constraint account_events_data_check CHECK ((pg_column_size(data) <= 65536))
);

create table account_events_2 (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null,
  host_id text,
  customer_id uuid,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  slot smallint default account_event_slot(now()) not null,
  constraint account_events_2_pkey PRIMARY KEY (user_id, seq),
  constraint account_events_data_check CHECK ((pg_column_size(data) <= 65536))
);

create table account_events_3 (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null,
  host_id text,
  customer_id uuid,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  slot smallint default account_event_slot(now()) not null,
  constraint account_events_3_pkey PRIMARY KEY (user_id, seq),
  constraint account_events_data_check CHECK ((pg_column_size(data) <= 65536))
);

create table account_events_4 (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null,
  host_id text,
  customer_id uuid,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  slot smallint default account_event_slot(now()) not null,
  constraint account_events_4_pkey PRIMARY KEY (user_id, seq),
  constraint account_events_data_check CHECK ((pg_column_size(data) <= 65536))
);

create table account_events_5 (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null,
  host_id text,
  customer_id uuid,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  slot smallint default account_event_slot(now()) not null,
  constraint account_events_5_pkey PRIMARY KEY (user_id, seq),
  constraint account_events_data_check CHECK ((pg_column_size(data) <= 65536))
);

create table account_events_6 (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null,
  host_id text,
  customer_id uuid,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  slot smallint default account_event_slot(now()) not null,
  constraint account_events_6_pkey PRIMARY KEY (user_id, seq),
  constraint account_events_data_check CHECK ((pg_column_size(data) <= 65536))
);

create table account_events_7 (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null,
  host_id text,
  customer_id uuid,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  slot smallint default account_event_slot(now()) not null,
  constraint account_events_7_pkey PRIMARY KEY (user_id, seq),
  constraint account_events_data_check CHECK ((pg_column_size(data) <= 65536))
);

create table account_grant_hosts (
  grant_id uuid not null,
  owner_id uuid not null,
  host_id bigint not null,
  constraint account_grant_hosts_owner_id_grant_id_fkey FOREIGN KEY (owner_id, grant_id) REFERENCES account_grants(owner_id, id) ON DELETE CASCADE,
  constraint account_grant_hosts_owner_id_host_id_fkey FOREIGN KEY (owner_id, host_id) REFERENCES hosts(user_id, id),
  constraint account_grant_hosts_pkey PRIMARY KEY (grant_id, host_id)
);

create table account_grants (
  id uuid default gen_random_uuid() not null,
  owner_id uuid not null,
  email text not null,
  grantee_id uuid,
  role text not null,
  all_hosts boolean not null,
  needs_second_factor boolean default false not null,
  state text default 'invited'::text not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default (now() + '14 days'::interval) not null,
  accepted_at timestamp with time zone,
  ended_at timestamp with time zone,
  month_limit bigint,
  may_pass_on boolean default false not null,
  grantee_kind text default 'person'::text not null,
  constraint account_grants_check CHECK ((grantee_id <> owner_id)),
  constraint account_grants_check2 CHECK (((ended_at IS NULL) = (state = ANY (ARRAY['invited'::text, 'active'::text])))),
  constraint account_grants_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint account_grants_grantee_id_fkey FOREIGN KEY (grantee_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint account_grants_month_limit_check CHECK ((month_limit > 0)),
  constraint account_grants_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint account_grants_owner_id_id_key UNIQUE (owner_id, id),
  constraint account_grants_pkey PRIMARY KEY (id),
  constraint account_grants_role_check CHECK ((role = ANY (ARRAY['technical'::text, 'billing'::text, 'full'::text, 'read'::text]))),
  constraint account_grants_state_check CHECK ((state = ANY (ARRAY['invited'::text, 'active'::text, 'declined'::text, 'revoked'::text, 'left'::text, 'expired'::text]))),
  constraint active_grants_are_accepted CHECK (((state <> 'active'::text) OR ((accepted_at IS NOT NULL) AND ((grantee_id IS NOT NULL) OR (grantee_kind = 'token'::text))))),
  constraint grantee_kind_is_known CHECK ((grantee_kind = ANY (ARRAY['person'::text, 'token'::text]))),
  constraint paying_helpers_have_all CHECK (((role = 'technical'::text) OR all_hosts)),
  constraint tokens_are_nobody CHECK (((grantee_kind = 'person'::text) OR ((grantee_id IS NULL) AND (state <> 'invited'::text))))
);

create table account_merges (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  into_id uuid not null,
  reason text not null,
  merged_at timestamp with time zone default clock_timestamp() not null,
  host_ids bigint[] not null,
  ticket_ids bigint[] not null,
  money jsonb not null,
  undone_at timestamp with time zone,
  constraint account_merges_check CHECK ((user_id <> into_id)),
  constraint account_merges_into_id_fkey FOREIGN KEY (into_id) REFERENCES users(id),
  constraint account_merges_pkey PRIMARY KEY (id),
  constraint account_merges_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 800))),
  constraint account_merges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table account_tokens (
  id uuid not null,
  owner_id uuid not null,
  name text not null,
  token_hash bytea not null,
  hint text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  last_used_ip inet,
  warned_days smallint,
  ended_why text,
  number bigint generated always as identity not null,
  listened_at timestamp with time zone,
  constraint account_tokens_ended_why_check CHECK ((ended_why = ANY (ARRAY['owner'::text, 'self'::text, 'staff'::text, 'leak'::text, 'expired'::text, 'transfer'::text]))),
  constraint account_tokens_hint_check CHECK ((length(hint) <= 20)),
  constraint account_tokens_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint account_tokens_number_key UNIQUE (number),
  constraint account_tokens_owner_id_id_fkey FOREIGN KEY (owner_id, id) REFERENCES account_grants(owner_id, id) ON DELETE CASCADE,
  constraint account_tokens_pkey PRIMARY KEY (id),
  constraint account_tokens_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint account_tokens_token_hash_key UNIQUE (token_hash)
);

create table activations (
  id uuid default gen_random_uuid() not null,
  host_id bigint not null,
  user_id uuid not null,
  fingerprint text,
  hostname text,
  address inet not null,
  first_seen timestamp with time zone default clock_timestamp() not null,
  last_seen timestamp with time zone default clock_timestamp() not null,
  released_at timestamp with time zone,
  released_by text,
  mailed_at timestamp with time zone,
  forgiven_at timestamp with time zone,
  boot text,
  past_boots text[] default '{}'::text[] not null,
  clone_of text,
  leased_at timestamp with time zone,
  lease_until timestamp with time zone,
  constraint activations_boot_check CHECK ((boot ~ '^[0-9a-f]{64}$'::text)),
  constraint activations_check CHECK ((released_at >= first_seen)),
  constraint activations_check1 CHECK (((released_at IS NULL) = (released_by IS NULL))),
  constraint activations_check2 CHECK ((lease_until > leased_at)),
  constraint activations_clone_of_check CHECK ((clone_of ~ '^[0-9a-f]{64}$'::text)),
  constraint activations_fingerprint_check CHECK ((fingerprint ~ '^[0-9a-f]{64}$'::text)),
  constraint activations_hostname_check CHECK ((length(hostname) <= 253)),
  constraint activations_pkey PRIMARY KEY (id),
  constraint activations_released_by_check CHECK ((released_by = ANY (ARRAY['owner'::text, 'system'::text]))),
  constraint activations_user_id_host_id_fkey FOREIGN KEY (user_id, host_id) REFERENCES hosts(user_id, id) ON UPDATE CASCADE
);

create table acts_to_undo (
  act_id uuid not null,
  ticket_id bigint not null,
  staff_id uuid not null,
  before jsonb not null,
  after jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint acts_to_undo_pkey PRIMARY KEY (act_id, ticket_id),
  constraint acts_to_undo_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint acts_to_undo_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE
);

create table alert_incidents (
  id bigint generated always as identity not null,
  public_id uuid default gen_random_uuid() not null,
  host_id bigint not null,
  user_id uuid not null,
  kind text not null,
  since timestamp with time zone not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  peak real,
  opening_told_at timestamp with time zone,
  closing_told_at timestamp with time zone,
  tell_at timestamp with time zone,
  mount text,
  constraint alert_incidents_kind_check CHECK ((kind = ANY (ARRAY['offline'::text, 'disk'::text]))),
  constraint alert_incidents_pkey PRIMARY KEY (id),
  constraint alert_incidents_public_id_key UNIQUE (public_id),
  constraint alert_incidents_user_id_host_id_fkey FOREIGN KEY (user_id, host_id) REFERENCES hosts(user_id, id) ON UPDATE CASCADE
);

create table alert_settings (
  user_id uuid not null,
  host_id bigint,
  offline_minutes smallint,
  disk_percent smallint,
  constraint alert_settings_disk_percent_check CHECK (((disk_percent = 0) OR ((disk_percent >= 50) AND (disk_percent <= 99)))),
  constraint alert_settings_of_owner UNIQUE NULLS NOT DISTINCT (user_id, host_id),
  constraint alert_settings_offline_minutes_check CHECK (((offline_minutes = 0) OR ((offline_minutes >= 2) AND (offline_minutes <= 1440)))),
  constraint alert_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint alert_settings_user_id_host_id_fkey FOREIGN KEY (user_id, host_id) REFERENCES hosts(user_id, id) ON UPDATE CASCADE
);

create table alert_watch (
  id smallint default 1 not null,
  beat_at timestamp with time zone default now() not null,
  hold_until timestamp with time zone default (now() + '00:03:00'::interval) not null,
  constraint alert_watch_id_check CHECK ((id = 1)),
  constraint alert_watch_pkey PRIMARY KEY (id)
);

create table allowance_uses (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  act text not null,
  amount bigint not null,
  at timestamp with time zone default now() not null,
  constraint allowance_uses_amount_check CHECK ((amount > 0)),
  constraint allowance_uses_pkey PRIMARY KEY (id),
  constraint allowance_uses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table announcement_chosen (
  announcement_id uuid not null,
  revision integer not null,
  user_id uuid not null,
  constraint announcement_chosen_announcement_id_revision_fkey FOREIGN KEY (announcement_id, revision) REFERENCES announcement_revisions(announcement_id, revision),
  constraint announcement_chosen_pkey PRIMARY KEY (announcement_id, revision, user_id),
  constraint announcement_chosen_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table announcement_end_mails (
  announcement_id uuid not null,
  user_id uuid not null,
  constraint announcement_end_mails_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcements(id),
  constraint announcement_end_mails_pkey PRIMARY KEY (announcement_id, user_id),
  constraint announcement_end_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table announcement_mails (
  announcement_id uuid not null,
  revision integer not null,
  user_id uuid not null,
  constraint announcement_mails_announcement_id_revision_fkey FOREIGN KEY (announcement_id, revision) REFERENCES announcement_revisions(announcement_id, revision),
  constraint announcement_mails_pkey PRIMARY KEY (announcement_id, revision, user_id),
  constraint announcement_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table announcement_revisions (
  announcement_id uuid not null,
  revision integer not null,
  title jsonb not null,
  text jsonb not null,
  starts_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  scope jsonb not null,
  mail boolean not null,
  published_at timestamp(3) with time zone default now() not null,
  constraint announcement_revisions_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcements(id),
  constraint announcement_revisions_pkey PRIMARY KEY (announcement_id, revision)
);

create table announcements (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  title jsonb not null,
  text jsonb not null,
  starts_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  scope jsonb not null,
  mail boolean not null,
  status text default 'draft'::text not null,
  revision integer default 0 not null,
  by uuid,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  ended_at timestamp(3) with time zone,
  resolution jsonb,
  version integer default 1 not null,
  constraint announcements_by_fkey FOREIGN KEY (by) REFERENCES users(id) ON DELETE SET NULL,
  constraint announcements_check CHECK (((status = ANY (ARRAY['resolved'::text, 'cancelled'::text])) = (ended_at IS NOT NULL))),
  constraint announcements_check1 CHECK (((status <> 'published'::text) OR (revision > 0))),
  constraint announcements_kind_check CHECK ((kind = ANY (ARRAY['maintenance'::text, 'incident'::text, 'news'::text]))),
  constraint announcements_pkey PRIMARY KEY (id),
  constraint announcements_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'resolved'::text, 'cancelled'::text])))
);

create table answer_calendar (
  is_one boolean default true not null,
  zone text default 'UTC'::text not null,
  hours jsonb default '[null, null, null, null, null, null, null]'::jsonb not null,
  is_open boolean generated always as ((hours <> '[null, null, null, null, null, null, null]'::jsonb)) stored not null,
  holidays jsonb default '{}'::jsonb not null,
  version integer default 1 not null,
  changed_at timestamp with time zone default now() not null,
  constraint answer_calendar_holidays_check CHECK ((jsonb_typeof(holidays) = 'object'::text)),
  constraint answer_calendar_hours_check CHECK (((jsonb_typeof(hours) = 'array'::text) AND (jsonb_array_length(hours) = 7))),
  constraint answer_calendar_is_one_check CHECK (is_one),
  constraint answer_calendar_pkey PRIMARY KEY (is_one)
);

create table answer_targets (
  edition text,
  priority text not null,
  first_minutes integer,
  next_minutes integer,
  constraint answer_targets_edition_fkey FOREIGN KEY (edition) REFERENCES editions(slug),
  constraint answer_targets_edition_priority_key UNIQUE NULLS NOT DISTINCT (edition, priority),
  constraint answer_targets_first_minutes_check CHECK (((first_minutes >= 1) AND (first_minutes <= 43200))),
  constraint answer_targets_next_minutes_check CHECK (((next_minutes >= 1) AND (next_minutes <= 43200))),
  constraint answer_targets_priority_check CHECK ((priority = ANY (ARRAY['critical'::text, 'high'::text, 'medium'::text, 'low'::text, 'very_low'::text])))
);

create table approvals (
  id uuid default gen_random_uuid() not null,
  act text not null,
  customer_id uuid,
  amount bigint,
  input jsonb not null,
  why text not null,
  links text[] default '{}'::text[] not null,
  reason text not null,
  proposed_by uuid not null,
  proposed_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  expires_at timestamp with time zone not null,
  status text default 'proposed'::text not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  note text,
  result jsonb,
  failure text,
  constraint approvals_amount_check CHECK ((amount > 0)),
  constraint approvals_check CHECK ((decided_by <> proposed_by)),
  constraint approvals_check1 CHECK (((status = 'proposed'::text) = (decided_at IS NULL))),
  constraint approvals_check2 CHECK (((status = ANY (ARRAY['approved'::text, 'failed'::text, 'refused'::text])) = (decided_by IS NOT NULL))),
  constraint approvals_check3 CHECK (((status = 'failed'::text) = (failure IS NOT NULL))),
  constraint approvals_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES users(id),
  constraint approvals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  constraint approvals_pkey PRIMARY KEY (id),
  constraint approvals_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES users(id),
  constraint approvals_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'approved'::text, 'failed'::text, 'refused'::text, 'withdrawn'::text, 'expired'::text]))),
  constraint approvals_why_check CHECK ((why = ANY (ARRAY['allowance'::text, 'day'::text, 'linked'::text, 'always'::text])))
);

create table assistant_proposals (
  id uuid default gen_random_uuid() not null,
  owner_id uuid not null,
  token_id uuid not null,
  tool text not null,
  path text not null,
  input jsonb not null,
  proposed_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  expires_at timestamp with time zone not null,
  status text default 'proposed'::text not null,
  decided_at timestamp with time zone,
  failure text,
  done_at timestamp with time zone,
  tried_at timestamp with time zone,
  constraint assistant_proposals_check CHECK (((status = 'proposed'::text) = (decided_at IS NULL))),
  constraint assistant_proposals_check1 CHECK (((status = 'failed'::text) = (failure IS NOT NULL))),
  constraint assistant_proposals_input_check CHECK ((length((input)::text) <= 100000)),
  constraint assistant_proposals_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint assistant_proposals_path_check CHECK ((length(path) <= 2000)),
  constraint assistant_proposals_pkey PRIMARY KEY (id),
  constraint assistant_proposals_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'confirmed'::text, 'failed'::text, 'refused'::text, 'expired'::text]))),
  constraint assistant_proposals_tool_check CHECK ((length(tool) <= 100))
);

create table attachment_leftovers (
  public_id text not null,
  has_preview boolean not null,
  constraint attachment_leftovers_pkey PRIMARY KEY (public_id)
);

create table attachments (
  id bigint generated always as identity not null,
  public_id text not null,
  user_id uuid not null,
  uploader_id uuid not null,
  ticket_id bigint,
  note boolean default false not null,
  name text not null,
  type text not null,
  size bigint not null,
  sha256 bytea not null,
  preview_width integer,
  preview_height integer,
  created_at timestamp with time zone default now() not null,
  constraint attachments_check1 CHECK (((preview_width IS NULL) = (preview_height IS NULL))),
  constraint attachments_name_check CHECK (((length(name) >= 1) AND (length(name) <= 400))),
  constraint attachments_pkey PRIMARY KEY (id),
  constraint attachments_public_id_check CHECK ((public_id ~ '^[\w-]{22}$'::text)),
  constraint attachments_public_id_key UNIQUE (public_id),
  constraint attachments_sha256_check CHECK ((length(sha256) = 32)),
  constraint attachments_size_check CHECK ((size > 0)),
  constraint attachments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint attachments_user_id_ticket_id_fkey FOREIGN KEY (user_id, ticket_id) REFERENCES tickets(user_id, id) ON DELETE CASCADE,
  constraint files_of_no_ticket_are_no_notes CHECK (((ticket_id IS NOT NULL) OR (NOT note)))
);

create table attempts (
  bucket bytea not null,
  hits timestamp with time zone[] not null,
  allowed boolean not null,
  expires_at timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (bucket)
);

create table audit (
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  user_id uuid,
  act text not null,
  ip inet,
  user_agent text,
  detail jsonb default '{}'::jsonb not null,
  request_id text,
  actor_id uuid,
  actor_kind text default 'system'::text not null,
  constraint audit_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['self'::text, 'staff'::text, 'customer'::text, 'cli'::text, 'system'::text, 'stranger'::text]))),
  constraint audit_pkey PRIMARY KEY (id)
);

create table audit_holds (
  id integer generated always as identity not null,
  first_day date not null,
  last_day date not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  reason text not null,
  begun_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint audit_holds_check CHECK ((last_day >= first_day)),
  constraint audit_holds_check1 CHECK ((ends_at > starts_at)),
  constraint audit_holds_pkey PRIMARY KEY (id),
  constraint audit_holds_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 400)))
);

create table auto_top_up_runs (
  top_up_id bigint not null,
  public_id text not null,
  user_id uuid not null,
  method_id uuid not null,
  amount bigint not null,
  currency text not null,
  state text not null,
  reason text default ''::text not null,
  charge_at timestamp with time zone not null,
  act_until timestamp with time zone,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  ended_at timestamp with time zone,
  asked_at timestamp with time zone,
  constraint auto_top_up_runs_amount_check CHECK ((amount > 0)),
  constraint auto_top_up_runs_check CHECK (((state = ANY (ARRAY['announced'::text, 'charging'::text, 'under_way'::text, 'action_needed'::text])) = (ended_at IS NULL))),
  constraint auto_top_up_runs_check1 CHECK (((state = 'action_needed'::text) <= (act_until IS NOT NULL))),
  constraint auto_top_up_runs_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint auto_top_up_runs_pkey PRIMARY KEY (top_up_id),
  constraint auto_top_up_runs_public_id_key UNIQUE (public_id),
  constraint auto_top_up_runs_reason_check CHECK ((length(reason) <= 100)),
  constraint auto_top_up_runs_state_check CHECK ((state = ANY (ARRAY['announced'::text, 'charging'::text, 'under_way'::text, 'action_needed'::text, 'paid'::text, 'returned'::text, 'declined'::text, 'expired'::text, 'cancelled'::text]))),
  constraint auto_top_up_runs_top_up_id_user_id_fkey FOREIGN KEY (top_up_id, user_id) REFERENCES top_ups(id, user_id)
);

create table auto_top_ups (
  user_id uuid not null,
  method_id uuid not null,
  month_limit bigint not null,
  kind text not null,
  threshold bigint,
  amount bigint,
  state text default 'active'::text not null,
  reason text default ''::text not null,
  declines smallint default 0 not null,
  version integer not null,
  look_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  constraint auto_top_ups_amount_check CHECK ((amount > 0)),
  constraint auto_top_ups_check CHECK (((kind = 'threshold'::text) = (threshold IS NOT NULL))),
  constraint auto_top_ups_check1 CHECK (((threshold IS NULL) = (amount IS NULL))),
  constraint auto_top_ups_check2 CHECK (((state = 'active'::text) OR (reason <> ''::text))),
  constraint auto_top_ups_kind_check CHECK ((kind = ANY (ARRAY['cover'::text, 'threshold'::text]))),
  constraint auto_top_ups_month_limit_check CHECK ((month_limit > 0)),
  constraint auto_top_ups_pkey PRIMARY KEY (user_id),
  constraint auto_top_ups_reason_check CHECK ((length(reason) <= 40)),
  constraint auto_top_ups_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text]))),
  constraint auto_top_ups_threshold_check CHECK ((threshold > 0)),
  constraint auto_top_ups_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table backups (
  id bigint generated always as identity not null,
  made_at timestamp with time zone not null,
  file text not null,
  row_count bigint not null,
  file_count bigint not null,
  size_bytes bigint not null,
  constraint backups_pkey PRIMARY KEY (id)
);

create table balances (
  account_id bigint not null,
  user_id uuid not null,
  currency text not null,
  balance bigint default 0 not null,
  allow_negative boolean default false not null,
  last_seq bigint default 0 not null,
  last_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  gift bigint default 0 not null,
  constraint balances_account_id_currency_fkey FOREIGN KEY (account_id, currency) REFERENCES ledger_accounts(id, currency),
  constraint balances_pkey PRIMARY KEY (account_id),
  constraint balances_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint no_gift_twice CHECK ((gift >= 0)),
  constraint no_overdraft CHECK ((allow_negative OR (balance >= 0)))
);

create table bank_files (
  id uuid default gen_random_uuid() not null,
  sha256 bytea not null,
  account_iban text not null,
  statement_id text not null,
  opened_on date,
  closed_on date,
  opening bigint,
  closing bigint,
  currency text not null,
  imported_by uuid,
  imported_at timestamp with time zone default now() not null,
  kind text not null,
  page integer,
  constraint bank_files_imported_by_fkey FOREIGN KEY (imported_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint bank_files_kind_check CHECK ((kind = ANY (ARRAY['camt.052'::text, 'camt.053'::text, 'camt.054'::text, 'csv'::text]))),
  constraint bank_files_pkey PRIMARY KEY (id),
  constraint bank_files_sha256_key UNIQUE (sha256)
);

create table bank_lines (
  id uuid default gen_random_uuid() not null,
  file_id uuid not null,
  account_iban text not null,
  booked_on date not null,
  amount bigint not null,
  currency text not null,
  name text not null,
  iban text not null,
  text text not null,
  end_to_end text not null,
  key bytea not null,
  nth integer not null,
  match text not null,
  cause text,
  top_up text,
  user_id uuid,
  state text default 'open'::text not null,
  bookings integer default 0 not null,
  transaction_id uuid,
  place integer not null,
  same_as uuid,
  bank_ref text default ''::text not null,
  batch_amount bigint,
  constraint bank_lines_account_iban_key_nth_key UNIQUE (account_iban, key, nth),
  constraint bank_lines_amount_check CHECK ((amount <> 0)),
  constraint bank_lines_cause_check CHECK ((cause = ANY (ARRAY['amount_differs'::text, 'paid_before'::text, 'several_references'::text, 'near_reference'::text, 'known_payer'::text, 'return'::text, 'duplicate'::text, 'batch_not_split'::text, 'came_in_parts'::text]))),
  constraint bank_lines_check CHECK (((match = 'ambiguous'::text) = (cause IS NOT NULL))),
  constraint bank_lines_file_id_fkey FOREIGN KEY (file_id) REFERENCES bank_files(id),
  constraint bank_lines_match_check CHECK ((match = ANY (ARRAY['exact'::text, 'ambiguous'::text, 'unknown'::text]))),
  constraint bank_lines_pkey PRIMARY KEY (id),
  constraint bank_lines_place_check CHECK ((place > 0)),
  constraint bank_lines_same_as_fkey FOREIGN KEY (same_as) REFERENCES bank_lines(id),
  constraint bank_lines_state_check CHECK ((state = ANY (ARRAY['open'::text, 'booked'::text, 'ignored'::text]))),
  constraint bank_lines_top_up_fkey FOREIGN KEY (top_up) REFERENCES top_ups(public_id),
  constraint bank_lines_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id),
  constraint bank_lines_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);

create table bank_odd_parts (
  id uuid default gen_random_uuid() not null,
  sha256 bytea not null,
  file_name text not null,
  kind text not null,
  reason text not null,
  source text not null,
  place integer,
  shown text not null,
  key bytea not null,
  noticed_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  state text default 'open'::text not null,
  done_by uuid,
  done_at timestamp with time zone,
  constraint bank_odd_parts_check CHECK (((state = 'done'::text) = (done_at IS NOT NULL))),
  constraint bank_odd_parts_done_by_fkey FOREIGN KEY (done_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint bank_odd_parts_key_key UNIQUE (key),
  constraint bank_odd_parts_kind_check CHECK ((kind = ANY (ARRAY['entry'::text, 'row'::text, 'statement'::text, 'file'::text]))),
  constraint bank_odd_parts_pkey PRIMARY KEY (id),
  constraint bank_odd_parts_reason_check CHECK ((reason ~ '^[a-z_]{1,60}$'::text)),
  constraint bank_odd_parts_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text])))
);

create table bank_originals (
  id uuid default gen_random_uuid() not null,
  sha256 bytea not null,
  name text not null,
  content bytea not null,
  form jsonb,
  kept_by uuid,
  kept_at timestamp with time zone default now() not null,
  constraint bank_originals_kept_by_fkey FOREIGN KEY (kept_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint bank_originals_pkey PRIMARY KEY (id),
  constraint bank_originals_sha256_form_key UNIQUE NULLS NOT DISTINCT (sha256, form)
);

create table bank_profiles (
  id uuid default gen_random_uuid() not null,
  name text not null,
  form jsonb not null,
  made_by uuid,
  created_at timestamp with time zone default now() not null,
  constraint bank_profiles_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint bank_profiles_name_check CHECK (((length(name) >= 1) AND (length(name) <= 400))),
  constraint bank_profiles_name_key UNIQUE (name),
  constraint bank_profiles_pkey PRIMARY KEY (id)
);

create table billing_details (
  user_id uuid not null,
  email text default ''::text not null,
  buyer_reference text default ''::text not null,
  order_reference text default ''::text not null,
  send_pdf boolean default true not null,
  changed_at timestamp with time zone default now() not null,
  constraint billing_details_buyer_reference_check CHECK ((length(buyer_reference) <= 100)),
  constraint billing_details_email_check CHECK ((length(email) <= 254)),
  constraint billing_details_order_reference_check CHECK ((length(order_reference) <= 100)),
  constraint billing_details_pkey PRIMARY KEY (user_id),
  constraint billing_details_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table blocked_senders (
  address text not null,
  blocked_at timestamp with time zone default now() not null,
  blocked_by uuid,
  constraint blocked_senders_address_check CHECK ((length(address) <= 400)),
  constraint blocked_senders_blocked_by_fkey FOREIGN KEY (blocked_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint blocked_senders_pkey PRIMARY KEY (address)
);

create table book_exports (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  first_day date not null,
  last_day date not null,
  made_by uuid,
  locale text not null,
  state text default 'waiting'::text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  key text,
  name text,
  rows bigint,
  bytes bigint,
  sha256 bytea,
  agrees boolean,
  failure text,
  constraint book_exports_bytes_check CHECK ((bytes >= 0)),
  constraint book_exports_check CHECK ((last_day >= first_day)),
  constraint book_exports_check1 CHECK (((state = 'ready'::text) = (key IS NOT NULL))),
  constraint book_exports_check2 CHECK (((state = ANY (ARRAY['ready'::text, 'removed'::text])) = (sha256 IS NOT NULL))),
  constraint book_exports_check3 CHECK (((state = 'failed'::text) = (failure IS NOT NULL))),
  constraint book_exports_kind_check CHECK ((kind = ANY (ARRAY['datev'::text, 'vat'::text, 'invoices'::text, 'transactions'::text, 'documents'::text, 'audit'::text]))),
  constraint book_exports_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'de'::text, 'ru'::text]))),
  constraint book_exports_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint book_exports_pkey PRIMARY KEY (id),
  constraint book_exports_rows_check CHECK ((rows >= 0)),
  constraint book_exports_sha256_check CHECK ((length(sha256) = 32)),
  constraint book_exports_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'ready'::text, 'failed'::text, 'removed'::text])))
);

create table canned_replies (
  id uuid default gen_random_uuid() not null,
  title text not null,
  text text not null,
  language text not null,
  author_id uuid,
  created_at timestamp with time zone default now() not null,
  changed_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  acts jsonb default '{}'::jsonb not null,
  constraint canned_replies_acts_check CHECK ((jsonb_typeof(acts) = 'object'::text)),
  constraint canned_replies_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint canned_replies_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'ru'::text]))),
  constraint canned_replies_pkey PRIMARY KEY (id),
  constraint canned_replies_text_check CHECK (((length(text) >= 1) AND (length(text) <= 40000))),
  constraint canned_replies_title_check CHECK (((length(title) >= 1) AND (length(title) <= 200)))
);

create table checkouts (
  top_up_id bigint not null,
  public_id text not null,
  user_id uuid not null,
  purpose text not null,
  params jsonb not null,
  total bigint not null,
  currency text not null,
  state text default 'open'::text not null,
  refusal text,
  host text,
  person_id uuid,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  counted bigint,
  counted_grants uuid[],
  constraint checkouts_check CHECK (((state = 'open'::text) = (ended_at IS NULL))),
  constraint checkouts_counted CHECK (((counted IS NULL) = (counted_grants IS NULL))),
  constraint checkouts_counted_check CHECK ((counted > 0)),
  constraint checkouts_counted_grants_check CHECK ((cardinality(counted_grants) > 0)),
  constraint checkouts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint checkouts_pkey PRIMARY KEY (top_up_id),
  constraint checkouts_public_id_key UNIQUE (public_id),
  constraint checkouts_purpose_check CHECK ((purpose = ANY (ARRAY['order'::text, 'renewal'::text, 'upgrade'::text, 'top_up'::text, 'bulk'::text]))),
  constraint checkouts_refusal_check CHECK (((length(refusal) >= 1) AND (length(refusal) <= 60))),
  constraint checkouts_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'failed'::text, 'expired'::text, 'cancelled'::text]))),
  constraint checkouts_top_up_id_user_id_fkey FOREIGN KEY (top_up_id, user_id) REFERENCES top_ups(id, user_id),
  constraint checkouts_total_check CHECK ((total > 0))
);

create table chosen_extras (
  host_id bigint not null,
  user_id uuid not null,
  extras jsonb not null,
  chosen_at timestamp with time zone default clock_timestamp() not null,
  constraint chosen_extras_extras_check CHECK ((jsonb_typeof(extras) = 'array'::text)),
  constraint chosen_extras_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint chosen_extras_pkey PRIMARY KEY (host_id),
  constraint chosen_extras_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table customer_blocks (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  level text not null,
  cause text,
  reason text not null,
  message text not null,
  by uuid,
  at timestamp with time zone default clock_timestamp() not null,
  constraint customer_blocks_by_fkey FOREIGN KEY (by) REFERENCES users(id) ON DELETE SET NULL,
  constraint customer_blocks_cause_check CHECK ((cause = ANY (ARRAY['fraud'::text, 'payment'::text, 'terms'::text, 'stolen'::text]))),
  constraint customer_blocks_check CHECK (((level = 'none'::text) = (cause IS NULL))),
  constraint customer_blocks_level_check CHECK ((level = ANY (ARRAY['none'::text, 'blocked'::text, 'locked'::text]))),
  constraint customer_blocks_message_check CHECK ((length(message) <= 2000)),
  constraint customer_blocks_pkey PRIMARY KEY (id),
  constraint customer_blocks_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 800))),
  constraint customer_blocks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table customer_notes (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  author_id uuid,
  text text not null,
  pinned boolean default false not null,
  created_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  constraint customer_notes_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint customer_notes_pkey PRIMARY KEY (id),
  constraint customer_notes_text_check CHECK (((length(text) >= 1) AND (length(text) <= 40000))),
  constraint customer_notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table data_exports (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  token_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint data_exports_pkey PRIMARY KEY (id),
  constraint data_exports_token_hash_key UNIQUE (token_hash),
  constraint data_exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table debts (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  began_at timestamp with time zone default clock_timestamp() not null,
  suspend_after_days smallint,
  done_day smallint,
  last_step_at timestamp with time zone,
  next_at timestamp with time zone,
  settled_at timestamp with time zone,
  constraint debts_check CHECK ((settled_at >= began_at)),
  constraint debts_pkey PRIMARY KEY (id),
  constraint debts_suspend_after_days_check CHECK (((suspend_after_days >= 1) AND (suspend_after_days <= 90))),
  constraint debts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table desk_absences (
  staff_id uuid not null,
  until date not null,
  note text not null,
  constraint desk_absences_note_check CHECK ((length(note) <= 400)),
  constraint desk_absences_pkey PRIMARY KEY (staff_id),
  constraint desk_absences_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES users(id) ON DELETE CASCADE
);

create table desk_views (
  id uuid default gen_random_uuid() not null,
  name text not null,
  filter jsonb not null,
  shared boolean not null,
  author_id uuid not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint desk_views_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint desk_views_filter_check CHECK ((jsonb_typeof(filter) = 'object'::text)),
  constraint desk_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint desk_views_pkey PRIMARY KEY (id)
);

create table edition_entitlements (
  edition text not null,
  key text not null,
  type text not null,
  value jsonb not null,
  constraint edition_entitlements_check CHECK (
CASE type
    WHEN 'bool'::text THEN (jsonb_typeof(value) = 'boolean'::text)
    WHEN 'int'::text THEN ((jsonb_typeof(value) = 'number'::text) AND ((value #>> '{}'::text[]) ~ '^-?[0-9]{1,15}$'::text))
    ELSE ((jsonb_typeof(value) = 'string'::text) AND (length((value #>> '{}'::text[])) <= 200))
END),
  constraint edition_entitlements_edition_fkey FOREIGN KEY (edition) REFERENCES editions(slug),
  constraint edition_entitlements_key_check CHECK ((key ~ '^[a-z][a-z0-9_.]{0,62}$'::text)),
  constraint edition_entitlements_pkey PRIMARY KEY (edition, key),
  constraint edition_entitlements_type_check CHECK ((type = ANY (ARRAY['bool'::text, 'int'::text, 'text'::text])))
);

create table editions (
  slug text not null,
  name jsonb not null,
  description jsonb default '{"de": "", "en": "", "ru": ""}'::jsonb not null,
  features jsonb default '[]'::jsonb not null,
  rank integer default 0 not null,
  trial_days smallint default 0 not null,
  is_active boolean default true not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  product text default 'server'::text not null,
  constraint editions_description_check CHECK (in_three_languages(description, 400)),
  constraint editions_features_check CHECK (((jsonb_typeof(features) = 'array'::text) AND (jsonb_array_length(features) <= 12))),
  constraint editions_name_check CHECK (in_three_languages(name, 100)),
  constraint editions_pkey PRIMARY KEY (slug),
  constraint editions_product_fkey FOREIGN KEY (product) REFERENCES products(slug),
  constraint editions_rank_check CHECK (((rank >= 0) AND (rank <= 9999))),
  constraint editions_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 64))),
  constraint editions_trial_days_check CHECK (((trial_days >= 0) AND (trial_days <= 60)))
);

create table email_addresses (
  id bigint generated always as identity not null,
  user_id uuid not null,
  email text not null,
  verified_at timestamp with time zone,
  is_primary boolean default false not null,
  created_at timestamp with time zone default now() not null,
  claimed_at timestamp with time zone default now() not null,
  held boolean default false not null,
  constraint email_addresses_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint email_addresses_pkey PRIMARY KEY (id),
  constraint email_addresses_user_id_email_key UNIQUE (user_id, email),
  constraint email_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table entries (
  transaction_id uuid not null,
  account_id bigint not null,
  currency text not null,
  amount bigint not null,
  type text default ''::text not null,
  user_id uuid,
  of_customer boolean generated always as ((user_id IS NOT NULL)) stored not null,
  seq bigint,
  balance_after bigint,
  created_at timestamp with time zone default now() not null,
  is_vat boolean default false not null,
  gift bigint default 0 not null,
  is_gift boolean default false not null,
  constraint entries_account_id_currency_fkey FOREIGN KEY (account_id, currency) REFERENCES ledger_accounts(id, currency),
  constraint entries_amount_check CHECK (((amount <> 0) AND (abs(amount) < '1000000000000000'::bigint))),
  constraint entries_check CHECK ((((user_id IS NULL) = (seq IS NULL)) AND ((seq IS NULL) = (balance_after IS NULL)))),
  constraint entries_pkey PRIMARY KEY (transaction_id, of_customer, is_vat, is_gift),
  constraint entries_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id),
  constraint gift_is_a_part CHECK (((gift = 0) OR (of_customer AND (sign((gift)::double precision) = sign((amount)::double precision)) AND (abs(gift) <= abs(amount))))),
  constraint gift_is_not_the_customers CHECK ((NOT (is_gift AND (of_customer OR is_vat)))),
  constraint no_spending_in_debt CHECK (((balance_after >= 0) OR (amount > 0) OR (type = 'charge_back'::text))),
  constraint vat_is_not_the_customers CHECK ((NOT (is_vat AND of_customer)))
);

create table exchange_rates (
  day date not null,
  currency text not null,
  per_euro numeric not null,
  source text not null,
  taken_at timestamp with time zone default now() not null,
  constraint exchange_rates_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint exchange_rates_per_euro_check CHECK ((per_euro > (0)::numeric)),
  constraint exchange_rates_pkey PRIMARY KEY (day, currency),
  constraint exchange_rates_source_check CHECK (((length(source) >= 1) AND (length(source) <= 100)))
);

create table extras (
  slug text not null,
  edition text not null,
  kind text not null,
  name jsonb not null,
  net bigint not null,
  most integer not null,
  is_active boolean default true not null,
  sort integer default 0 not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint a_fee_is_one CHECK (((kind <> 'setup'::text) OR (most = 1))),
  constraint extras_edition_fkey FOREIGN KEY (edition) REFERENCES editions(slug),
  constraint extras_kind_check CHECK ((kind = ANY (ARRAY['setup'::text, 'addon'::text, 'once'::text]))),
  constraint extras_most_check CHECK (((most >= 1) AND (most <= 999))),
  constraint extras_name_check CHECK (in_three_languages(name, 100)),
  constraint extras_net_check CHECK ((net > 0)),
  constraint extras_pkey PRIMARY KEY (slug),
  constraint extras_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 64))),
  constraint extras_sort_check CHECK (((sort >= 0) AND (sort <= 9999)))
);

create table factor_resets (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  reason text not null,
  by uuid,
  requested_at timestamp with time zone default now() not null,
  due_at timestamp with time zone not null,
  warned_at timestamp with time zone,
  ended_at timestamp with time zone,
  token_hashes bytea[] not null,
  status text default 'requested'::text not null,
  new_email text,
  identity text,
  merge_into uuid,
  constraint factor_resets_by_fkey FOREIGN KEY (by) REFERENCES users(id) ON DELETE SET NULL,
  constraint factor_resets_check CHECK (((status = 'requested'::text) = (ended_at IS NULL))),
  constraint factor_resets_identity_check CHECK (((length(identity) >= 1) AND (length(identity) <= 800))),
  constraint factor_resets_merge_into_fkey FOREIGN KEY (merge_into) REFERENCES users(id) ON DELETE CASCADE,
  constraint factor_resets_move CHECK (((new_email IS NULL) = (identity IS NULL))),
  constraint factor_resets_new_email_check CHECK (((length(new_email) >= 3) AND (length(new_email) <= 254))),
  constraint factor_resets_pkey PRIMARY KEY (id),
  constraint factor_resets_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 800))),
  constraint factor_resets_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'vetoed'::text, 'cancelled'::text, 'done'::text]))),
  constraint factor_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table first_networks (
  user_id uuid not null,
  country text not null,
  created_at timestamp with time zone default now() not null,
  constraint first_networks_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint first_networks_pkey PRIMARY KEY (user_id),
  constraint first_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table former_keys (
  licence_key text not null,
  host_id bigint not null,
  user_id uuid not null,
  ends_at timestamp with time zone not null,
  constraint former_keys_pkey PRIMARY KEY (licence_key),
  constraint former_keys_user_id_host_id_fkey FOREIGN KEY (user_id, host_id) REFERENCES hosts(user_id, id) ON UPDATE CASCADE
);

create table grant_spending (
  grant_id uuid not null,
  owner_id uuid not null,
  month date not null,
  spent bigint not null,
  constraint grant_spending_owner_id_grant_id_fkey FOREIGN KEY (owner_id, grant_id) REFERENCES account_grants(owner_id, id) ON DELETE CASCADE,
  constraint grant_spending_pkey PRIMARY KEY (grant_id, month),
  constraint grant_spending_spent_check CHECK ((spent >= 0))
);

create table guest_payments (
  public_id text not null,
  provider text not null,
  amount bigint not null,
  currency text not null,
  locale text not null,
  back text not null,
  redirect_url text,
  event_id text,
  created_at timestamp with time zone default now() not null,
  constraint guest_payments_amount_check CHECK ((amount > 0)),
  constraint guest_payments_back_check CHECK (((back ~ '^/'::text) AND (length(back) <= 200))),
  constraint guest_payments_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint guest_payments_event_id_check CHECK (((length(event_id) >= 1) AND (length(event_id) <= 255))),
  constraint guest_payments_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'de'::text, 'ru'::text]))),
  constraint guest_payments_pkey PRIMARY KEY (public_id),
  constraint guest_payments_provider_check CHECK (((length(provider) >= 1) AND (length(provider) <= 40))),
  constraint guest_payments_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint guest_payments_redirect_url_check CHECK ((length(redirect_url) <= 4000))
);

create table help_articles (
  id uuid default gen_random_uuid() not null,
  section_id uuid not null,
  slug text not null,
  rank integer not null,
  audience text not null,
  title jsonb not null,
  text jsonb not null,
  keywords jsonb not null,
  is_published boolean default false not null,
  revision integer default 0 not null,
  changed_at timestamp(3) with time zone default now() not null,
  changed_by uuid,
  version integer default 1 not null,
  constraint help_articles_audience_check CHECK ((audience = ANY (ARRAY['everybody'::text, 'staff'::text]))),
  constraint help_articles_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint help_articles_check CHECK (((NOT is_published) OR (revision > 0))),
  constraint help_articles_pkey PRIMARY KEY (id),
  constraint help_articles_section_id_fkey FOREIGN KEY (section_id) REFERENCES help_sections(id),
  constraint help_articles_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND ((length(slug) >= 3) AND (length(slug) <= 80)))),
  constraint help_articles_slug_key UNIQUE (slug)
);

create table help_revisions (
  article_id uuid not null,
  revision integer not null,
  title jsonb not null,
  text jsonb not null,
  keywords jsonb not null,
  published_at timestamp(3) with time zone default now() not null,
  constraint help_revisions_article_id_fkey FOREIGN KEY (article_id) REFERENCES help_articles(id),
  constraint help_revisions_pkey PRIMARY KEY (article_id, revision)
);

create table help_sections (
  id uuid default gen_random_uuid() not null,
  slug text not null,
  rank integer not null,
  title jsonb not null,
  version integer default 1 not null,
  constraint help_sections_pkey PRIMARY KEY (id),
  constraint help_sections_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND ((length(slug) >= 3) AND (length(slug) <= 60)))),
  constraint help_sections_slug_key UNIQUE (slug)
);

create table help_stems (
  article_id uuid not null,
  locale text not null,
  stem text not null,
  weight real not null,
  constraint help_stems_article_id_fkey FOREIGN KEY (article_id) REFERENCES help_articles(id),
  constraint help_stems_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'de'::text, 'ru'::text]))),
  constraint help_stems_pkey PRIMARY KEY (article_id, locale, stem)
);

create table help_votes (
  article_id uuid not null,
  helpful integer default 0 not null,
  unhelpful integer default 0 not null,
  constraint help_votes_article_id_fkey FOREIGN KEY (article_id) REFERENCES help_articles(id),
  constraint help_votes_helpful_check CHECK ((helpful >= 0)),
  constraint help_votes_pkey PRIMARY KEY (article_id),
  constraint help_votes_unhelpful_check CHECK ((unhelpful >= 0))
);

create table host_agents (
  host_id bigint not null,
  user_id uuid not null,
  token_hash bytea not null,
  last_seen_at timestamp with time zone,
  address inet,
  version text,
  hostname text,
  uptime_s bigint,
  look_at timestamp with time zone,
  offline_minutes smallint default 5 not null,
  disk_percent smallint default 90 not null,
  alert_at timestamp with time zone,
  disk_since timestamp with time zone,
  disk_peak real,
  disk_alert boolean default false not null,
  interval_s smallint default 30 not null,
  watched_until timestamp with time zone,
  disk_mount text,
  constraint host_agents_follow_host FOREIGN KEY (user_id, host_id) REFERENCES hosts(user_id, id) ON UPDATE CASCADE,
  constraint host_agents_pkey PRIMARY KEY (host_id),
  constraint host_agents_token_hash_key UNIQUE (token_hash)
);

create table host_figures (
  host_id bigint not null,
  starts_at timestamp with time zone not null,
  is_day boolean not null,
  points bytea not null,
  constraint host_figures_check CHECK ((length(points) <=
CASE
    WHEN is_day THEN 1900
    ELSE 600
END)),
  constraint host_figures_pkey PRIMARY KEY (host_id, starts_at)
);

create table host_metrics (
  host_id bigint not null,
  at timestamp with time zone not null,
  load_1m real not null,
  memory_used_bytes bigint not null,
  memory_total_bytes bigint not null,
  disk_used_bytes bigint not null,
  disk_total_bytes bigint not null,
  constraint host_metrics_pkey PRIMARY KEY (host_id, at)
);

create table host_metrics_thinned (
  host_id bigint not null,
  at timestamp with time zone not null,
  load_1m real not null,
  memory_used_bytes bigint not null,
  memory_total_bytes bigint not null,
  disk_used_bytes bigint not null,
  disk_total_bytes bigint not null,
  constraint host_metrics_thinned_pkey PRIMARY KEY (host_id, at)
);

create table host_payers (
  host_id bigint not null,
  user_id uuid not null,
  agreement_id uuid not null,
  state text default 'active'::text not null,
  created_at timestamp with time zone default now() not null,
  constraint host_payers_pkey PRIMARY KEY (host_id),
  constraint host_payers_state_check CHECK ((state = 'active'::text)),
  constraint host_payers_user_id_agreement_id_state_fkey FOREIGN KEY (user_id, agreement_id, state) REFERENCES payment_agreements(owner_id, id, state) ON DELETE CASCADE,
  constraint host_payers_user_id_host_id_fkey FOREIGN KEY (user_id, host_id) REFERENCES hosts(user_id, id) ON DELETE CASCADE
);

create table host_transfers (
  id uuid default gen_random_uuid() not null,
  host_id bigint not null,
  user_id uuid not null,
  email text,
  receiver_id uuid,
  state text default 'offered'::text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default (now() + '7 days'::interval) not null,
  ended_at timestamp with time zone,
  constraint host_transfers_check CHECK ((receiver_id <> user_id)),
  constraint host_transfers_check1 CHECK (((ended_at IS NULL) = (state = 'offered'::text))),
  constraint host_transfers_check2 CHECK (((state <> 'offered'::text) OR (email IS NOT NULL))),
  constraint host_transfers_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint host_transfers_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint host_transfers_pkey PRIMARY KEY (id),
  constraint host_transfers_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint host_transfers_state_check CHECK ((state = ANY (ARRAY['offered'::text, 'accepted'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text, 'ended'::text]))),
  constraint host_transfers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table hosts (
  id bigint generated always as identity not null,
  public_id text not null,
  user_id uuid not null,
  name text not null,
  ipv4 inet,
  ipv4_changes timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  auto_renew boolean default false not null,
  licence_key text not null,
  paid_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone default now() not null,
  deleted_at timestamp with time zone,
  version integer default 1 not null,
  ipv6 inet,
  key_checked_at timestamp with time zone,
  product text default 'server'::text not null,
  constraint hosts_ipv4_changes_check CHECK ((cardinality(ipv4_changes) <= 3)),
  constraint hosts_ipv4_check CHECK (((family(ipv4) = 4) AND (masklen(ipv4) = 32))),
  constraint hosts_ipv6_check CHECK (is_licensable_ipv6(ipv6)),
  constraint hosts_licence_key_key UNIQUE (licence_key),
  constraint hosts_name_check CHECK (((length(name) >= 1) AND (length(name) <= 63))),
  constraint hosts_pkey PRIMARY KEY (id),
  constraint hosts_product_fkey FOREIGN KEY (product) REFERENCES products(slug),
  constraint hosts_public_id_check CHECK ((length(public_id) = 22)),
  constraint hosts_public_id_key UNIQUE (public_id),
  constraint hosts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint hosts_user_id_id_key UNIQUE (user_id, id)
);

create table idempotency_keys (
  user_id uuid not null,
  key text not null,
  request_hash bytea not null,
  status smallint,
  body jsonb,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, key),
  constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table introductions (
  id bigint generated always as identity not null,
  member_id uuid not null,
  by_id uuid not null,
  at timestamp with time zone default now() not null,
  constraint introductions_by_id_fkey FOREIGN KEY (by_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint introductions_check CHECK ((member_id <> by_id)),
  constraint introductions_member_id_fkey FOREIGN KEY (member_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint introductions_pkey PRIMARY KEY (id)
);

create table invitations (
  id uuid default gen_random_uuid() not null,
  email text not null,
  roles text[] not null,
  token_hash bytea not null,
  invited_by uuid,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  accepted_by uuid,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  waits boolean default false not null,
  constraint invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint invitations_check CHECK (((accepted_at IS NULL) OR (revoked_at IS NULL))),
  constraint invitations_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_roles_check CHECK (((cardinality(roles) > 0) AND (roles <@ '{support,billing,admin,owner}'::text[]))),
  constraint invitations_token_hash_key UNIQUE (token_hash)
);

create table invoice_counters (
  year smallint not null,
  last_number bigint not null,
  constraint invoice_counters_last_number_check CHECK ((last_number > 0)),
  constraint invoice_counters_pkey PRIMARY KEY (year)
);

create table invoice_documents (
  invoice_id bigint not null,
  format text not null,
  user_id uuid not null,
  content bytea not null,
  made_at timestamp with time zone default now() not null,
  version smallint default 1 not null,
  constraint invoice_documents_format_check CHECK ((format = ANY (ARRAY['pdf'::text, 'xrechnung'::text]))),
  constraint invoice_documents_pkey PRIMARY KEY (invoice_id, version, format),
  constraint invoice_documents_user_id_invoice_id_fkey FOREIGN KEY (user_id, invoice_id) REFERENCES invoices(user_id, id),
  constraint invoice_documents_version_check CHECK ((version > 0))
);

create table invoice_lines (
  invoice_id bigint not null,
  place smallint not null,
  user_id uuid not null,
  description jsonb not null,
  quantity bigint not null,
  cost bigint not null,
  price bigint not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  allowance bigint default 0 not null,
  reduction jsonb,
  constraint invoice_lines_allowance_check CHECK ((allowance >= 0)),
  constraint invoice_lines_check1 CHECK ((ends_at > starts_at)),
  constraint invoice_lines_cost_check CHECK ((cost >= 0)),
  constraint invoice_lines_pkey PRIMARY KEY (invoice_id, place),
  constraint invoice_lines_quantity_check CHECK ((quantity > 0)),
  constraint invoice_lines_user_id_invoice_id_fkey FOREIGN KEY (user_id, invoice_id) REFERENCES invoices(user_id, id),
  constraint price_of_line CHECK (((price = ((quantity * cost) - allowance)) AND (price >= 0))),
  constraint reduction_has_a_reason CHECK (((reduction IS NULL) = (allowance = 0)))
);

create table invoice_mails (
  invoice_id bigint not null,
  user_id uuid not null,
  constraint invoice_mails_pkey PRIMARY KEY (invoice_id),
  constraint invoice_mails_user_id_invoice_id_fkey FOREIGN KEY (user_id, invoice_id) REFERENCES invoices(user_id, id)
);

create table invoice_readers (
  user_id uuid not null,
  reader_id uuid not null,
  constraint invoice_readers_check CHECK ((user_id <> reader_id)),
  constraint invoice_readers_pkey PRIMARY KEY (user_id),
  constraint invoice_readers_reader_id_fkey FOREIGN KEY (reader_id) REFERENCES users(id),
  constraint invoice_readers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table invoice_snapshots (
  invoice_id bigint not null,
  user_id uuid not null,
  seller jsonb not null,
  buyer jsonb not null,
  notes jsonb not null,
  evidence jsonb not null,
  buyer_reference text default ''::text not null,
  order_reference text default ''::text not null,
  constraint invoice_snapshots_buyer_reference_check CHECK ((length(buyer_reference) <= 100)),
  constraint invoice_snapshots_order_reference_check CHECK ((length(order_reference) <= 100)),
  constraint invoice_snapshots_pkey PRIMARY KEY (invoice_id),
  constraint invoice_snapshots_user_id_invoice_id_fkey FOREIGN KEY (user_id, invoice_id) REFERENCES invoices(user_id, id)
);

create table invoices (
  id bigint generated always as identity not null,
  public_id text not null,
  user_id uuid not null,
  year smallint not null,
  place bigint not null,
  number text not null,
  kind text not null,
  credit_note_of bigint,
  transaction_id uuid not null,
  host_id text,
  issued_at timestamp with time zone not null,
  locale text not null,
  currency text not null,
  net bigint not null,
  vat bigint not null,
  total bigint not null,
  vat_kind text not null,
  vat_country text not null,
  vat_rate_bp bigint not null,
  keep_until date not null,
  version smallint default 1 not null,
  below_threshold boolean default false not null,
  gift bigint default 0 not null,
  allowance bigint default 0 not null,
  constraint allowance_is_of_the_gift CHECK (((allowance >= 0) AND (allowance <= gift))),
  constraint invoices_check CHECK ((total = (net + vat))),
  constraint invoices_check1 CHECK (((kind = 'credit_note'::text) = (credit_note_of IS NOT NULL))),
  constraint invoices_check2 CHECK (((vat_kind = ANY (ARRAY['standard'::text, 'oss'::text])) OR ((vat_rate_bp = 0) AND (vat = 0)))),
  constraint invoices_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint invoices_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
  constraint invoices_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'de'::text, 'ru'::text]))),
  constraint invoices_net_check CHECK ((net >= 0)),
  constraint invoices_number_key UNIQUE (number),
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_place_check CHECK ((place > 0)),
  constraint invoices_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint invoices_public_id_key UNIQUE (public_id),
  constraint invoices_user_id_credit_note_of_fkey FOREIGN KEY (user_id, credit_note_of) REFERENCES invoices(user_id, id),
  constraint invoices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint invoices_user_id_id_key UNIQUE (user_id, id),
  constraint invoices_vat_check CHECK ((vat >= 0)),
  constraint invoices_vat_country_check CHECK ((vat_country ~ '^[A-Z]{2}$'::text)),
  constraint invoices_vat_kind_check CHECK ((vat_kind = ANY (ARRAY['standard'::text, 'oss'::text, 'reverse_charge'::text, 'outside_eu'::text, 'small_business'::text]))),
  constraint invoices_vat_rate_bp_check CHECK (((vat_rate_bp >= 0) AND (vat_rate_bp <= 9999))),
  constraint invoices_version_check CHECK ((version > 0)),
  constraint invoices_year_fkey FOREIGN KEY (year) REFERENCES invoice_counters(year),
  constraint invoices_year_place_key UNIQUE (year, place),
  constraint only_taxed_at_home_below_the_threshold CHECK (((NOT below_threshold) OR (vat_kind = ANY (ARRAY['standard'::text, 'small_business'::text]))))
);

create table job_processes (
  id uuid not null,
  lock_number integer generated always as identity not null,
  missed_at timestamp with time zone,
  started_at timestamp with time zone default now() not null,
  constraint job_processes_lock_number_key UNIQUE (lock_number),
  constraint job_processes_pkey PRIMARY KEY (id)
);

create table jobs (
  id bigint generated always as identity not null,
  name text not null,
  payload jsonb not null,
  key text,
  run_at timestamp with time zone not null,
  attempts integer default 0 not null,
  max_attempts integer not null,
  taken_by uuid,
  taken_at timestamp with time zone,
  last_error text,
  class text not null,
  constraint jobs_key_key UNIQUE (key),
  constraint jobs_pkey PRIMARY KEY (id)
);

create table kept_bytes (
  user_id uuid not null,
  bytes bigint not null,
  extra_bytes bigint default 0 not null,
  constraint kept_bytes_bytes_check CHECK ((bytes >= 0)),
  constraint kept_bytes_extra_bytes_check CHECK ((extra_bytes >= 0)),
  constraint kept_bytes_pkey PRIMARY KEY (user_id),
  constraint kept_bytes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table kept_settings (
  section text not null,
  version integer not null,
  settings jsonb not null,
  changed_by uuid,
  changed_at timestamp with time zone default now() not null,
  constraint kept_settings_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id),
  constraint kept_settings_pkey PRIMARY KEY (section, version),
  constraint kept_settings_section_check CHECK ((section ~ '^[a-z_]{1,40}$'::text)),
  constraint kept_settings_settings_check CHECK ((jsonb_typeof(settings) = 'object'::text)),
  constraint kept_settings_version_check CHECK ((version > 1))
);

create table ledger_accounts (
  id bigint generated always as identity not null,
  kind text not null,
  user_id uuid,
  currency text not null,
  name text default ''::text not null,
  constraint ledger_accounts_check CHECK (((kind = 'customer'::text) = (user_id IS NOT NULL))),
  constraint ledger_accounts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint ledger_accounts_id_currency_key UNIQUE (id, currency),
  constraint ledger_accounts_kind_check CHECK ((kind = ANY (ARRAY['customer'::text, 'payments'::text, 'promotions'::text, 'revenue'::text, 'vat'::text]))),
  constraint ledger_accounts_pkey PRIMARY KEY (id),
  constraint ledger_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint vat_account_of_a_country CHECK (((kind <> 'vat'::text) OR (name ~ '^[A-Z]{2}$'::text)))
);

create table ledger_closings (
  month date not null,
  until timestamp with time zone not null,
  kind text not null,
  name text not null,
  currency text not null,
  sum bigint not null,
  entries bigint not null,
  closed_at timestamp with time zone default now() not null,
  constraint ledger_closings_check CHECK (((kind <> 'customer'::text) OR (name = ANY (ARRAY['credit'::text, 'debt'::text])))),
  constraint ledger_closings_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint ledger_closings_entries_check CHECK ((entries > 0)),
  constraint ledger_closings_kind_check CHECK ((kind = ANY (ARRAY['customer'::text, 'payments'::text, 'promotions'::text, 'revenue'::text, 'vat'::text]))),
  constraint ledger_closings_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint ledger_closings_pkey PRIMARY KEY (month, kind, name, currency)
);

create table licence_orders (
  id uuid not null,
  user_id uuid not null,
  host_id bigint not null,
  kind text not null,
  plan text not null,
  plan_name jsonb not null,
  term text not null,
  ipv4 inet,
  net bigint not null,
  vat bigint not null,
  total bigint not null,
  vat_rate_bp bigint not null,
  currency text not null,
  transaction_id uuid,
  invoice_id text,
  ordered_at timestamp with time zone not null,
  payer_id uuid,
  agreement_id uuid,
  ipv6 inet,
  promo jsonb,
  extras jsonb,
  constraint a_payer_has_an_agreement CHECK (((payer_id IS NULL) = (agreement_id IS NULL))),
  constraint licence_orders_agreement_id_fkey FOREIGN KEY (agreement_id) REFERENCES payment_agreements(id),
  constraint licence_orders_check CHECK ((total = (net + vat))),
  constraint licence_orders_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint licence_orders_extras_check CHECK ((jsonb_typeof(extras) = 'array'::text)),
  constraint licence_orders_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint licence_orders_ipv4_check CHECK (((family(ipv4) = 4) AND (masklen(ipv4) = 32))),
  constraint licence_orders_ipv6_check CHECK (is_licensable_ipv6(ipv6)),
  constraint licence_orders_kind_check CHECK ((kind = ANY (ARRAY['order'::text, 'renewal'::text, 'auto_renewal'::text, 'upgrade'::text, 'trial'::text]))),
  constraint licence_orders_payer_id_fkey FOREIGN KEY (payer_id) REFERENCES users(id),
  constraint licence_orders_pkey PRIMARY KEY (id),
  constraint licence_orders_plan_fkey FOREIGN KEY (plan) REFERENCES plans(slug),
  constraint licence_orders_promo_check CHECK ((jsonb_typeof(promo) = 'object'::text)),
  constraint licence_orders_term_check CHECK ((term = ANY (ARRAY['P1M'::text, 'P3M'::text, 'P1Y'::text]))),
  constraint licence_orders_transaction_id_host_id_key UNIQUE (transaction_id, host_id),
  constraint licence_orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint licence_orders_user_id_id_key UNIQUE (user_id, id),
  constraint licence_orders_vat_check CHECK ((vat >= 0)),
  constraint licence_orders_vat_rate_bp_check CHECK ((vat_rate_bp >= 0)),
  constraint only_a_trial_or_a_promo_code_costs_nothing CHECK (
CASE
    WHEN (transaction_id IS NULL) THEN ((net = 0) AND (vat = 0) AND (invoice_id IS NULL) AND (payer_id IS NULL) AND ((kind = 'trial'::text) OR (promo IS NOT NULL)))
    ELSE ((kind <> 'trial'::text) AND (invoice_id IS NOT NULL) AND ((net > 0) OR ((net = 0) AND (promo IS NOT NULL))))
END)
);

create table licence_settings (
  host_id bigint not null,
  user_id uuid not null,
  renewal_plan text not null,
  chosen_at timestamp with time zone default clock_timestamp() not null,
  constraint licence_settings_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint licence_settings_pkey PRIMARY KEY (host_id),
  constraint licence_settings_renewal_plan_fkey FOREIGN KEY (renewal_plan) REFERENCES plans(slug),
  constraint licence_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table licence_watches (
  host_id bigint not null,
  user_id uuid not null,
  ends_at timestamp with time zone not null,
  done_days smallint,
  next_at timestamp with time zone,
  refusal text,
  plan_changes_at timestamp with time zone,
  announced_net bigint,
  price_told bigint,
  constraint licence_watches_announced_net_check CHECK ((announced_net > 0)),
  constraint licence_watches_follow_host FOREIGN KEY (user_id, host_id) REFERENCES hosts(user_id, id) ON UPDATE CASCADE,
  constraint licence_watches_pkey PRIMARY KEY (host_id)
);

create table licensed_addresses (
  id bigint generated always as identity not null,
  user_id uuid not null,
  host_id bigint not null,
  ipv4 inet,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  ipv6 inet,
  constraint licensed_addresses_check CHECK ((ends_at > starts_at)),
  constraint licensed_addresses_follow_host FOREIGN KEY (user_id, host_id) REFERENCES hosts(user_id, id) ON UPDATE CASCADE,
  constraint licensed_addresses_ipv4_check CHECK (((family(ipv4) = 4) AND (masklen(ipv4) = 32))),
  constraint licensed_addresses_ipv6_check CHECK (is_licensable_ipv6(ipv6)),
  constraint licensed_addresses_pkey PRIMARY KEY (id),
  constraint one_address CHECK ((num_nonnulls(ipv4, ipv6) = 1)),
  constraint one_licence_for_an_address EXCLUDE USING gist (ipv4 inet_ops WITH &&, tstzrange(starts_at, ends_at) WITH &&) DEFERRABLE,
  constraint one_licence_for_an_ipv6 EXCLUDE USING gist (ipv6 inet_ops WITH &&, tstzrange(starts_at, ends_at) WITH &&) WHERE ((ipv6 IS NOT NULL)) DEFERRABLE
);

create table limit_notices (
  name text not null,
  year smallint not null,
  state text not null,
  told_at timestamp with time zone default now() not null,
  constraint limit_notices_pkey PRIMARY KEY (name, year, state),
  constraint limit_notices_state_check CHECK ((state = ANY (ARRAY['near'::text, 'passed'::text])))
);

create table live_cursors (
  user_id uuid not null,
  last_seq bigint not null,
  constraint live_cursors_pkey PRIMARY KEY (user_id)
);

create table live_events (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  payload jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  hidden_from uuid,
  slot smallint default live_slot(now()) not null
) partition by LIST (slot);

create table live_events_0 (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  payload jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  hidden_from uuid,
  slot smallint default live_slot(now()) not null,
  constraint live_events_0_pkey PRIMARY KEY (user_id, seq)
);

create table live_events_1 (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  payload jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  hidden_from uuid,
  slot smallint default live_slot(now()) not null,
  constraint live_events_1_pkey PRIMARY KEY (user_id, seq)
);

create table live_events_2 (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  payload jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  hidden_from uuid,
  slot smallint default live_slot(now()) not null,
  constraint live_events_2_pkey PRIMARY KEY (user_id, seq)
);

create table live_events_3 (
  user_id uuid not null,
  seq bigint not null,
  type text not null,
  payload jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  hidden_from uuid,
  slot smallint default live_slot(now()) not null,
  constraint live_events_3_pkey PRIMARY KEY (user_id, seq)
);

create table mail_preferences (
  user_id uuid not null,
  ticket_replies boolean default true not null,
  ticket_closing boolean default true not null,
  new_tickets boolean default true not null,
  news boolean default false not null,
  constraint mail_preferences_pkey PRIMARY KEY (user_id),
  constraint mail_preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table mails (
  id uuid default gen_random_uuid() not null,
  user_id uuid,
  to_address text not null,
  letter text not null,
  locale text not null,
  content text,
  state text default 'owed'::text not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  leased_by uuid,
  leased_until timestamp with time zone,
  last_error text,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  class text not null,
  awaits_server_since timestamp(3) with time zone,
  constraint mails_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'de'::text, 'ru'::text]))),
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_state_check CHECK ((state = ANY (ARRAY['owed'::text, 'sending'::text, 'sent'::text, 'dead'::text, 'kept'::text]))),
  constraint mails_to_address_check CHECK ((length(to_address) <= 320)),
  constraint mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);

create table migrations (
  name text not null,
  hash text not null,
  ran_at timestamp with time zone default now() not null,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table narrowed_grants (
  grant_id uuid not null,
  owner_id uuid not null,
  host_id bigint,
  ended_at timestamp with time zone default now() not null,
  constraint narrowed_grants_owner_id_grant_id_fkey FOREIGN KEY (owner_id, grant_id) REFERENCES account_grants(owner_id, id) ON DELETE CASCADE
);

create table new_ticket_mails (
  ticket_id bigint not null,
  user_id uuid not null,
  opened_at timestamp with time zone not null,
  mailed_at timestamp with time zone,
  constraint new_ticket_mails_pkey PRIMARY KEY (ticket_id),
  constraint new_ticket_mails_user_id_ticket_id_fkey FOREIGN KEY (user_id, ticket_id) REFERENCES tickets(user_id, id) ON DELETE CASCADE
);

create table notification_choices (
  user_id uuid not null,
  silent text[] default '{}'::text[] not null,
  unpushed text[] default '{announcement}'::text[] not null,
  constraint notification_choices_pkey PRIMARY KEY (user_id),
  constraint notification_choices_silent_check CHECK ((cardinality(silent) <= 20)),
  constraint notification_choices_unpushed_check CHECK ((cardinality(unpushed) <= 20)),
  constraint notification_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table notifications (
  id bigint generated always as identity not null,
  user_id uuid not null,
  kind text not null,
  thing text not null,
  link text not null,
  facts jsonb default '{}'::jsonb not null,
  count integer default 1 not null,
  happened_at timestamp(3) with time zone default date_trunc('milliseconds'::text, now()) not null,
  read_at timestamp with time zone,
  constraint notifications_kind_check CHECK ((kind = ANY (ARRAY['reply'::text, 'mention'::text, 'assigned'::text, 'alert'::text, 'approval'::text, 'payment'::text, 'announcement'::text]))),
  constraint notifications_link_check CHECK ((length(link) <= 300)),
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_thing_check CHECK (((length(thing) >= 1) AND (length(thing) <= 200))),
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table observations (
  name text not null,
  seen_at timestamp with time zone default now() not null,
  constraint observations_pkey PRIMARY KEY (name)
);

create table operation_figures (
  name text not null,
  claimed_at timestamp with time zone not null,
  read_at timestamp with time zone,
  figures jsonb,
  constraint operation_figures_pkey PRIMARY KEY (name)
);

create table operator_events_waiting (
  id bigint generated always as identity not null,
  type text not null,
  data jsonb not null,
  host_id text,
  customer_id uuid,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  constraint operator_events_waiting_data_check CHECK ((pg_column_size(data) <= 65536)),
  constraint operator_events_waiting_pkey PRIMARY KEY (id)
);

create table paid_periods (
  id bigint generated always as identity not null,
  user_id uuid not null,
  host_id bigint not null,
  order_id uuid not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  anchor_day smallint not null,
  ended text,
  plan text not null,
  edition text not null,
  term text not null,
  net bigint not null,
  payer_id uuid,
  invoice_id text,
  transaction_id uuid,
  entitlements jsonb not null,
  place smallint default 1 not null,
  term_starts_at timestamp with time zone not null,
  once_net bigint default 0 not null,
  constraint paid_or_a_trial CHECK ((num_nonnulls(payer_id, invoice_id, transaction_id) = ANY (ARRAY[0, 3]))),
  constraint paid_periods_anchor_day_check CHECK (((anchor_day >= 1) AND (anchor_day <= 31))),
  constraint paid_periods_check CHECK ((ends_at >= starts_at)),
  constraint paid_periods_do_not_overlap EXCLUDE USING gist (int8range(host_id, host_id, '[]'::text) WITH &&, tstzrange(starts_at, ends_at) WITH &&) DEFERRABLE,
  constraint paid_periods_ended_check CHECK ((ended = ANY (ARRAY['refunded'::text, 'deleted'::text, 'upgraded'::text]))),
  constraint paid_periods_follow_host FOREIGN KEY (user_id, host_id) REFERENCES hosts(user_id, id) ON UPDATE CASCADE,
  constraint paid_periods_once_net_check CHECK ((once_net >= 0)),
  constraint paid_periods_order_id_fkey FOREIGN KEY (order_id) REFERENCES licence_orders(id),
  constraint paid_periods_order_id_key UNIQUE (order_id),
  constraint paid_periods_pkey PRIMARY KEY (id)
);

create table passkeys (
  id integer default nextval('authenticator_ids'::regclass) not null,
  user_id uuid not null,
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] default '{}'::text[] not null,
  is_passwordless boolean not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_name_check CHECK ((length(name) <= 100)),
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table password_reset_keys (
  token_hash bytea not null,
  user_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint password_reset_keys_pkey PRIMARY KEY (token_hash),
  constraint password_reset_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table passwords (
  user_id uuid not null,
  hash text not null,
  changed_at timestamp with time zone default now() not null,
  constraint passwords_hash_check CHECK ((hash ~~ '$argon2id$%'::text)),
  constraint passwords_pkey PRIMARY KEY (user_id),
  constraint passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table payment_agreements (
  id uuid default gen_random_uuid() not null,
  owner_id uuid,
  payer_id uuid,
  asked_by text not null,
  email text,
  all_hosts boolean not null,
  pays text not null,
  month_limit bigint,
  state text default 'offered'::text not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default (now() + '14 days'::interval) not null,
  accepted_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by text,
  constraint payment_agreements_asked_by_check CHECK ((asked_by = ANY (ARRAY['owner'::text, 'payer'::text]))),
  constraint payment_agreements_check CHECK ((owner_id <> payer_id)),
  constraint payment_agreements_check1 CHECK ((
CASE asked_by
    WHEN 'owner'::text THEN owner_id
    ELSE payer_id
END IS NOT NULL)),
  constraint payment_agreements_check2 CHECK (((accepted_at IS NULL) OR ((owner_id IS NOT NULL) AND (payer_id IS NOT NULL)))),
  constraint payment_agreements_check3 CHECK (((state <> ALL (ARRAY['active'::text, 'offered'::text])) OR ((accepted_at IS NOT NULL) = (state = 'active'::text)))),
  constraint payment_agreements_check4 CHECK (((ended_at IS NULL) = (state = ANY (ARRAY['offered'::text, 'active'::text])))),
  constraint payment_agreements_check5 CHECK (((ended_by IS NULL) = (state <> 'ended'::text))),
  constraint payment_agreements_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint payment_agreements_ended_by_check CHECK ((ended_by = ANY (ARRAY['owner'::text, 'payer'::text, 'system'::text]))),
  constraint payment_agreements_month_limit_check CHECK ((month_limit > 0)),
  constraint payment_agreements_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint payment_agreements_owner_id_id_state_key UNIQUE (owner_id, id, state),
  constraint payment_agreements_payer_id_fkey FOREIGN KEY (payer_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint payment_agreements_pays_check CHECK ((pays = ANY (ARRAY['renewals'::text, 'all'::text]))),
  constraint payment_agreements_pkey PRIMARY KEY (id),
  constraint payment_agreements_state_check CHECK ((state = ANY (ARRAY['offered'::text, 'active'::text, 'declined'::text, 'ended'::text, 'expired'::text])))
);

create table payment_event_bookings (
  transaction_id uuid not null,
  provider text not null,
  event_id text not null,
  constraint payment_event_bookings_pkey PRIMARY KEY (transaction_id),
  constraint payment_event_bookings_provider_event_id_fkey FOREIGN KEY (provider, event_id) REFERENCES payment_events(provider, event_id),
  constraint payment_event_bookings_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id)
);

create table payment_events (
  provider text not null,
  event_id text not null,
  place bigint generated always as identity not null,
  kind text not null,
  top_up_id bigint,
  payment_reference text,
  amount bigint,
  currency text,
  reason text default ''::text not null,
  settled_at timestamp with time zone,
  transaction_id uuid,
  created_at timestamp with time zone default now() not null,
  taken_by text,
  paid_from text,
  stops_method boolean default false not null,
  constraint payment_events_amount_check CHECK ((amount > 0)),
  constraint payment_events_check CHECK (((transaction_id IS NULL) OR (settled_at IS NOT NULL))),
  constraint payment_events_event_id_check CHECK (((length(event_id) >= 1) AND (length(event_id) <= 255))),
  constraint payment_events_kind_check CHECK ((kind = ANY (ARRAY['paid'::text, 'failed'::text, 'charged_back'::text, 'reinstated'::text]))),
  constraint payment_events_paid_from_check CHECK ((paid_from ~ '^[A-Z]{2}$'::text)),
  constraint payment_events_pkey PRIMARY KEY (provider, event_id),
  constraint payment_events_place_key UNIQUE (place),
  constraint payment_events_top_up_id_fkey FOREIGN KEY (top_up_id) REFERENCES top_ups(id),
  constraint payment_events_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id),
  constraint payment_events_transaction_id_key UNIQUE (transaction_id)
);

create table payment_methods (
  id uuid default gen_random_uuid() not null,
  public_id text not null,
  user_id uuid not null,
  provider text not null,
  kind text not null,
  provider_ref_sealed text,
  provider_ref_digest bytea,
  brand text default ''::text not null,
  last4 text default ''::text not null,
  expires date,
  mandate_ref text,
  is_default boolean default false not null,
  state text default 'pending'::text not null,
  reason text default ''::text not null,
  redirect_url text,
  warned_days smallint,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  saved_at timestamp with time zone,
  constraint payment_methods_brand_check CHECK ((length(brand) <= 40)),
  constraint payment_methods_check CHECK (((NOT is_default) OR (state = 'active'::text))),
  constraint payment_methods_check1 CHECK (((state <> ALL (ARRAY['active'::text, 'paused'::text])) OR ((provider_ref_sealed IS NOT NULL) AND (provider_ref_digest IS NOT NULL) AND (saved_at IS NOT NULL)))),
  constraint payment_methods_kind_check CHECK ((kind = ANY (ARRAY['card'::text, 'sepa_debit'::text, 'paypal'::text]))),
  constraint payment_methods_last4_check CHECK ((last4 ~ '^[A-Za-z0-9]{0,4}$'::text)),
  constraint payment_methods_mandate_ref_check CHECK ((length(mandate_ref) <= 200)),
  constraint payment_methods_pkey PRIMARY KEY (id),
  constraint payment_methods_provider_check CHECK ((provider ~ '^[a-z]{1,20}$'::text)),
  constraint payment_methods_provider_ref_digest_check CHECK ((length(provider_ref_digest) = 32)),
  constraint payment_methods_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint payment_methods_public_id_key UNIQUE (public_id),
  constraint payment_methods_reason_check CHECK ((length(reason) <= 100)),
  constraint payment_methods_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'active'::text, 'paused'::text, 'removed'::text]))),
  constraint payment_methods_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table payout_accounts (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  iban_sealed text not null,
  holder text not null,
  iban_end text not null,
  created_at timestamp with time zone default now() not null,
  address_sealed text,
  constraint payout_accounts_holder_check CHECK (((length(holder) >= 1) AND (length(holder) <= 70))),
  constraint payout_accounts_iban_end_check CHECK ((iban_end ~ '^[A-Z0-9]{4}$'::text)),
  constraint payout_accounts_id_user_id_key UNIQUE (id, user_id),
  constraint payout_accounts_pkey PRIMARY KEY (id),
  constraint payout_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table payout_bookings (
  transaction_id uuid not null,
  payout_id bigint not null,
  kind text not null,
  amount bigint not null,
  place integer not null,
  constraint payout_bookings_amount_check CHECK ((amount > 0)),
  constraint payout_bookings_kind_check CHECK ((kind = ANY (ARRAY['out'::text, 'back'::text]))),
  constraint payout_bookings_payout_id_fkey FOREIGN KEY (payout_id) REFERENCES payouts(id),
  constraint payout_bookings_pkey PRIMARY KEY (transaction_id),
  constraint payout_bookings_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id)
);

create table payout_files (
  id text not null,
  payer_name text,
  payer_iban text,
  payer_bic text,
  payouts integer not null,
  total bigint not null,
  currency text not null,
  created_by uuid,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  constraint payout_files_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint payout_files_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint payout_files_id_check CHECK ((id ~ '^PF-[0-9A-F]{10}$'::text)),
  constraint payout_files_payouts_check CHECK ((payouts > 0)),
  constraint payout_files_pkey PRIMARY KEY (id),
  constraint payout_files_total_check CHECK ((total > 0))
);

create table payouts (
  id bigint generated always as identity not null,
  public_id text not null,
  reference text not null,
  user_id uuid not null,
  amount bigint not null,
  currency text not null,
  way text not null,
  state text default 'requested'::text not null,
  top_up_id bigint,
  provider text not null,
  account_id uuid,
  file_id text,
  requested_by uuid,
  reason text default ''::text not null,
  failure text default ''::text not null,
  asked_at timestamp with time zone,
  provider_reference text,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  ended_at timestamp with time zone,
  address_sealed text,
  constraint payouts_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES payout_accounts(id, user_id) ON DELETE SET NULL (account_id),
  constraint payouts_amount_check CHECK ((amount > 0)),
  constraint payouts_check CHECK (((way = 'source'::text) = (top_up_id IS NOT NULL))),
  constraint payouts_check1 CHECK (((way = 'bank'::text) OR ((account_id IS NULL) AND (file_id IS NULL)))),
  constraint payouts_check2 CHECK (((state = 'requested'::text) = (ended_at IS NULL))),
  constraint payouts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint payouts_failure_check CHECK ((length(failure) <= 200)),
  constraint payouts_file_id_fkey FOREIGN KEY (file_id) REFERENCES payout_files(id),
  constraint payouts_pkey PRIMARY KEY (id),
  constraint payouts_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint payouts_public_id_key UNIQUE (public_id),
  constraint payouts_reason_check CHECK ((length(reason) <= 200)),
  constraint payouts_reference_check CHECK ((reference ~ '^PO-[0-9A-F]{10}$'::text)),
  constraint payouts_reference_key UNIQUE (reference),
  constraint payouts_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES users(id),
  constraint payouts_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'sent'::text, 'failed'::text, 'returned'::text]))),
  constraint payouts_top_up_id_fkey FOREIGN KEY (top_up_id) REFERENCES top_ups(id),
  constraint payouts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint payouts_way_check CHECK ((way = ANY (ARRAY['source'::text, 'bank'::text])))
);

create table pending_logins (
  token_hash bytea not null,
  user_id uuid,
  stage text not null,
  email text,
  methods jsonb default '[]'::jsonb not null,
  scratch jsonb default '{}'::jsonb not null,
  stage_at timestamp with time zone default now() not null,
  written_at timestamp with time zone default now() not null,
  constraint pending_logins_pkey PRIMARY KEY (token_hash),
  constraint pending_logins_stage_check CHECK ((stage = ANY (ARRAY['none'::text, 'verify_email'::text, 'mfa_authenticate'::text]))),
  constraint pending_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table place_questions (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  place text not null,
  opened_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  answer text default ''::text not null,
  answered_at timestamp with time zone,
  closed_at timestamp with time zone,
  constraint place_questions_answer_check CHECK ((length(answer) <= 4000)),
  constraint place_questions_check CHECK (((answer = ''::text) = (answered_at IS NULL))),
  constraint place_questions_pkey PRIMARY KEY (id),
  constraint place_questions_place_check CHECK ((place ~ '^[A-Z]{2}(-[A-Z0-9]{1,12})?$'::text)),
  constraint place_questions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table plan_move_hosts (
  move_id bigint not null,
  host_id bigint not null,
  user_id uuid not null,
  told_at timestamp with time zone default now() not null,
  moved_at timestamp with time zone,
  constraint plan_move_hosts_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id) ON DELETE CASCADE,
  constraint plan_move_hosts_move_id_fkey FOREIGN KEY (move_id) REFERENCES plan_moves(id),
  constraint plan_move_hosts_pkey PRIMARY KEY (move_id, host_id),
  constraint plan_move_hosts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table plan_moves (
  id bigint generated always as identity not null,
  from_plan text not null,
  to_plan text not null,
  net bigint not null,
  counts_from timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  undone_at timestamp with time zone,
  constraint plan_moves_check CHECK ((counts_from >= (created_at + '720:00:00'::interval))),
  constraint plan_moves_from_plan_fkey FOREIGN KEY (from_plan) REFERENCES plans(slug),
  constraint plan_moves_pkey PRIMARY KEY (id),
  constraint plan_moves_to_plan_fkey FOREIGN KEY (to_plan) REFERENCES plans(slug)
);

create table plan_prices (
  id bigint generated always as identity not null,
  plan text not null,
  net bigint not null,
  from_at timestamp with time zone not null,
  renewals_from_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint plan_prices_check CHECK ((renewals_from_at >= from_at)),
  constraint plan_prices_net_check CHECK (((net > 0) AND (net <= '100000000000'::bigint))),
  constraint plan_prices_pkey PRIMARY KEY (id),
  constraint plan_prices_plan_fkey FOREIGN KEY (plan) REFERENCES plans(slug)
);

create table plans (
  slug text not null,
  name_en text not null,
  name_de text not null,
  name_ru text not null,
  term text not null,
  is_active boolean default true not null,
  sort integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  edition text not null,
  constraint plans_edition_fkey FOREIGN KEY (edition) REFERENCES editions(slug),
  constraint plans_name_de_check CHECK (((length(name_de) >= 1) AND (length(name_de) <= 100))),
  constraint plans_name_en_check CHECK (((length(name_en) >= 1) AND (length(name_en) <= 100))),
  constraint plans_name_ru_check CHECK (((length(name_ru) >= 1) AND (length(name_ru) <= 100))),
  constraint plans_pkey PRIMARY KEY (slug),
  constraint plans_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 64))),
  constraint plans_term_check CHECK ((term = ANY (ARRAY['P1M'::text, 'P3M'::text, 'P1Y'::text])))
);

create table products (
  slug text not null,
  name jsonb not null,
  description jsonb default '{"de": "", "en": "", "ru": ""}'::jsonb not null,
  kind text not null,
  asks_address boolean generated always as ((kind = 'server'::text)) stored not null,
  is_active boolean default true not null,
  sort integer default 0 not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint products_description_check CHECK (in_three_languages(description, 400)),
  constraint products_kind_check CHECK ((kind = ANY (ARRAY['server'::text, 'program'::text]))),
  constraint products_name_check CHECK (in_three_languages(name, 100)),
  constraint products_pkey PRIMARY KEY (slug),
  constraint products_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 64))),
  constraint products_sort_check CHECK (((sort >= 0) AND (sort <= 9999)))
);

create table profiles (
  user_id uuid not null,
  name text default ''::text not null,
  middle_name text default ''::text not null,
  surname text default ''::text not null,
  country text default ''::text not null,
  address text default ''::text not null,
  apartment text default ''::text not null,
  zip text default ''::text not null,
  city text default ''::text not null,
  state text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  company text default ''::text not null,
  vat_id text default ''::text not null,
  access_review_since timestamp with time zone,
  version integer default 1 not null,
  attention text[] default '{}'::text[] not null,
  constraint as_old_as_its_account FOREIGN KEY (created_at, user_id) REFERENCES users(created_at, id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint profiles_address_check CHECK ((length(address) <= 200)),
  constraint profiles_apartment_check CHECK ((length(apartment) <= 50)),
  constraint profiles_city_check CHECK ((length(city) <= 100)),
  constraint profiles_company_check CHECK ((length(company) <= 200)),
  constraint profiles_country_check CHECK ((country ~ '^([A-Z]{2})?$'::text)),
  constraint profiles_middle_name_check CHECK ((length(middle_name) <= 100)),
  constraint profiles_name_check CHECK ((length(name) <= 100)),
  constraint profiles_pkey PRIMARY KEY (user_id),
  constraint profiles_state_check CHECK ((length(state) <= 100)),
  constraint profiles_surname_check CHECK ((length(surname) <= 100)),
  constraint profiles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint profiles_vat_id_check CHECK ((vat_id ~ '^([A-Z]{2}[A-Z0-9+*]{2,28})?$'::text)),
  constraint profiles_zip_check CHECK ((length(zip) <= 20))
);

create table promo_codes (
  id bigint generated always as identity not null,
  code text not null,
  percent smallint,
  amount bigint,
  currency text not null,
  editions text[],
  first_order_only boolean not null,
  renewals smallint not null,
  uses integer not null,
  expires_at timestamp with time zone,
  note text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  made_by uuid,
  ended_at timestamp with time zone,
  ended_by uuid,
  constraint percent_or_amount CHECK ((num_nonnulls(percent, amount) = 1)),
  constraint promo_codes_amount_check CHECK ((amount > 0)),
  constraint promo_codes_code_check CHECK ((code ~ '^[A-Z0-9][A-Z0-9-]{2,31}$'::text)),
  constraint promo_codes_code_key UNIQUE (code),
  constraint promo_codes_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint promo_codes_editions_check CHECK ((cardinality(editions) > 0)),
  constraint promo_codes_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint promo_codes_id_uses_key UNIQUE (id, uses),
  constraint promo_codes_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint promo_codes_note_check CHECK ((length(note) <= 800)),
  constraint promo_codes_percent_check CHECK (((percent >= 1) AND (percent <= 100))),
  constraint promo_codes_pkey PRIMARY KEY (id),
  constraint promo_codes_renewals_check CHECK (((renewals >= 0) AND (renewals <= 120))),
  constraint promo_codes_uses_check CHECK ((uses > 0))
);

create table promo_uses (
  promo_id bigint not null,
  slot integer not null,
  uses integer not null,
  user_id uuid not null,
  used_at timestamp with time zone default now() not null,
  constraint promo_uses_check CHECK (((slot >= 1) AND (slot <= uses))),
  constraint promo_uses_pkey PRIMARY KEY (promo_id, slot),
  constraint promo_uses_promo_id_user_id_key UNIQUE (promo_id, user_id),
  constraint promo_uses_promo_id_uses_fkey FOREIGN KEY (promo_id, uses) REFERENCES promo_codes(id, uses),
  constraint promo_uses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table purchases (
  public_id text not null,
  form_hash bytea not null,
  email text not null,
  locale text not null,
  wish jsonb not null,
  total bigint not null,
  amount bigint not null,
  currency text not null,
  state text default 'open'::text not null,
  user_id uuid,
  key_hash bytea,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  failed_at timestamp with time zone,
  constraint purchases_check CHECK ((amount >= total)),
  constraint purchases_check1 CHECK (((state = 'open'::text) = (user_id IS NULL))),
  constraint purchases_check2 CHECK (((state = 'open'::text) = (paid_at IS NULL))),
  constraint purchases_check3 CHECK (((state = 'waits'::text) = (key_hash IS NOT NULL))),
  constraint purchases_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint purchases_email_check CHECK ((length(email) <= 320)),
  constraint purchases_form_hash_check CHECK ((length(form_hash) = 32)),
  constraint purchases_form_hash_key UNIQUE (form_hash),
  constraint purchases_key_hash_check CHECK ((length(key_hash) = 32)),
  constraint purchases_key_hash_key UNIQUE (key_hash),
  constraint purchases_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'de'::text, 'ru'::text]))),
  constraint purchases_pkey PRIMARY KEY (public_id),
  constraint purchases_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint purchases_state_check CHECK ((state = ANY (ARRAY['open'::text, 'waits'::text, 'done'::text]))),
  constraint purchases_total_check CHECK ((total > 0)),
  constraint purchases_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table push_keys (
  id smallint default 1 not null,
  public_key text not null,
  private_sealed text not null,
  made_at timestamp with time zone default now() not null,
  constraint push_keys_id_check CHECK ((id = 1)),
  constraint push_keys_pkey PRIMARY KEY (id)
);

create table push_subscriptions (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  session_id bigint not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamp with time zone default now() not null,
  last_ok_at timestamp with time zone,
  constraint push_subscriptions_auth_check CHECK ((length(auth) <= 40)),
  constraint push_subscriptions_endpoint_check CHECK (((length(endpoint) >= 1) AND (length(endpoint) <= 1000))),
  constraint push_subscriptions_endpoint_key UNIQUE (endpoint),
  constraint push_subscriptions_p256dh_check CHECK ((length(p256dh) <= 100)),
  constraint push_subscriptions_pkey PRIMARY KEY (id),
  constraint push_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table received_mails (
  id uuid default gen_random_uuid() not null,
  digest bytea not null,
  way text not null,
  recipient text,
  received_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  state text default 'new'::text not null,
  reason text,
  content bytea,
  from_address text,
  from_name text,
  subject text,
  whole_text text,
  answer text,
  file_names text[] default '{}'::text[] not null,
  user_id uuid,
  address_id bigint,
  ticket_id bigint,
  message_seq integer,
  decided_at timestamp with time zone,
  decided_by uuid,
  constraint received_mails_address_id_fkey FOREIGN KEY (address_id) REFERENCES reply_addresses(id) ON DELETE SET NULL,
  constraint received_mails_check CHECK (((state = 'new'::text) = (decided_at IS NULL))),
  constraint received_mails_check1 CHECK (((state <> ALL (ARRAY['new'::text, 'held'::text])) OR (content IS NOT NULL))),
  constraint received_mails_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint received_mails_digest_check CHECK ((length(digest) = 32)),
  constraint received_mails_digest_key UNIQUE (digest),
  constraint received_mails_from_address_check CHECK ((length(from_address) <= 400)),
  constraint received_mails_from_name_check CHECK ((length(from_name) <= 400)),
  constraint received_mails_pkey PRIMARY KEY (id),
  constraint received_mails_recipient_check CHECK ((length(recipient) <= 400)),
  constraint received_mails_state_check CHECK ((state = ANY (ARRAY['new'::text, 'posted'::text, 'held'::text, 'dropped'::text, 'discarded'::text]))),
  constraint received_mails_subject_check CHECK ((length(subject) <= 400)),
  constraint received_mails_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE,
  constraint received_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint received_mails_way_check CHECK ((way = ANY (ARRAY['imap'::text, 'pipe'::text])))
);

create table recovery_codes (
  user_id uuid not null,
  place smallint not null,
  digest bytea not null,
  sealed text not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, place),
  constraint recovery_codes_user_id_digest_key UNIQUE (user_id, digest),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES recovery_sets(user_id) ON DELETE CASCADE
);

create table recovery_sets (
  user_id uuid not null,
  id integer default nextval('authenticator_ids'::regclass) not null,
  total_count smallint not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint recovery_sets_id_key UNIQUE (id),
  constraint recovery_sets_pkey PRIMARY KEY (user_id),
  constraint recovery_sets_total_count_check CHECK ((total_count > 0)),
  constraint recovery_sets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table redemptions (
  voucher_id bigint not null,
  slot integer not null,
  uses integer not null,
  user_id uuid not null,
  transaction_id uuid not null,
  constraint redemptions_check CHECK (((slot >= 1) AND (slot <= uses))),
  constraint redemptions_pkey PRIMARY KEY (voucher_id, slot),
  constraint redemptions_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id),
  constraint redemptions_transaction_id_key UNIQUE (transaction_id),
  constraint redemptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint redemptions_voucher_id_user_id_key UNIQUE (voucher_id, user_id),
  constraint redemptions_voucher_id_uses_fkey FOREIGN KEY (voucher_id, uses) REFERENCES vouchers(id, uses)
);

create table refresh_tokens (
  token_hash bytea not null,
  session_id bigint not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  parent_hash bytea,
  issued_at timestamp with time zone default now() not null,
  constraint refresh_tokens_parent_hash_key UNIQUE (parent_hash),
  constraint refresh_tokens_pkey PRIMARY KEY (token_hash),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);

create table reply_addresses (
  id bigint generated always as identity not null,
  ticket_id bigint not null,
  user_id uuid not null,
  issued_at timestamp with time zone default now() not null,
  carried_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint reply_addresses_id_check CHECK ((id < '1099511627776'::bigint)),
  constraint reply_addresses_pkey PRIMARY KEY (id),
  constraint reply_addresses_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE,
  constraint reply_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table requested_hosts (
  agreement_id uuid not null,
  host_id bigint not null,
  user_id uuid not null,
  constraint requested_hosts_agreement_id_fkey FOREIGN KEY (agreement_id) REFERENCES payment_agreements(id) ON DELETE CASCADE,
  constraint requested_hosts_pkey PRIMARY KEY (agreement_id, host_id),
  constraint requested_hosts_user_id_host_id_fkey FOREIGN KEY (user_id, host_id) REFERENCES hosts(user_id, id) ON DELETE CASCADE
);

create table revocation_list (
  one boolean default true not null,
  seq bigint not null,
  changed_at timestamp with time zone default now() not null,
  constraint revocation_list_one_check CHECK (one),
  constraint revocation_list_pkey PRIMARY KEY (one)
);

create table revocations (
  seq bigint not null,
  sub text not null,
  before bigint not null,
  reason text not null,
  until timestamp with time zone not null,
  begins_at timestamp with time zone,
  constraint revocations_pkey PRIMARY KEY (seq),
  constraint revocations_reason_check CHECK ((reason = ANY (ARRAY['suspended'::text, 'cut_short'::text, 'address'::text, 'deleted'::text, 'released'::text, 'transferred'::text, 'key'::text])))
);

create table robot_tokens (
  id uuid default gen_random_uuid() not null,
  robot_id uuid not null,
  name text not null,
  token_hash bytea not null,
  hint text not null,
  made_by uuid,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  last_used_ip inet,
  warned_days smallint,
  ended_at timestamp with time zone,
  ended_why text,
  constraint robot_tokens_check CHECK (((ended_at IS NULL) = (ended_why IS NULL))),
  constraint robot_tokens_ended_why_check CHECK ((ended_why = ANY (ARRAY['owner'::text, 'robot'::text, 'leak'::text, 'expired'::text]))),
  constraint robot_tokens_hint_check CHECK ((length(hint) <= 20)),
  constraint robot_tokens_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint robot_tokens_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint robot_tokens_pkey PRIMARY KEY (id),
  constraint robot_tokens_robot_id_fkey FOREIGN KEY (robot_id) REFERENCES robots(id) ON DELETE CASCADE,
  constraint robot_tokens_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint robot_tokens_token_hash_key UNIQUE (token_hash)
);

create table robots (
  id uuid not null,
  name text not null,
  made_by uuid,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint robots_id_fkey FOREIGN KEY (id) REFERENCES users(id) ON DELETE CASCADE,
  constraint robots_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint robots_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint robots_pkey PRIMARY KEY (id)
);

create table secret_keys (
  fingerprint text not null,
  made_at timestamp with time zone default now() not null,
  retired_at timestamp with time zone,
  digests text,
  constraint secret_keys_pkey PRIMARY KEY (fingerprint)
);

create table sessions (
  id bigint generated always as identity not null,
  user_id uuid not null,
  token_hash bytea not null,
  generation integer default 1 not null,
  methods jsonb default '[]'::jsonb not null,
  scratch jsonb default '{}'::jsonb not null,
  ip inet not null,
  user_agent text not null,
  created_at timestamp with time zone default now() not null,
  written_at timestamp with time zone default now() not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_key UNIQUE (token_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table setup_waived (
  item text not null,
  waived_at timestamp with time zone default now() not null,
  constraint setup_waived_item_check CHECK ((item ~ '^[a-z_]{1,40}$'::text)),
  constraint setup_waived_pkey PRIMARY KEY (item)
);

create table signing_keys (
  kid text not null,
  public_key text not null,
  private_key text,
  created_at timestamp with time zone default now() not null,
  retired_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint signing_keys_check CHECK (((private_key IS NULL) = (retired_at IS NOT NULL))),
  constraint signing_keys_kid_check CHECK ((length(kid) = 43)),
  constraint signing_keys_pkey PRIMARY KEY (kid),
  constraint signing_keys_public_key_check CHECK ((length(public_key) = 43)),
  constraint signing_keys_withdrawn_is_retired CHECK (((withdrawn_at IS NULL) OR (retired_at IS NOT NULL)))
);

create table statement_files (
  statement_id bigint not null,
  user_id uuid not null,
  content bytea not null,
  made_at timestamp with time zone default now() not null,
  constraint statement_files_pkey PRIMARY KEY (statement_id),
  constraint statement_files_statement_id_user_id_fkey FOREIGN KEY (statement_id, user_id) REFERENCES statements(id, user_id) ON DELETE CASCADE
);

create table statement_keys (
  kid text not null,
  public_key text not null,
  private_key text,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  retired_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint statement_keys_check CHECK (((private_key IS NULL) = (retired_at IS NOT NULL))),
  constraint statement_keys_check1 CHECK (((withdrawn_at IS NULL) OR (retired_at IS NOT NULL))),
  constraint statement_keys_kid_check CHECK ((length(kid) = 43)),
  constraint statement_keys_pkey PRIMARY KEY (kid),
  constraint statement_keys_public_key_check CHECK ((length(public_key) = 43))
);

create table statement_months (
  month text not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  begun_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  root text,
  kid text,
  signature text,
  constraint statement_months_check CHECK ((until > since)),
  constraint statement_months_check1 CHECK ((((root IS NULL) = (kid IS NULL)) AND ((root IS NULL) = (signature IS NULL)))),
  constraint statement_months_kid_fkey FOREIGN KEY (kid) REFERENCES statement_keys(kid),
  constraint statement_months_month_check CHECK ((month ~ '^\d{4}-(0[1-9]|1[0-2])$'::text)),
  constraint statement_months_pkey PRIMARY KEY (month),
  constraint statement_months_root_check CHECK ((root ~ '^[0-9a-f]{64}$'::text)),
  constraint statement_months_signature_check CHECK ((signature ~ '^[0-9a-f]{128}$'::text))
);

create table statements (
  id bigint generated always as identity not null,
  user_id uuid not null,
  month text not null,
  first_seq bigint not null,
  last_seq bigint not null,
  body text not null,
  hash text not null,
  proof text default ''::text not null,
  kid text,
  signature text,
  constraint statements_check CHECK ((last_seq >= first_seq)),
  constraint statements_check1 CHECK (((kid IS NULL) = (signature IS NULL))),
  constraint statements_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  constraint statements_id_user_id_key UNIQUE (id, user_id),
  constraint statements_kid_fkey FOREIGN KEY (kid) REFERENCES statement_keys(kid),
  constraint statements_month_fkey FOREIGN KEY (month) REFERENCES statement_months(month),
  constraint statements_pkey PRIMARY KEY (id),
  constraint statements_proof_check CHECK ((proof ~ '^([0-9a-f]{64}( [0-9a-f]{64})*)?$'::text)),
  constraint statements_signature_check CHECK ((signature ~ '^[0-9a-f]{128}$'::text)),
  constraint statements_user_id_first_seq_key UNIQUE (user_id, first_seq),
  constraint statements_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint statements_user_id_month_key UNIQUE (user_id, month)
);

create table suspended_addresses (
  address text not null,
  user_id uuid not null,
  suspended_at timestamp with time zone default now() not null,
  reason text not null,
  constraint suspended_addresses_address_check CHECK ((length(address) <= 400)),
  constraint suspended_addresses_pkey PRIMARY KEY (address),
  constraint suspended_addresses_reason_check CHECK ((length(reason) <= 500)),
  constraint suspended_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table suspensions (
  id uuid default gen_random_uuid() not null,
  host_id bigint not null,
  user_id uuid not null,
  reason text not null,
  text_public text not null,
  text_internal text not null,
  starts_at timestamp with time zone default clock_timestamp() not null,
  suspended_by uuid,
  lifted_at timestamp with time zone,
  lifted_by uuid,
  debt_id uuid,
  constraint suspensions_check CHECK ((lifted_at >= starts_at)),
  constraint suspensions_check1 CHECK (((lifted_at IS NOT NULL) OR (lifted_by IS NULL))),
  constraint suspensions_debt_id_fkey FOREIGN KEY (debt_id) REFERENCES debts(id),
  constraint suspensions_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint suspensions_lifted_by_fkey FOREIGN KEY (lifted_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint suspensions_pkey PRIMARY KEY (id),
  constraint suspensions_reason_check CHECK ((reason = ANY (ARRAY['charge_back'::text, 'debt'::text, 'abuse'::text, 'other'::text]))),
  constraint suspensions_suspended_by_fkey FOREIGN KEY (suspended_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint suspensions_text_internal_check CHECK (((length(text_internal) >= 1) AND (length(text_internal) <= 800))),
  constraint suspensions_text_public_check CHECK ((length(text_public) <= 2000)),
  constraint suspensions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table ticket_mails (
  ticket_id bigint not null,
  user_id uuid not null,
  seq integer not null,
  reply_seq integer default 0 not null,
  first_unmailed_at timestamp with time zone,
  due_at timestamp with time zone,
  last_mailed_at timestamp with time zone,
  constraint ticket_mails_check CHECK (((due_at IS NULL) = (first_unmailed_at IS NULL))),
  constraint ticket_mails_pkey PRIMARY KEY (ticket_id),
  constraint ticket_mails_user_id_ticket_id_fkey FOREIGN KEY (user_id, ticket_id) REFERENCES tickets(user_id, id) ON DELETE CASCADE
);

create table ticket_mails_sent (
  mail_id uuid not null,
  ticket_id bigint not null,
  user_id uuid not null,
  address_id bigint,
  to_address text not null,
  seq integer not null,
  sent_at timestamp with time zone default now() not null,
  returned_at timestamp with time zone,
  reason text,
  constraint ticket_mails_sent_address_id_fkey FOREIGN KEY (address_id) REFERENCES reply_addresses(id) ON DELETE SET NULL,
  constraint ticket_mails_sent_pkey PRIMARY KEY (mail_id),
  constraint ticket_mails_sent_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE,
  constraint ticket_mails_sent_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table ticket_merges (
  ticket_id bigint not null,
  user_id uuid not null,
  into_id bigint not null,
  merged_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  before jsonb not null,
  into_before jsonb not null,
  into_after jsonb not null,
  constraint ticket_merges_pkey PRIMARY KEY (ticket_id),
  constraint ticket_merges_user_id_ticket_id_fkey FOREIGN KEY (user_id, ticket_id) REFERENCES tickets(user_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);

create table ticket_messages (
  ticket_id bigint not null,
  seq integer not null,
  customer_seq integer,
  user_id uuid not null,
  author_id uuid,
  by_staff boolean not null,
  kind text not null,
  client_id uuid default gen_random_uuid() not null,
  text text default ''::text not null,
  event jsonb,
  attachments jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  search tsvector generated always as ((((to_tsvector('english'::regconfig, text) || to_tsvector('german'::regconfig, text)) || to_tsvector('russian'::regconfig, text)) || to_tsvector('simple'::regconfig, "left"(searchable(text), 100000)))) stored,
  by_mail boolean default false not null,
  redacted jsonb,
  moved jsonb,
  secret_id uuid,
  constraint ticket_messages_check CHECK (((kind = 'note'::text) = (customer_seq IS NULL))),
  constraint ticket_messages_check1 CHECK (((kind <> 'note'::text) OR by_staff)),
  constraint ticket_messages_check2 CHECK (((kind = 'event'::text) = (event IS NOT NULL))),
  constraint ticket_messages_kind_check CHECK ((kind = ANY (ARRAY['comment'::text, 'note'::text, 'event'::text]))),
  constraint ticket_messages_pkey PRIMARY KEY (ticket_id, seq),
  constraint ticket_messages_text_check CHECK ((length(text) <= 40000)),
  constraint ticket_messages_ticket_id_customer_seq_key UNIQUE (ticket_id, customer_seq),
  constraint ticket_messages_user_id_ticket_id_fkey FOREIGN KEY (user_id, ticket_id) REFERENCES tickets(user_id, id) ON DELETE CASCADE
);

create table ticket_ratings (
  id bigint generated always as identity not null,
  ticket_id bigint not null,
  user_id uuid not null,
  face text not null,
  word text default ''::text not null,
  rated_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  constraint ticket_ratings_face_check CHECK ((face = ANY (ARRAY['good'::text, 'fair'::text, 'poor'::text]))),
  constraint ticket_ratings_pkey PRIMARY KEY (id),
  constraint ticket_ratings_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE,
  constraint ticket_ratings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint ticket_ratings_word_check CHECK ((length(word) <= 2000))
);

create table ticket_readers (
  ticket_id bigint not null,
  user_id uuid not null,
  seq integer not null,
  read_at timestamp with time zone default now() not null,
  is_helper boolean default false not null,
  constraint ticket_readers_pkey PRIMARY KEY (ticket_id, user_id),
  constraint ticket_readers_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE
);

create table ticket_secrets (
  id uuid not null,
  ticket_id bigint not null,
  user_id uuid not null,
  by_staff boolean not null,
  sealed text,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  expires_at timestamp with time zone default (date_trunc('milliseconds'::text, now()) + '30 days'::interval) not null,
  opened_at timestamp with time zone,
  opened_by uuid,
  wiped_at timestamp with time zone,
  constraint ticket_secrets_check CHECK (((opened_at IS NULL) = (opened_by IS NULL))),
  constraint ticket_secrets_check1 CHECK (((opened_at IS NULL) OR (wiped_at IS NULL))),
  constraint ticket_secrets_check2 CHECK (((sealed IS NULL) = ((opened_at IS NOT NULL) OR (wiped_at IS NOT NULL)))),
  constraint ticket_secrets_pkey PRIMARY KEY (id),
  constraint ticket_secrets_user_id_ticket_id_fkey FOREIGN KEY (user_id, ticket_id) REFERENCES tickets(user_id, id) ON UPDATE CASCADE ON DELETE CASCADE
);

create table ticket_tags (
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint ticket_tags_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40))),
  constraint ticket_tags_pkey PRIMARY KEY (name)
);

create table tickets (
  id bigint generated always as identity not null,
  public_id text not null,
  number integer generated always as identity not null,
  user_id uuid not null,
  host_id bigint,
  host_public_id text,
  subject text not null,
  topic text not null,
  priority text default 'medium'::text not null,
  status text default 'opened'::text not null,
  assignee_id uuid,
  previous_id bigint,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  last_message_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  waiting_since timestamp with time zone,
  pending_since timestamp with time zone,
  first_reply_at timestamp with time zone,
  closed_at timestamp with time zone,
  staff_seq integer default 0 not null,
  customer_seq integer default 0 not null,
  client_id uuid,
  search tsvector generated always as ((((to_tsvector('english'::regconfig, subject) || to_tsvector('german'::regconfig, subject)) || to_tsvector('russian'::regconfig, subject)) || to_tsvector('simple'::regconfig, searchable(subject)))) stored,
  warned_of timestamp with time zone,
  spam_at timestamp with time zone,
  tags text[] default '{}'::text[] not null,
  snoozed_at timestamp with time zone,
  snoozed_until timestamp with time zone,
  merged_into_id bigint,
  merged_count integer default 0 not null,
  due_at timestamp with time zone,
  due_since timestamp with time zone,
  constraint tickets_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint tickets_check CHECK (((status = 'closed'::text) = (closed_at IS NOT NULL))),
  constraint tickets_check1 CHECK (((status <> 'in-progress'::text) OR (assignee_id IS NOT NULL))),
  constraint tickets_check2 CHECK (COALESCE(isfinite(snoozed_at), (snoozed_until IS NULL))),
  constraint tickets_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint tickets_number_key UNIQUE (number),
  constraint tickets_pkey PRIMARY KEY (id),
  constraint tickets_previous_id_fkey FOREIGN KEY (previous_id) REFERENCES tickets(id) ON DELETE SET NULL,
  constraint tickets_priority_check CHECK ((priority = ANY (ARRAY['critical'::text, 'high'::text, 'medium'::text, 'low'::text, 'very_low'::text]))),
  constraint tickets_public_id_check CHECK ((length(public_id) = 22)),
  constraint tickets_public_id_key UNIQUE (public_id),
  constraint tickets_status_check CHECK ((status = ANY (ARRAY['opened'::text, 'pending'::text, 'in-progress'::text, 'closed'::text]))),
  constraint tickets_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 400))),
  constraint tickets_tags_check CHECK ((cardinality(tags) <= 10)),
  constraint tickets_topic_check CHECK ((topic = ANY (ARRAY['technical'::text, 'finances'::text, 'finances_sales'::text, 'finances_chargeback'::text, 'miscellaneous'::text, 'review'::text]))),
  constraint tickets_user_id_client_id_key UNIQUE (user_id, client_id),
  constraint tickets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint tickets_user_id_id_key UNIQUE (user_id, id)
);

create table tickets_to_erase (
  ticket_id bigint not null,
  user_id uuid not null,
  constraint tickets_to_erase_pkey PRIMARY KEY (ticket_id),
  constraint tickets_to_erase_user_id_ticket_id_fkey FOREIGN KEY (user_id, ticket_id) REFERENCES tickets(user_id, id) ON DELETE CASCADE
);

create table top_ups (
  id bigint generated always as identity not null,
  public_id text not null,
  user_id uuid not null,
  provider text not null,
  amount bigint not null,
  currency text not null,
  status text default 'pending'::text not null,
  reference text,
  redirect_url text,
  payment_reference text,
  created_at timestamp with time zone default date_trunc('milliseconds'::text, now()) not null,
  reminded_at timestamp with time zone,
  for_checkout boolean default false not null,
  method_id uuid,
  charge_reference text,
  constraint top_ups_amount_check CHECK ((amount > 0)),
  constraint top_ups_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint top_ups_id_user_id_key UNIQUE (id, user_id),
  constraint top_ups_pkey PRIMARY KEY (id),
  constraint top_ups_provider_check CHECK ((provider = ANY (ARRAY['test'::text, 'bank'::text, 'stripe'::text, 'mollie'::text]))),
  constraint top_ups_public_id_check CHECK ((public_id ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint top_ups_public_id_key UNIQUE (public_id),
  constraint top_ups_reference_key UNIQUE (reference),
  constraint top_ups_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'cancelled'::text, 'charged_back'::text, 'corrected'::text]))),
  constraint top_ups_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table totp_authenticators (
  user_id uuid not null,
  id integer default nextval('authenticator_ids'::regclass) not null,
  secret text not null,
  last_step bigint default '-1'::integer not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint totp_authenticators_id_key UNIQUE (id),
  constraint totp_authenticators_pkey PRIMARY KEY (user_id),
  constraint totp_authenticators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table transaction_documents (
  transaction_id uuid not null,
  user_id uuid not null,
  invoice_id text not null,
  constraint transaction_documents_invoice_id_key UNIQUE (invoice_id),
  constraint transaction_documents_pkey PRIMARY KEY (transaction_id),
  constraint transaction_documents_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES transactions(id),
  constraint transaction_documents_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table transaction_types (
  type text not null,
  sign smallint not null,
  counterpart text not null,
  reverses text,
  must_reverse boolean not null,
  constraint transaction_types_check CHECK (((reverses IS NOT NULL) OR (NOT must_reverse))),
  constraint transaction_types_counterpart_check CHECK ((counterpart = ANY (ARRAY['payments'::text, 'promotions'::text, 'revenue'::text]))),
  constraint transaction_types_pkey PRIMARY KEY (type),
  constraint transaction_types_reverses_fkey FOREIGN KEY (reverses) REFERENCES transaction_types(type),
  constraint transaction_types_sign_check CHECK ((sign = ANY (ARRAY['-1'::integer, 0, 1])))
);

create table transactions (
  id uuid not null,
  type text not null,
  user_id uuid not null,
  currency text not null,
  host_id text,
  description jsonb not null,
  reverses uuid,
  created_at timestamp with time zone default now() not null,
  splits uuid,
  splits_document text,
  constraint splits_a_document CHECK ((((type = 'vat_split'::text) = (splits IS NOT NULL)) AND ((splits IS NULL) = (splits_document IS NULL)))),
  constraint splits_its_own FOREIGN KEY (splits, user_id, currency) REFERENCES transactions(id, user_id, currency),
  constraint transactions_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint transactions_id_user_id_currency_key UNIQUE (id, user_id, currency),
  constraint transactions_pkey PRIMARY KEY (id),
  constraint transactions_reverses_user_id_currency_fkey FOREIGN KEY (reverses, user_id, currency) REFERENCES transactions(id, user_id, currency),
  constraint transactions_type_fkey FOREIGN KEY (type) REFERENCES transaction_types(type),
  constraint transactions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table trial_addresses (
  address inet not null,
  host_id bigint not null,
  user_id uuid not null,
  constraint trial_addresses_address_check CHECK ((masklen(address) =
CASE family(address)
    WHEN 4 THEN 32
    ELSE 64
END)),
  constraint trial_addresses_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint trial_addresses_pkey PRIMARY KEY (address),
  constraint trial_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table trials (
  user_id uuid not null,
  edition text not null,
  order_id uuid not null,
  host_id bigint not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  constraint trials_check CHECK ((ends_at > starts_at)),
  constraint trials_edition_fkey FOREIGN KEY (edition) REFERENCES editions(slug),
  constraint trials_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint trials_order_id_fkey FOREIGN KEY (order_id) REFERENCES licence_orders(id) DEFERRABLE INITIALLY DEFERRED,
  constraint trials_pkey PRIMARY KEY (user_id, edition),
  constraint trials_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table unbooked_events (
  id uuid default gen_random_uuid() not null,
  place bigint generated always as identity not null,
  provider text not null,
  event_id text not null,
  kind text not null,
  cause text not null,
  user_id uuid,
  top_up_id bigint,
  payment_reference text,
  amount bigint,
  currency text,
  reason text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  done_at timestamp with time zone,
  done_by uuid,
  done_note text default ''::text not null,
  constraint unbooked_events_amount_check CHECK ((amount > 0)),
  constraint unbooked_events_cause_check CHECK ((cause ~ '^[a-z_]{1,40}$'::text)),
  constraint unbooked_events_check CHECK (((done_at IS NOT NULL) OR ((done_by IS NULL) AND (done_note = ''::text)))),
  constraint unbooked_events_done_by_fkey FOREIGN KEY (done_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint unbooked_events_event_id_check CHECK (((length(event_id) >= 1) AND (length(event_id) <= 255))),
  constraint unbooked_events_kind_check CHECK ((kind ~ '^[a-z_]{1,40}$'::text)),
  constraint unbooked_events_pkey PRIMARY KEY (id),
  constraint unbooked_events_place_key UNIQUE (place),
  constraint unbooked_events_provider_event_id_cause_key UNIQUE (provider, event_id, cause),
  constraint unbooked_events_top_up_id_fkey FOREIGN KEY (top_up_id) REFERENCES top_ups(id),
  constraint unbooked_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table users (
  id uuid default gen_random_uuid() not null,
  email text not null,
  locale text default 'en'::text not null,
  is_staff boolean default false not null,
  is_active boolean default true not null,
  has_password boolean default false not null,
  factors text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  last_login_at timestamp with time zone,
  is_example boolean default false not null,
  time_zone text,
  staff_roles text[] default '{}'::text[] not null,
  access text default 'open'::text not null,
  access_message text default ''::text not null,
  first_page text default 'servers'::text not null,
  kind text default 'person'::text not null,
  constraint access_is_known CHECK ((access = ANY (ARRAY['open'::text, 'blocked'::text, 'locked'::text]))),
  constraint first_page_is_known CHECK ((first_page = ANY (ARRAY['servers'::text, 'tickets'::text, 'today'::text]))),
  constraint kind_is_known CHECK ((kind = ANY (ARRAY['person'::text, 'robot'::text]))),
  constraint robots_prove_nothing CHECK (((kind = 'person'::text) OR ((NOT has_password) AND (factors = '{}'::text[]) AND (NOT ('owner'::text = ANY (staff_roles)))))),
  constraint staff_roles_are_staff CHECK (((cardinality(staff_roles) > 0) = is_staff)),
  constraint staff_roles_known CHECK ((staff_roles <@ '{support,billing,admin,owner}'::text[])),
  constraint users_access_message_check CHECK ((length(access_message) <= 2000)),
  constraint users_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint users_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'de'::text, 'ru'::text]))),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_time_zone_check CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 64)))
);

create table vain_sign_ups (
  id bigint generated always as identity not null,
  address_id bigint not null,
  hash text not null,
  signed_up_at timestamp with time zone default now() not null,
  constraint vain_sign_ups_address_id_fkey FOREIGN KEY (address_id) REFERENCES email_addresses(id) ON DELETE CASCADE,
  constraint vain_sign_ups_id_key UNIQUE (id),
  constraint vain_sign_ups_pkey PRIMARY KEY (address_id)
);

create table vat_id_checks (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  vat_id text not null,
  source text not null,
  verdict text not null,
  asked_at timestamp with time zone default clock_timestamp() not null,
  answered_at timestamp with time zone,
  requester text default ''::text not null,
  consultation_number text default ''::text not null,
  name text default ''::text not null,
  address text default ''::text not null,
  raw jsonb,
  constraint vat_id_checks_address_check CHECK ((length(address) <= 1000)),
  constraint vat_id_checks_check CHECK (((verdict = 'unverified'::text) = (answered_at IS NULL))),
  constraint vat_id_checks_check1 CHECK (((verdict = 'unverified'::text) OR (source <> 'format'::text))),
  constraint vat_id_checks_consultation_number_check CHECK ((length(consultation_number) <= 60)),
  constraint vat_id_checks_name_check CHECK ((length(name) <= 1000)),
  constraint vat_id_checks_pkey PRIMARY KEY (id),
  constraint vat_id_checks_requester_check CHECK ((length(requester) <= 40)),
  constraint vat_id_checks_source_check CHECK ((source = ANY (ARRAY['vies'::text, 'format'::text, 'recorded'::text]))),
  constraint vat_id_checks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint vat_id_checks_vat_id_check CHECK ((vat_id ~ '^[A-Z]{2}[A-Z0-9+*]{2,28}$'::text)),
  constraint vat_id_checks_verdict_check CHECK ((verdict = ANY (ARRAY['valid'::text, 'invalid'::text, 'unverified'::text])))
);

create table vat_overrides (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  treatment text not null,
  vat_id text not null,
  reason text not null,
  by uuid,
  valid_until timestamp with time zone,
  at timestamp with time zone default clock_timestamp() not null,
  place text default ''::text not null,
  constraint vat_overrides_by_fkey FOREIGN KEY (by) REFERENCES users(id) ON DELETE SET NULL,
  constraint vat_overrides_check CHECK (((treatment <> 'business'::text) OR (vat_id <> ''::text))),
  constraint vat_overrides_pkey PRIMARY KEY (id),
  constraint vat_overrides_place_check CHECK ((place ~ '^([A-Z]{2}(-[A-Z0-9]{1,12})?)?$'::text)),
  constraint vat_overrides_place_check1 CHECK (((treatment = ANY (ARRAY['resident'::text, 'elsewhere'::text])) = (place <> ''::text))),
  constraint vat_overrides_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 800))),
  constraint vat_overrides_treatment_check CHECK ((treatment = ANY (ARRAY['automatic'::text, 'business'::text, 'consumer'::text, 'resident'::text, 'elsewhere'::text]))),
  constraint vat_overrides_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint vat_overrides_vat_id_check CHECK ((vat_id ~ '^([A-Z]{2}[A-Z0-9+*]{2,28})?$'::text))
);

create table verification_keys (
  token_hash bytea not null,
  address_id bigint not null,
  expires_at timestamp with time zone not null,
  constraint verification_keys_address_id_fkey FOREIGN KEY (address_id) REFERENCES email_addresses(id) ON DELETE CASCADE,
  constraint verification_keys_pkey PRIMARY KEY (token_hash)
);

create table view_sessions (
  id uuid default gen_random_uuid() not null,
  member_id uuid not null,
  session_id bigint not null,
  customer_id uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint view_sessions_check CHECK ((member_id <> customer_id)),
  constraint view_sessions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint view_sessions_member_id_fkey FOREIGN KEY (member_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint view_sessions_pkey PRIMARY KEY (id),
  constraint view_sessions_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);

create table vouchers (
  id bigint generated always as identity not null,
  code_hash bytea not null,
  amount bigint not null,
  currency text not null,
  uses integer not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  note text default ''::text not null,
  made_by uuid,
  voided_at timestamp with time zone,
  voided_by uuid,
  void_reason text,
  constraint void_has_a_reason CHECK (((voided_at IS NULL) = (void_reason IS NULL))),
  constraint vouchers_amount_check CHECK ((amount > 0)),
  constraint vouchers_code_hash_key UNIQUE (code_hash),
  constraint vouchers_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint vouchers_id_uses_key UNIQUE (id, uses),
  constraint vouchers_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint vouchers_note_check CHECK ((length(note) <= 800)),
  constraint vouchers_pkey PRIMARY KEY (id),
  constraint vouchers_uses_check CHECK ((uses > 0)),
  constraint vouchers_void_reason_check CHECK (((length(void_reason) >= 1) AND (length(void_reason) <= 800))),
  constraint vouchers_voided_by_fkey FOREIGN KEY (voided_by) REFERENCES users(id) ON DELETE SET NULL
);

create table webhook_attempts (
  endpoint_id uuid not null,
  slot smallint not null,
  user_id uuid,
  number bigint not null,
  seq bigint,
  event_id text not null,
  type text not null,
  url text not null,
  at timestamp with time zone default now() not null,
  took_ms integer not null,
  signature text not null,
  body text,
  status smallint,
  answer_headers jsonb,
  answer text,
  failure text,
  constraint webhook_attempts_check CHECK (((status IS NULL) <> (failure IS NULL))),
  constraint webhook_attempts_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  constraint webhook_attempts_pkey PRIMARY KEY (endpoint_id, slot),
  constraint webhook_attempts_slot_check CHECK (((slot >= 0) AND (slot <= 49)))
);

create table webhook_endpoints (
  id uuid default gen_random_uuid() not null,
  user_id uuid,
  url text not null,
  description text default ''::text not null,
  types text[] default '{}'::text[] not null,
  host_ids text[] default '{}'::text[] not null,
  state text default 'enabled'::text not null,
  disabled_why text,
  secret_sealed text not null,
  old_secret_sealed text,
  old_secret_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  last_ok_at timestamp with time zone,
  failing_since timestamp with time zone,
  warned_at timestamp with time zone,
  skipped bigint[] default '{}'::bigint[] not null,
  missed_at timestamp with time zone,
  attempts bigint default 0 not null,
  constraint webhook_endpoints_check CHECK (((state = 'disabled'::text) = (disabled_why IS NOT NULL))),
  constraint webhook_endpoints_check1 CHECK (((old_secret_sealed IS NULL) = (old_secret_until IS NULL))),
  constraint webhook_endpoints_description_check CHECK ((length(description) <= 200)),
  constraint webhook_endpoints_disabled_why_check CHECK ((disabled_why = ANY (ARRAY['gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_skipped_check CHECK ((cardinality(skipped) <= 100)),
  constraint webhook_endpoints_state_check CHECK ((state = ANY (ARRAY['enabled'::text, 'paused'::text, 'disabled'::text]))),
  constraint webhook_endpoints_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2000))),
  constraint webhook_endpoints_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table webhook_lanes (
  endpoint_id uuid not null,
  lane smallint not null,
  user_id uuid,
  seq bigint not null,
  failures integer default 0 not null,
  first_failed_at timestamp with time zone,
  next_at timestamp with time zone default now() not null,
  lease uuid,
  leased_until timestamp with time zone,
  constraint webhook_lanes_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  constraint webhook_lanes_lane_check CHECK (((lane >= 0) AND (lane <= 7))),
  constraint webhook_lanes_pkey PRIMARY KEY (endpoint_id, lane),
  constraint webhook_lanes_seq_check CHECK ((seq >= 0))
);

create table withdrawal_refunds (
  withdrawal_id uuid not null,
  user_id uuid not null,
  refund_transaction_id uuid not null,
  at timestamp with time zone default clock_timestamp() not null,
  constraint withdrawal_refunds_pkey PRIMARY KEY (withdrawal_id),
  constraint withdrawal_refunds_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint withdrawal_refunds_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawals(id) ON DELETE CASCADE
);

create table withdrawals (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  order_id uuid not null,
  transaction_id uuid not null,
  declared_at timestamp with time zone not null,
  proposed_refund bigint not null,
  currency text not null,
  constraint withdrawals_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint withdrawals_order_id_fkey FOREIGN KEY (order_id) REFERENCES licence_orders(id),
  constraint withdrawals_order_id_key UNIQUE (order_id),
  constraint withdrawals_pkey PRIMARY KEY (id),
  constraint withdrawals_proposed_refund_check CHECK ((proposed_refund >= 0)),
  constraint withdrawals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);


-- Parts of tables

alter table account_events attach partition account_events_0 FOR VALUES IN ('0');
alter table account_events attach partition account_events_1 FOR VALUES IN ('1');
alter table account_events attach partition account_events_2 FOR VALUES IN ('2');
alter table account_events attach partition account_events_3 FOR VALUES IN ('3');
alter table account_events attach partition account_events_4 FOR VALUES IN ('4');
alter table account_events attach partition account_events_5 FOR VALUES IN ('5');
alter table account_events attach partition account_events_6 FOR VALUES IN ('6');
alter table account_events attach partition account_events_7 FOR VALUES IN ('7');
alter table live_events attach partition live_events_0 FOR VALUES IN ('0');
alter table live_events attach partition live_events_1 FOR VALUES IN ('1');
alter table live_events attach partition live_events_2 FOR VALUES IN ('2');
alter table live_events attach partition live_events_3 FOR VALUES IN ('3');

-- Views

create view announcement_hosts with (security_invoker=true) as
 SELECT user_id,
    ipv4,
    ( SELECT l.plan
           FROM licence_at(h.id, now()) l(plan, plan_name, edition, term, price, net, currency, entitlements, ordered_at, starts_at, ends_at)
          WHERE ((l.starts_at <= now()) AND (l.ends_at > now()))) AS plan
   FROM hosts h
  WHERE (deleted_at IS NULL);

create view announcement_readers with (security_invoker=true) as
 SELECT id AS user_id,
    email,
    locale,
    (EXISTS ( SELECT
           FROM email_addresses e
          WHERE ((e.user_id = u.id) AND (e.email = u.email) AND (e.verified_at IS NOT NULL)))) AS is_proven
   FROM users u
  WHERE (is_active AND (access <> 'locked'::text));

create view customer_list with (security_invoker=true) as
 SELECT u.id AS user_id,
    u.email,
    u.created_at,
    u.last_login_at,
    u.is_staff,
    p.name,
    p.middle_name,
    p.surname,
    p.company,
    p.country,
    b.currency,
    b.balance,
    COALESCE(( SELECT true
           FROM email_addresses e
          WHERE ((e.user_id = u.id) AND (e.verified_at IS NOT NULL))
         LIMIT 1), false) AS is_proven,
    ( SELECT (count(*))::integer AS count
           FROM hosts h
          WHERE ((h.user_id = u.id) AND (h.deleted_at IS NULL))) AS hosts,
    ( SELECT (count(*))::integer AS count
           FROM tickets t
          WHERE ((t.user_id = u.id) AND (t.status <> 'closed'::text))) AS open_tickets,
    u.access
   FROM ((users u
     JOIN profiles p ON ((p.user_id = u.id)))
     LEFT JOIN balances b ON ((b.user_id = u.id)))
  WHERE u.is_active;

create view due_renewals with (security_invoker=true) as
 SELECT h.id AS host_id,
    h.user_id,
    p.ends_at,
    (p.ends_at - '24:00:00'::interval) AS charged_at,
    o.vat_rate_bp,
    COALESCE(b.balance, (0)::bigint) AS balance,
    LEAST(w.announced_net, ( SELECT r.net
           FROM plan_prices r
          WHERE ((r.plan = COALESCE(s.renewal_plan, p.plan)) AND (r.renewals_from_at <= GREATEST((p.ends_at - '24:00:00'::interval), now())))
          ORDER BY r.id DESC
         LIMIT 1)) AS net
   FROM (((((hosts h
     JOIN paid_periods p ON (((p.host_id = h.id) AND (p.ends_at = h.paid_until) AND (p.ends_at > p.starts_at))))
     JOIN licence_orders o ON ((o.id = p.order_id)))
     LEFT JOIN licence_settings s ON ((s.host_id = h.id)))
     LEFT JOIN licence_watches w ON ((w.host_id = h.id)))
     LEFT JOIN balances b ON (((b.user_id = h.user_id) AND (b.currency = o.currency))))
  WHERE (h.auto_renew AND (h.deleted_at IS NULL));

create view due_webhook_lanes as
 SELECT l.endpoint_id,
    l.lane,
    l.next_at
   FROM (((webhook_lanes l
     JOIN webhook_endpoints e ON (((e.id = l.endpoint_id) AND (e.state = 'enabled'::text))))
     JOIN account_event_lists a ON (((a.user_id = COALESCE(e.user_id, '00000000-0000-0000-0000-000000000000'::uuid)) AND (a.last_seq > l.seq))))
     LEFT JOIN users u ON ((u.id = e.user_id)))
  WHERE ((l.next_at <= now()) AND COALESCE((l.leased_until <= now()), true) AND ((e.user_id IS NULL) OR (u.is_active AND (u.access <> 'locked'::text))));

create view known_event_epoch as
 SELECT epoch
   FROM account_event_epoch;

create view ledger_documents with (security_invoker=true) as
 SELECT id,
    public_id,
    transaction_id,
    user_id,
    currency,
    vat_country AS country,
    issued_at,
        CASE kind
            WHEN 'invoice'::text THEN vat
            ELSE (- vat)
        END AS vat,
        CASE kind
            WHEN 'invoice'::text THEN total
            ELSE (- total)
        END AS total,
    kind,
    version,
        CASE kind
            WHEN 'invoice'::text THEN gift
            ELSE (- gift)
        END AS gift
   FROM invoices i;

create view paid_ends with (security_invoker=true) as
 SELECT id AS host_id,
    public_id,
    paid_until,
    ( SELECT max(p.ends_at) AS max
           FROM paid_periods p
          WHERE ((p.host_id = h.id) AND (p.ends_at > p.starts_at))) AS periods_until
   FROM hosts h
  WHERE (deleted_at IS NULL);

create view period_values with (security_invoker=true) as
 SELECT p.id,
    p.host_id,
    p.plan,
    o.plan AS ordered_plan,
    p.term,
    o.term AS ordered_term,
    (p.net + p.once_net) AS net,
        CASE
            WHEN (o.kind = 'trial'::text) THEN (0)::bigint
            WHEN (NOT (EXISTS ( SELECT
               FROM licence_orders s
              WHERE ((s.transaction_id = o.transaction_id) AND (s.host_id <> o.host_id))))) THEN documented_net(COALESCE(o.payer_id, o.user_id), o.transaction_id)
            ELSE NULL::bigint
        END AS documented_net
   FROM (paid_periods p
     JOIN licence_orders o ON ((o.id = p.order_id)));

create view plan_renewals with (security_invoker=true) as
 SELECT COALESCE(s.renewal_plan, p.plan) AS plan,
    h.id AS host_id,
    h.user_id,
    p.ends_at,
    w.announced_net,
    h.public_id,
    h.name
   FROM (((hosts h
     JOIN paid_periods p ON (((p.host_id = h.id) AND (p.ends_at = h.paid_until) AND (p.ends_at > p.starts_at))))
     LEFT JOIN licence_settings s ON ((s.host_id = h.id)))
     LEFT JOIN licence_watches w ON ((w.host_id = h.id)))
  WHERE (h.auto_renew AND (h.deleted_at IS NULL));

create view sale_values with (security_invoker=true) as
 SELECT o.transaction_id,
    (sum((p.net + p.once_net)))::bigint AS net,
    (sum(o.total))::bigint AS total,
    min(LEAST(p.net, p.once_net)) AS "least",
    documented_net((array_agg(COALESCE(o.payer_id, o.user_id)))[1], o.transaction_id) AS documented_net
   FROM (paid_periods p
     JOIN licence_orders o ON ((o.id = p.order_id)))
  WHERE (o.transaction_id IS NOT NULL)
  GROUP BY o.transaction_id
 HAVING (count(*) > 1);

create view unproven_accounts with (security_invoker=true) as
 SELECT user_id
   FROM ( SELECT email_addresses.user_id
           FROM email_addresses
          WHERE (email_addresses.verified_at IS NULL)
        UNION
         SELECT users.id
           FROM users
          WHERE (users.email ~~ '%@unproven.invalid'::text)) claims
  WHERE (NOT (EXISTS ( SELECT
           FROM email_addresses e
          WHERE ((e.user_id = claims.user_id) AND (e.verified_at IS NOT NULL)))));


-- Indexes

CREATE INDEX acceptances_of_user ON public.acceptances USING btree (user_id, at);
CREATE INDEX account_event_lists_by_epoch ON public.account_event_lists USING btree (epoch);
CREATE INDEX account_events_0_of_customer ON public.account_events_0 USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX account_events_1_of_customer ON public.account_events_1 USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX account_events_2_of_customer ON public.account_events_2 USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX account_events_3_of_customer ON public.account_events_3 USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX account_events_4_of_customer ON public.account_events_4 USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX account_events_5_of_customer ON public.account_events_5 USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX account_events_6_of_customer ON public.account_events_6 USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX account_events_7_of_customer ON public.account_events_7 USING btree (customer_id) WHERE (customer_id IS NOT NULL);
CREATE INDEX account_merges_into ON public.account_merges USING btree (into_id) WHERE (undone_at IS NULL);
CREATE INDEX account_tokens_of_owner ON public.account_tokens USING btree (owner_id, created_at);
CREATE INDEX acts_to_undo_by_time ON public.acts_to_undo USING btree (created_at);
CREATE INDEX acts_to_undo_of_staff ON public.acts_to_undo USING btree (staff_id);
CREATE INDEX acts_to_undo_of_ticket ON public.acts_to_undo USING btree (ticket_id);
CREATE INDEX addresses_by_beginning ON public.email_addresses USING btree (email text_pattern_ops);
CREATE INDEX addresses_by_email ON public.email_addresses USING btree (email);
CREATE INDEX addresses_by_part ON public.email_addresses USING gin (parts_of(email)) WHERE (verified_at IS NOT NULL);
CREATE INDEX agreements_by_email ON public.payment_agreements USING btree (email) WHERE (state = 'offered'::text);
CREATE INDEX agreements_of_payer ON public.payment_agreements USING btree (payer_id) WHERE (payer_id IS NOT NULL);
CREATE INDEX alert_incidents_of_host ON public.alert_incidents USING btree (host_id, opened_at);
CREATE INDEX alert_incidents_of_user ON public.alert_incidents USING btree (user_id, opened_at);
CREATE INDEX alert_settings_of_host ON public.alert_settings USING btree (host_id) WHERE (host_id IS NOT NULL);
CREATE INDEX alerts_to_tell ON public.alert_incidents USING btree (tell_at) WHERE (tell_at IS NOT NULL);
CREATE INDEX allowance_uses_of_member ON public.allowance_uses USING btree (user_id, act, at);
CREATE INDEX announcement_chosen_of_user ON public.announcement_chosen USING btree (user_id);
CREATE INDEX announcement_end_mails_of_user ON public.announcement_end_mails USING btree (user_id);
CREATE INDEX announcement_mails_of_user ON public.announcement_mails USING btree (user_id);
CREATE INDEX announcements_by_author ON public.announcements USING btree (by);
CREATE INDEX announcements_by_status ON public.announcements USING btree (status, ended_at);
CREATE INDEX announcements_by_time ON public.announcements USING btree (created_at, id);
CREATE INDEX approvals_of_customer ON public.approvals USING btree (customer_id);
CREATE INDEX approvals_of_proposer ON public.approvals USING btree (proposed_by, proposed_at);
CREATE INDEX approvals_waiting_first ON public.approvals USING btree (((status = 'proposed'::text)), proposed_at, id);
CREATE INDEX assistant_proposals_due ON public.assistant_proposals USING btree (expires_at) WHERE (status = 'proposed'::text);
CREATE INDEX assistant_proposals_of_owner ON public.assistant_proposals USING btree (owner_id, proposed_at DESC, id);
CREATE INDEX attachments_of_ticket ON public.attachments USING btree (user_id, ticket_id) WHERE (ticket_id IS NOT NULL);
CREATE INDEX attachments_unused ON public.attachments USING btree (uploader_id, created_at) WHERE (ticket_id IS NULL);
CREATE INDEX attachments_unused_by_age ON public.attachments USING btree (created_at) WHERE (ticket_id IS NULL);
CREATE INDEX attempts_by_age ON public.attempts USING btree (expires_at);
CREATE INDEX audit_by_act ON public.audit USING btree (act, at, id);
CREATE INDEX audit_by_actor_id ON public.audit USING btree (actor_id, at, id) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_by_ip ON public.audit USING btree (ip, at, id) WHERE (ip IS NOT NULL);
CREATE INDEX audit_by_time ON public.audit USING btree (at, id);
CREATE INDEX audit_holds_that_stand ON public.audit_holds USING btree (starts_at) WHERE (ended_at IS NULL);
CREATE INDEX audit_of_user_by_time ON public.audit USING btree (user_id, at, id);
CREATE INDEX audit_with_origin ON public.audit USING btree (at) WHERE (ip IS NOT NULL);
CREATE INDEX auto_top_up_runs_of_user ON public.auto_top_up_runs USING btree (user_id, top_up_id);
CREATE INDEX auto_top_up_runs_waiting ON public.auto_top_up_runs USING btree (charge_at) WHERE (ended_at IS NULL);
CREATE INDEX auto_top_ups_of_method ON public.auto_top_ups USING btree (method_id);
CREATE INDEX auto_top_ups_to_look_at ON public.auto_top_ups USING btree (look_at) WHERE (state = 'active'::text);
CREATE INDEX backups_made_at ON public.backups USING btree (made_at);
CREATE INDEX balances_by_amount ON public.balances USING btree (balance, user_id);
CREATE INDEX balances_of_user ON public.balances USING btree (user_id);
CREATE INDEX bank_files_by_time ON public.bank_files USING btree (imported_at, id);
CREATE INDEX bank_lines_by_amount ON public.bank_lines USING btree (state, amount, id);
CREATE INDEX bank_lines_by_day ON public.bank_lines USING btree (account_iban, booked_on, amount);
CREATE INDEX bank_lines_by_iban_end ON public.bank_lines USING btree (reverse(iban) text_pattern_ops) WHERE ((state = 'booked'::text) AND (iban <> ''::text));
CREATE INDEX bank_lines_by_payer ON public.bank_lines USING btree (iban, booked_on) WHERE (state = 'booked'::text);
CREATE INDEX bank_lines_by_search_part ON public.bank_lines USING gin (search_parts_of(((((name || ' '::text) || iban) || ' '::text) || text)));
CREATE INDEX bank_lines_by_state ON public.bank_lines USING btree (state, booked_on, id);
CREATE INDEX bank_lines_in_order ON public.bank_lines USING btree (state, match, booked_on, id);
CREATE INDEX bank_lines_of_batch ON public.bank_lines USING btree (account_iban, booked_on, batch_amount) WHERE (batch_amount IS NOT NULL);
CREATE INDEX bank_lines_of_file ON public.bank_lines USING btree (file_id);
CREATE INDEX bank_lines_of_top_up ON public.bank_lines USING btree (top_up) WHERE (top_up IS NOT NULL);
CREATE INDEX bank_lines_of_user ON public.bank_lines USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX bank_odd_parts_by_time ON public.bank_odd_parts USING btree (state, noticed_at, id);
CREATE INDEX bank_originals_by_time ON public.bank_originals USING btree (kept_at, id);
CREATE INDEX book_exports_by_maker ON public.book_exports USING btree (made_by);
CREATE INDEX book_exports_by_time ON public.book_exports USING btree (created_at, id);
CREATE INDEX canned_replies_by_title ON public.canned_replies USING btree (language, title);
CREATE INDEX checkouts_ended ON public.checkouts USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX checkouts_of_user ON public.checkouts USING btree (user_id, top_up_id);
CREATE INDEX checkouts_open ON public.checkouts USING btree (expires_at) WHERE (state = 'open'::text);
CREATE INDEX chosen_extras_of_user ON public.chosen_extras USING btree (user_id);
CREATE INDEX closed_alerts ON public.alert_incidents USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX credit_notes_by_time ON public.invoices USING btree (issued_at, id) WHERE (kind = 'credit_note'::text);
CREATE INDEX credit_notes_of_invoice ON public.invoices USING btree (credit_note_of) WHERE (credit_note_of IS NOT NULL);
CREATE INDEX customer_blocks_of_user ON public.customer_blocks USING btree (user_id, at);
CREATE INDEX customer_notes_of_user ON public.customer_notes USING btree (user_id, pinned, created_at);
CREATE INDEX data_exports_of_user ON public.data_exports USING btree (user_id);
CREATE INDEX debts_due ON public.debts USING btree (next_at) WHERE (settled_at IS NULL);
CREATE INDEX debts_of_user ON public.debts USING btree (user_id, began_at);
CREATE INDEX desk_views_of_author ON public.desk_views USING btree (author_id);
CREATE INDEX ended_agreements ON public.payment_agreements USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX ended_grants ON public.account_grants USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX ended_transfers ON public.host_transfers USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX entries_by_amount ON public.entries USING btree (amount, transaction_id) WHERE of_customer;
CREATE INDEX entries_by_moment ON public.entries USING btree (created_at);
CREATE INDEX entries_by_time ON public.entries USING btree (account_id, created_at, seq) WHERE (seq IS NOT NULL);
CREATE INDEX entries_by_type ON public.entries USING btree (account_id, type, seq) WHERE (seq IS NOT NULL);
CREATE INDEX entries_of_customers_by_moment ON public.entries USING btree (created_at) INCLUDE (currency, amount, balance_after) WHERE (user_id IS NOT NULL);
CREATE INDEX entries_of_gifts ON public.entries USING btree (created_at) INCLUDE (currency, gift) WHERE (gift <> 0);
CREATE INDEX events_of_top_up ON public.payment_events USING btree (top_up_id);
CREATE INDEX events_that_wait ON public.payment_events USING btree (provider, payment_reference) WHERE (top_up_id IS NULL);
CREATE INDEX example_users ON public.users USING btree (id) WHERE is_example;
CREATE INDEX extras_of_edition ON public.extras USING btree (edition);
CREATE INDEX factor_resets_by_key ON public.factor_resets USING gin (token_hashes) WHERE (status = 'requested'::text);
CREATE INDEX factor_resets_due ON public.factor_resets USING btree (due_at) WHERE (status = 'requested'::text);
CREATE INDEX factor_resets_of_user ON public.factor_resets USING btree (user_id);
CREATE INDEX former_keys_by_end ON public.former_keys USING btree (ends_at);
CREATE INDEX former_keys_of_host ON public.former_keys USING btree (user_id, host_id);
CREATE INDEX grant_spending_of_owner ON public.grant_spending USING btree (owner_id, grant_id);
CREATE INDEX grants_by_email ON public.account_grants USING btree (email) WHERE (state = 'invited'::text);
CREATE INDEX grants_of_grantee ON public.account_grants USING btree (grantee_id) WHERE (grantee_id IS NOT NULL);
CREATE INDEX grants_of_host ON public.account_grant_hosts USING btree (owner_id, host_id);
CREATE INDEX guest_payments_by_age ON public.guest_payments USING btree (created_at);
CREATE INDEX help_articles_by_author ON public.help_articles USING btree (changed_by);
CREATE INDEX help_articles_of_section ON public.help_articles USING btree (section_id);
CREATE INDEX help_stems_by_beginning ON public.help_stems USING btree (locale, "left"(stem, 5));
CREATE INDEX host_agents_by_alert ON public.host_agents USING btree (alert_at) WHERE (alert_at IS NOT NULL);
CREATE INDEX host_agents_to_look_at ON public.host_agents USING btree (look_at) WHERE (look_at IS NOT NULL);
CREATE INDEX host_figures_by_age ON public.host_figures USING btree (is_day, starts_at);
CREATE INDEX host_metrics_by_age ON public.host_metrics USING btree (at);
CREATE INDEX host_metrics_thinned_by_age ON public.host_metrics_thinned USING btree (at);
CREATE INDEX host_payers_of_owner ON public.host_payers USING btree (user_id, host_id);
CREATE INDEX hosts_by_ipv4 ON public.hosts USING btree (ipv4) WHERE (deleted_at IS NULL);
CREATE INDEX hosts_by_ipv6 ON public.hosts USING gist (ipv6 inet_ops) WHERE ((deleted_at IS NULL) AND (ipv6 IS NOT NULL));
CREATE INDEX hosts_by_name ON public.hosts USING btree (shortened(fold_text(name)) text_pattern_ops) WHERE (deleted_at IS NULL);
CREATE INDEX hosts_of_agreement ON public.host_payers USING btree (agreement_id, host_id);
CREATE INDEX hosts_of_user ON public.hosts USING btree (user_id) WHERE (deleted_at IS NULL);
CREATE INDEX hosts_of_user_by_name ON public.hosts USING btree (user_id, name COLLATE people_order, id) WHERE (deleted_at IS NULL);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX introductions_by_author ON public.introductions USING btree (by_id, at);
CREATE INDEX introductions_by_member ON public.introductions USING btree (member_id, at);
CREATE INDEX invitations_accepted_by ON public.invitations USING btree (accepted_by) WHERE (accepted_by IS NOT NULL);
CREATE INDEX invitations_of_inviter ON public.invitations USING btree (invited_by) WHERE (invited_by IS NOT NULL);
CREATE INDEX invoice_lines_by_end ON public.invoice_lines USING btree (ends_at) WHERE (ends_at IS NOT NULL);
CREATE INDEX invoice_readers_of_reader ON public.invoice_readers USING btree (reader_id);
CREATE INDEX invoices_by_country ON public.invoices USING btree (vat_country, issued_at, id);
CREATE INDEX invoices_by_end_of_keeping ON public.invoices USING btree (keep_until, id);
CREATE INDEX invoices_by_signed_total ON public.invoices USING btree ((
CASE kind
    WHEN 'credit_note'::text THEN (- total)
    ELSE total
END), id);
CREATE INDEX invoices_by_time ON public.invoices USING btree (issued_at, id) INCLUDE (kind, vat_kind, vat_country, currency, net, vat, total, keep_until);
CREATE INDEX invoices_by_vat_kind ON public.invoices USING btree (vat_kind, issued_at, id);
CREATE INDEX invoices_elsewhere ON public.invoices USING btree (issued_at) INCLUDE (kind, vat_kind, currency, net) WHERE ((vat_kind = 'oss'::text) OR below_threshold);
CREATE INDEX invoices_of_user ON public.invoices USING btree (user_id, id);
CREATE INDEX jobs_given_up ON public.jobs USING btree (name) WHERE ((taken_by IS NULL) AND (attempts >= max_attempts));
CREATE INDEX jobs_taken ON public.jobs USING btree (taken_by) WHERE (taken_by IS NOT NULL);
CREATE INDEX jobs_waiting_by_class ON public.jobs USING btree (class, run_at, id) WHERE ((taken_by IS NULL) AND (attempts < max_attempts));
CREATE INDEX licence_orders_of_host ON public.licence_orders USING btree (host_id);
CREATE INDEX licence_settings_by_plan ON public.licence_settings USING btree (renewal_plan);
CREATE INDEX licence_settings_of_user ON public.licence_settings USING btree (user_id);
CREATE INDEX licence_watches_by_time ON public.licence_watches USING btree (next_at);
CREATE INDEX licence_watches_of_user ON public.licence_watches USING btree (user_id) WHERE (refusal IS NOT NULL);
CREATE INDEX licensed_addresses_of_host ON public.licensed_addresses USING btree (host_id, ends_at);
CREATE INDEX machines_by_last_seen ON public.activations USING btree (last_seen) WHERE (released_at IS NULL);
CREATE INDEX machines_of_host ON public.activations USING btree (host_id, first_seen, id);
CREATE INDEX machines_of_user ON public.activations USING btree (user_id, first_seen);
CREATE INDEX mails_awaiting_server ON public.mails USING btree (created_at) WHERE (awaits_server_since IS NOT NULL);
CREATE INDEX mails_by_address ON public.mails USING btree (to_address, created_at);
CREATE INDEX mails_by_age ON public.mails USING btree (created_at);
CREATE INDEX mails_by_user ON public.mails USING btree (user_id, created_at DESC, id DESC) WHERE (user_id IS NOT NULL);
CREATE INDEX mails_dead ON public.mails USING btree (created_at) WHERE (state = 'dead'::text);
CREATE INDEX mails_due ON public.mails USING btree (next_at) WHERE (state = ANY (ARRAY['owed'::text, 'sending'::text]));
CREATE INDEX narrowed_grants_by_age ON public.narrowed_grants USING btree (ended_at);
CREATE INDEX narrowed_grants_by_grant ON public.narrowed_grants USING btree (grant_id);
CREATE INDEX narrowed_grants_of_owner ON public.narrowed_grants USING btree (owner_id, ended_at);
CREATE INDEX new_ticket_mails_by_time ON public.new_ticket_mails USING btree (opened_at);
CREATE INDEX new_ticket_mails_waiting ON public.new_ticket_mails USING btree (opened_at) WHERE (mailed_at IS NULL);
CREATE INDEX notifications_by_age ON public.notifications USING btree (happened_at);
CREATE INDEX notifications_newest ON public.notifications USING btree (user_id, happened_at DESC, id DESC);
CREATE INDEX open_agreements_by_end ON public.payment_agreements USING btree (expires_at) WHERE (state = 'offered'::text);
CREATE INDEX open_alerts_of_user ON public.alert_incidents USING btree (user_id) WHERE (closed_at IS NULL);
CREATE INDEX open_grants_by_end ON public.account_grants USING btree (expires_at) WHERE (state = 'invited'::text);
CREATE INDEX open_transfers_by_end ON public.host_transfers USING btree (expires_at) WHERE (state = 'offered'::text);
CREATE INDEX operator_events_waiting_of_customer ON public.operator_events_waiting USING btree (customer_id);
CREATE INDEX orders_of_agreement ON public.licence_orders USING btree (agreement_id, ordered_at) WHERE (agreement_id IS NOT NULL);
CREATE INDEX paid_periods_of_host ON public.paid_periods USING btree (host_id, starts_at, id);
CREATE INDEX passkeys_of_user ON public.passkeys USING btree (user_id);
CREATE INDEX password_reset_keys_by_age ON public.password_reset_keys USING btree (expires_at);
CREATE INDEX password_reset_keys_of_user ON public.password_reset_keys USING btree (user_id);
CREATE INDEX payment_event_bookings_of_event ON public.payment_event_bookings USING btree (provider, event_id);
CREATE INDEX payment_methods_by_reference ON public.payment_methods USING btree (provider, provider_ref_digest) WHERE (provider_ref_digest IS NOT NULL);
CREATE INDEX payment_methods_expiring ON public.payment_methods USING btree (expires) WHERE ((state = 'active'::text) AND (expires IS NOT NULL));
CREATE INDEX payment_methods_of_user ON public.payment_methods USING btree (user_id, created_at);
CREATE INDEX payment_methods_unfinished ON public.payment_methods USING btree (created_at) WHERE (state = ANY (ARRAY['pending'::text, 'removed'::text]));
CREATE INDEX payout_accounts_by_time ON public.payout_accounts USING btree (created_at);
CREATE INDEX payout_accounts_of_user ON public.payout_accounts USING btree (user_id);
CREATE INDEX payout_bookings_of_payout ON public.payout_bookings USING btree (payout_id);
CREATE INDEX payout_files_by_time ON public.payout_files USING btree (created_at, id);
CREATE INDEX payouts_by_state ON public.payouts USING btree (state, id);
CREATE INDEX payouts_of_account ON public.payouts USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX payouts_of_file ON public.payouts USING btree (file_id, id) WHERE (file_id IS NOT NULL);
CREATE INDEX payouts_of_user ON public.payouts USING btree (user_id, id);
CREATE INDEX payouts_under_way ON public.payouts USING btree (id) WHERE (state = 'requested'::text);
CREATE INDEX payouts_with_address ON public.payouts USING btree (user_id, id) WHERE (address_sealed IS NOT NULL);
CREATE INDEX pending_logins_by_age ON public.pending_logins USING btree (written_at);
CREATE INDEX pending_logins_of_user ON public.pending_logins USING btree (user_id);
CREATE INDEX periods_by_end ON public.paid_periods USING btree (ends_at, host_id) INCLUDE (starts_at);
CREATE INDEX periods_by_start ON public.paid_periods USING btree (host_id, starts_at) INCLUDE (ends_at);
CREATE INDEX place_questions_by_age ON public.place_questions USING btree (opened_at, id);
CREATE INDEX place_questions_of_user ON public.place_questions USING btree (user_id, opened_at);
CREATE INDEX plan_move_hosts_of_host ON public.plan_move_hosts USING btree (host_id);
CREATE INDEX plan_move_hosts_of_user ON public.plan_move_hosts USING btree (user_id);
CREATE INDEX plan_move_hosts_waiting ON public.plan_move_hosts USING btree (move_id) WHERE (moved_at IS NULL);
CREATE INDEX plan_moves_of_plan ON public.plan_moves USING btree (from_plan);
CREATE INDEX prices_of_plan ON public.plan_prices USING btree (plan, id);
CREATE INDEX profiles_by_name_part ON public.profiles USING gin (name_parts(full_name(name, middle_name, surname)));
CREATE INDEX profiles_by_search_part_of_company ON public.profiles USING gin (search_parts_of(company)) WHERE (company <> ''::text);
CREATE INDEX profiles_by_search_part_of_street ON public.profiles USING gin (search_parts_of(address)) WHERE (address <> ''::text);
CREATE INDEX profiles_by_vat_id ON public.profiles USING btree (vat_id) WHERE (vat_id <> ''::text);
CREATE INDEX profiles_with_vat_id ON public.profiles USING btree (user_id) INCLUDE (country, vat_id) WHERE (vat_id <> ''::text);
CREATE INDEX promo_uses_of_user ON public.promo_uses USING btree (user_id);
CREATE INDEX purchases_by_age ON public.purchases USING btree (created_at);
CREATE INDEX purchases_of_user ON public.purchases USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX push_subscriptions_of_session ON public.push_subscriptions USING btree (session_id);
CREATE INDEX push_subscriptions_of_user ON public.push_subscriptions USING btree (user_id);
CREATE INDEX received_mails_by_age ON public.received_mails USING btree (received_at);
CREATE INDEX received_mails_from ON public.received_mails USING btree (from_address, received_at);
CREATE INDEX received_mails_held ON public.received_mails USING btree (received_at, id) WHERE (state = 'held'::text);
CREATE INDEX received_mails_of_address ON public.received_mails USING btree (address_id, received_at) WHERE (address_id IS NOT NULL);
CREATE INDEX received_mails_of_ticket ON public.received_mails USING btree (ticket_id, message_seq) WHERE (ticket_id IS NOT NULL);
CREATE INDEX received_mails_of_user ON public.received_mails USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX redemptions_of_user ON public.redemptions USING btree (user_id);
CREATE INDEX refresh_tokens_of_session ON public.refresh_tokens USING btree (session_id);
CREATE INDEX released_machines ON public.activations USING btree (released_at) WHERE (released_at IS NOT NULL);
CREATE INDEX reply_addresses_of_person ON public.reply_addresses USING btree (user_id, ticket_id, issued_at);
CREATE INDEX reply_addresses_of_ticket ON public.reply_addresses USING btree (ticket_id);
CREATE INDEX requested_hosts_of_owner ON public.requested_hosts USING btree (user_id, host_id);
CREATE INDEX revocations_by_end ON public.revocations USING btree (until);
CREATE INDEX revocations_by_sub ON public.revocations USING btree (sub, before);
CREATE INDEX robot_tokens_of_maker ON public.robot_tokens USING btree (made_by) WHERE (made_by IS NOT NULL);
CREATE INDEX robot_tokens_of_robot ON public.robot_tokens USING btree (robot_id, created_at);
CREATE INDEX robots_of_maker ON public.robots USING btree (made_by) WHERE (made_by IS NOT NULL);
CREATE INDEX sessions_by_age ON public.sessions USING btree (written_at);
CREATE INDEX sessions_by_start ON public.sessions USING btree (created_at);
CREATE INDEX sessions_of_user ON public.sessions USING btree (user_id);
CREATE INDEX statement_files_of_user ON public.statement_files USING btree (user_id);
CREATE INDEX statements_of_month ON public.statements USING btree (month, id);
CREATE INDEX suspended_addresses_of_user ON public.suspended_addresses USING btree (user_id);
CREATE INDEX suspensions_of_debt ON public.suspensions USING btree (debt_id) WHERE (debt_id IS NOT NULL);
CREATE INDEX suspensions_of_user ON public.suspensions USING btree (user_id, starts_at);
CREATE INDEX ticket_mails_due ON public.ticket_mails USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX ticket_mails_sent_of_address ON public.ticket_mails_sent USING btree (address_id);
CREATE INDEX ticket_mails_sent_of_ticket ON public.ticket_mails_sent USING btree (ticket_id);
CREATE INDEX ticket_mails_sent_of_user ON public.ticket_mails_sent USING btree (user_id);
CREATE INDEX ticket_merges_into ON public.ticket_merges USING btree (into_id);
CREATE INDEX ticket_messages_by_time ON public.ticket_messages USING btree (created_at);
CREATE INDEX ticket_messages_search ON public.ticket_messages USING gin (search);
CREATE INDEX ticket_ratings_by_time ON public.ticket_ratings USING btree (rated_at);
CREATE INDEX ticket_ratings_of_ticket ON public.ticket_ratings USING btree (ticket_id, id);
CREATE INDEX ticket_ratings_of_user ON public.ticket_ratings USING btree (user_id);
CREATE INDEX ticket_secrets_due ON public.ticket_secrets USING btree (expires_at) WHERE (sealed IS NOT NULL);
CREATE INDEX ticket_secrets_of_ticket ON public.ticket_secrets USING btree (ticket_id) WHERE (sealed IS NOT NULL);
CREATE INDEX tickets_awake ON public.tickets USING btree (status, user_id) WHERE ((status <> 'closed'::text) AND (snoozed_at IS NULL));
CREATE INDEX tickets_by_last_message ON public.tickets USING btree (last_message_at);
CREATE INDEX tickets_by_tag ON public.tickets USING gin (tags) WHERE (tags <> '{}'::text[]);
CREATE INDEX tickets_due ON public.tickets USING btree (due_at, id) WHERE (due_at IS NOT NULL);
CREATE INDEX tickets_of_assignee ON public.tickets USING btree (assignee_id, status);
CREATE INDEX tickets_of_customer ON public.tickets USING btree (user_id, last_message_at, id);
CREATE INDEX tickets_of_host ON public.tickets USING btree (host_id) WHERE (host_id IS NOT NULL);
CREATE INDEX tickets_open ON public.tickets USING btree (status, user_id) WHERE (status <> 'closed'::text);
CREATE INDEX tickets_open_of_assignee ON public.tickets USING btree (assignee_id, id, staff_seq) WHERE (status <> 'closed'::text);
CREATE INDEX tickets_open_of_customer ON public.tickets USING btree (user_id) WHERE (status <> 'closed'::text);
CREATE INDEX tickets_search ON public.tickets USING gin (search);
CREATE INDEX tickets_snoozed ON public.tickets USING btree (snoozed_at, user_id) WHERE (snoozed_at IS NOT NULL);
CREATE INDEX tickets_turn ON public.tickets USING btree (status, (
CASE
    WHEN (status = 'closed'::text) THEN ((COALESCE(waiting_since, last_message_at) AT TIME ZONE 'UTC'::text) + '8766000:00:00'::interval)
    WHEN (waiting_since IS NULL) THEN ((COALESCE(waiting_since, last_message_at) AT TIME ZONE 'UTC'::text) + '876600:00:00'::interval)
    WHEN (due_at IS NOT NULL) THEN (due_at AT TIME ZONE 'UTC'::text)
    WHEN (priority = 'critical'::text) THEN ((COALESCE(waiting_since, last_message_at) AT TIME ZONE 'UTC'::text) + '438276:00:00'::interval)
    WHEN (priority = 'high'::text) THEN ((COALESCE(waiting_since, last_message_at) AT TIME ZONE 'UTC'::text) + '438292:00:00'::interval)
    ELSE ((COALESCE(waiting_since, last_message_at) AT TIME ZONE 'UTC'::text) + '438300:00:00'::interval)
END AT TIME ZONE 'UTC'::text), id, topic, priority, assignee_id) WHERE ((status <> 'closed'::text) AND (status <> 'pending'::text) AND (snoozed_at IS NULL));
CREATE INDEX tickets_waiting ON public.tickets USING btree (status, COALESCE(waiting_since, last_message_at), id, topic, priority, assignee_id);
CREATE INDEX top_ups_by_payment ON public.top_ups USING btree (provider, payment_reference);
CREATE INDEX top_ups_of_user ON public.top_ups USING btree (user_id, id);
CREATE INDEX top_ups_pending ON public.top_ups USING btree (created_at) WHERE (status = 'pending'::text);
CREATE INDEX transactions_by_time ON public.transactions USING btree (created_at, id) WHERE (splits IS NULL);
CREATE INDEX transactions_by_type ON public.transactions USING btree (type, created_at, id) WHERE (splits IS NULL);
CREATE INDEX transactions_reversing ON public.transactions USING btree (reverses) WHERE (reverses IS NOT NULL);
CREATE INDEX transfers_by_email ON public.host_transfers USING btree (email) WHERE (email IS NOT NULL);
CREATE INDEX transfers_of_receiver ON public.host_transfers USING btree (receiver_id) WHERE (receiver_id IS NOT NULL);
CREATE INDEX transfers_of_user ON public.host_transfers USING btree (user_id, created_at);
CREATE INDEX trial_addresses_of_host ON public.trial_addresses USING btree (host_id);
CREATE INDEX trial_addresses_of_user ON public.trial_addresses USING btree (user_id);
CREATE INDEX trials_by_order ON public.trials USING btree (order_id);
CREATE INDEX trials_of_host ON public.trials USING btree (host_id);
CREATE INDEX unbooked_events_of_top_up ON public.unbooked_events USING btree (top_up_id) WHERE (top_up_id IS NOT NULL);
CREATE INDEX unbooked_events_of_user ON public.unbooked_events USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX unbooked_events_open ON public.unbooked_events USING btree (place) WHERE (done_at IS NULL);
CREATE INDEX unproven_claims_by_age ON public.email_addresses USING btree (claimed_at) WHERE (verified_at IS NULL);
CREATE INDEX users_by_login ON public.users USING btree (COALESCE(last_login_at, created_at), id);
CREATE INDEX users_not_open ON public.users USING btree (created_at, id) WHERE (access <> 'open'::text);
CREATE INDEX users_of_staff ON public.users USING btree (id) WHERE is_staff;
CREATE INDEX users_without_address ON public.users USING btree (id) WHERE (email ~~ '%@unproven.invalid'::text);
CREATE INDEX vain_sign_ups_by_age ON public.vain_sign_ups USING btree (signed_up_at);
CREATE INDEX vat_id_checks_of_id ON public.vat_id_checks USING btree (user_id, vat_id, asked_at);
CREATE INDEX vat_overrides_of_user ON public.vat_overrides USING btree (user_id, at);
CREATE INDEX verification_keys_by_age ON public.verification_keys USING btree (expires_at);
CREATE INDEX verification_keys_of_address ON public.verification_keys USING btree (address_id);
CREATE INDEX view_sessions_of_customer ON public.view_sessions USING btree (customer_id);
CREATE INDEX view_sessions_of_member ON public.view_sessions USING btree (member_id);
CREATE INDEX view_sessions_of_session ON public.view_sessions USING btree (session_id);
CREATE INDEX webhook_endpoints_of_user ON public.webhook_endpoints USING btree (user_id, created_at);
CREATE INDEX withdrawal_refunds_of_user ON public.withdrawal_refunds USING btree (user_id);
CREATE INDEX withdrawals_by_time ON public.withdrawals USING btree (declared_at, id);
CREATE INDEX withdrawals_of_transaction ON public.withdrawals USING btree (transaction_id);
CREATE INDEX withdrawals_of_user ON public.withdrawals USING btree (user_id);
CREATE UNIQUE INDEX acceptances_of_orders ON public.acceptances USING btree (order_id) WHERE (document = 'begin_now'::text);
CREATE UNIQUE INDEX acceptances_of_terms ON public.acceptances USING btree (user_id, version) WHERE (document = 'terms'::text);
CREATE UNIQUE INDEX account_merges_open ON public.account_merges USING btree (user_id) WHERE (undone_at IS NULL);
CREATE UNIQUE INDEX account_of_customer ON public.ledger_accounts USING btree (user_id, currency) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX account_of_operator ON public.ledger_accounts USING btree (kind, currency, name) WHERE (user_id IS NULL);
CREATE UNIQUE INDEX approval_proposed_once ON public.approvals USING btree (act, customer_id, amount, md5((input)::text)) NULLS NOT DISTINCT WHERE (status = 'proposed'::text);
CREATE UNIQUE INDEX assistant_proposed_once ON public.assistant_proposals USING btree (owner_id, tool, path, md5((input)::text)) WHERE (status = 'proposed'::text);
CREATE UNIQUE INDEX auto_top_up_runs_open ON public.auto_top_up_runs USING btree (user_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX book_exports_made_once ON public.book_exports USING btree (kind, first_day, last_day, locale) WHERE (state = 'waiting'::text);
CREATE UNIQUE INDEX entries_in_order ON public.entries USING btree (account_id, seq) WHERE (seq IS NOT NULL);
CREATE UNIQUE INDEX factor_resets_open ON public.factor_resets USING btree (user_id) WHERE (status = 'requested'::text);
CREATE UNIQUE INDEX invoices_by_version ON public.invoices USING btree (transaction_id, kind, version);
CREATE UNIQUE INDEX notifications_unread ON public.notifications USING btree (user_id, kind, thing) WHERE (read_at IS NULL);
CREATE UNIQUE INDEX one_active_agreement ON public.payment_agreements USING btree (owner_id, payer_id) WHERE (state = 'active'::text);
CREATE UNIQUE INDEX one_active_grant ON public.account_grants USING btree (owner_id, grantee_id) WHERE (state = 'active'::text);
CREATE UNIQUE INDEX one_invited_grant ON public.account_grants USING btree (owner_id, email) WHERE (state = 'invited'::text);
CREATE UNIQUE INDEX one_open_invitation ON public.invitations USING btree (email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));
CREATE UNIQUE INDEX one_open_offer ON public.payment_agreements USING btree (payer_id, email) WHERE ((state = 'offered'::text) AND (asked_by = 'payer'::text));
CREATE UNIQUE INDEX one_open_request ON public.payment_agreements USING btree (owner_id, email) WHERE ((state = 'offered'::text) AND (asked_by = 'owner'::text));
CREATE UNIQUE INDEX one_open_transfer ON public.host_transfers USING btree (host_id) WHERE (state = 'offered'::text);
CREATE UNIQUE INDEX one_payer_of_all ON public.payment_agreements USING btree (owner_id) WHERE ((state = 'active'::text) AND all_hosts);
CREATE UNIQUE INDEX one_payment_of_top_up ON public.payment_events USING btree (top_up_id) WHERE ((kind = 'paid'::text) AND (transaction_id IS NOT NULL));
CREATE UNIQUE INDEX one_place_for_a_machine ON public.activations USING btree (host_id, fingerprint) NULLS NOT DISTINCT WHERE (released_at IS NULL);
CREATE UNIQUE INDEX one_primary_address ON public.email_addresses USING btree (user_id) WHERE is_primary;
CREATE UNIQUE INDEX one_verified_owner ON public.email_addresses USING btree (email) WHERE (verified_at IS NOT NULL);
CREATE UNIQUE INDEX open_alert_of_host ON public.alert_incidents USING btree (host_id, kind) WHERE (closed_at IS NULL);
CREATE UNIQUE INDEX open_debt_of_user ON public.debts USING btree (user_id) WHERE (settled_at IS NULL);
CREATE UNIQUE INDEX open_suspension_of_host ON public.suspensions USING btree (host_id) WHERE (lifted_at IS NULL);
CREATE UNIQUE INDEX payment_methods_default ON public.payment_methods USING btree (user_id) WHERE is_default;
CREATE UNIQUE INDEX place_questions_open ON public.place_questions USING btree (user_id) WHERE (closed_at IS NULL);
CREATE UNIQUE INDEX secret_keys_present ON public.secret_keys USING btree (((retired_at IS NULL))) WHERE (retired_at IS NULL);
CREATE UNIQUE INDEX signing_keys_one_signs ON public.signing_keys USING btree ((true)) WHERE (retired_at IS NULL);
CREATE UNIQUE INDEX statement_keys_one_signs ON public.statement_keys USING btree ((true)) WHERE (retired_at IS NULL);
CREATE UNIQUE INDEX ticket_messages_once ON public.ticket_messages USING btree (ticket_id, author_id, client_id);
CREATE UNIQUE INDEX transactions_split_once ON public.transactions USING btree (splits, splits_document) WHERE (splits IS NOT NULL);

-- Row-level security

alter table acceptances force row level security;
alter table account_grant_hosts force row level security;
alter table account_grants force row level security;
alter table account_merges force row level security;
alter table account_tokens force row level security;
alter table activations force row level security;
alter table acts_to_undo force row level security;
alter table alert_incidents force row level security;
alter table alert_settings force row level security;
alter table allowance_uses force row level security;
alter table announcement_chosen force row level security;
alter table announcement_end_mails force row level security;
alter table announcement_mails force row level security;
alter table announcement_revisions force row level security;
alter table announcements force row level security;
alter table approvals force row level security;
alter table assistant_proposals force row level security;
alter table attachments force row level security;
alter table auto_top_up_runs force row level security;
alter table auto_top_ups force row level security;
alter table balances force row level security;
alter table bank_files force row level security;
alter table bank_lines force row level security;
alter table bank_odd_parts force row level security;
alter table bank_originals force row level security;
alter table bank_profiles force row level security;
alter table billing_details force row level security;
alter table book_exports force row level security;
alter table canned_replies force row level security;
alter table checkouts force row level security;
alter table chosen_extras force row level security;
alter table customer_blocks force row level security;
alter table customer_notes force row level security;
alter table data_exports force row level security;
alter table debts force row level security;
alter table desk_absences force row level security;
alter table desk_views force row level security;
alter table email_addresses force row level security;
alter table entries force row level security;
alter table factor_resets force row level security;
alter table first_networks force row level security;
alter table former_keys force row level security;
alter table grant_spending force row level security;
alter table help_articles force row level security;
alter table help_revisions force row level security;
alter table help_sections force row level security;
alter table help_stems force row level security;
alter table help_votes force row level security;
alter table host_agents force row level security;
alter table host_payers force row level security;
alter table host_transfers force row level security;
alter table hosts force row level security;
alter table idempotency_keys force row level security;
alter table invitations force row level security;
alter table invoice_documents force row level security;
alter table invoice_lines force row level security;
alter table invoice_mails force row level security;
alter table invoice_readers force row level security;
alter table invoice_snapshots force row level security;
alter table invoices force row level security;
alter table kept_bytes force row level security;
alter table ledger_accounts force row level security;
alter table licence_orders force row level security;
alter table licence_settings force row level security;
alter table licence_watches force row level security;
alter table licensed_addresses force row level security;
alter table mail_preferences force row level security;
alter table narrowed_grants force row level security;
alter table new_ticket_mails force row level security;
alter table notification_choices force row level security;
alter table notifications force row level security;
alter table paid_periods force row level security;
alter table passkeys force row level security;
alter table password_reset_keys force row level security;
alter table passwords force row level security;
alter table payment_agreements force row level security;
alter table payment_methods force row level security;
alter table payout_accounts force row level security;
alter table payouts force row level security;
alter table place_questions force row level security;
alter table plan_move_hosts force row level security;
alter table profiles force row level security;
alter table promo_uses force row level security;
alter table purchases force row level security;
alter table push_subscriptions force row level security;
alter table received_mails force row level security;
alter table recovery_codes force row level security;
alter table recovery_sets force row level security;
alter table redemptions force row level security;
alter table reply_addresses force row level security;
alter table requested_hosts force row level security;
alter table robot_tokens force row level security;
alter table robots force row level security;
alter table sessions force row level security;
alter table statement_files force row level security;
alter table statements force row level security;
alter table suspended_addresses force row level security;
alter table suspensions force row level security;
alter table ticket_mails force row level security;
alter table ticket_mails_sent force row level security;
alter table ticket_merges force row level security;
alter table ticket_messages force row level security;
alter table ticket_ratings force row level security;
alter table ticket_readers force row level security;
alter table ticket_secrets force row level security;
alter table tickets force row level security;
alter table tickets_to_erase force row level security;
alter table top_ups force row level security;
alter table totp_authenticators force row level security;
alter table transaction_documents force row level security;
alter table transactions force row level security;
alter table trial_addresses force row level security;
alter table trials force row level security;
alter table unbooked_events force row level security;
alter table users force row level security;
alter table vat_id_checks force row level security;
alter table vat_overrides force row level security;
alter table view_sessions force row level security;
alter table webhook_attempts force row level security;
alter table webhook_endpoints force row level security;
alter table webhook_lanes force row level security;
alter table withdrawal_refunds force row level security;
alter table withdrawals force row level security;
create policy asked_by_a_side on payment_agreements for insert using () with check (((state = 'offered'::text) AND actor_owns(
CASE asked_by
    WHEN 'owner'::text THEN owner_id
    ELSE payer_id
END)));
create policy changed_by_a_side on payment_agreements for update using ((actor_owns(owner_id) OR actor_owns(payer_id))) with check ((actor_owns(owner_id) OR actor_owns(payer_id)));
create policy counted_again_by_both on grant_spending for update using (COALESCE((current_setting('app.through'::text, true) = (grant_id)::text), false)) with check (COALESCE((current_setting('app.through'::text, true) = (grant_id)::text), false));
create policy counted_by_both on grant_spending for insert using () with check (COALESCE((current_setting('app.through'::text, true) = (grant_id)::text), false));
create policy deleted_by_helper on account_grants for delete using (actor_owns(grantee_id)) with check ();
create policy deleted_by_invited on invitations for delete using (actor_owns(accepted_by)) with check ();
create policy deleted_by_owner on acceptances for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on account_grant_hosts for delete using (actor_owns(owner_id)) with check ();
create policy deleted_by_owner on account_grants for delete using (actor_owns(owner_id)) with check ();
create policy deleted_by_owner on account_merges for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on account_tokens for delete using (actor_owns(owner_id)) with check ();
create policy deleted_by_owner on activations for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on acts_to_undo for delete using (actor_owns(staff_id)) with check ();
create policy deleted_by_owner on alert_incidents for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on alert_settings for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on allowance_uses for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on announcement_chosen for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on announcement_end_mails for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on announcement_mails for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on announcement_revisions for delete using (actor_owns(announcement_id)) with check ();
create policy deleted_by_owner on announcements for delete using (actor_owns(by)) with check ();
create policy deleted_by_owner on approvals for delete using (actor_owns(customer_id)) with check ();
create policy deleted_by_owner on assistant_proposals for delete using (actor_owns(owner_id)) with check ();
create policy deleted_by_owner on attachments for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on auto_top_up_runs for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on auto_top_ups for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on balances for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on bank_files for delete using (actor_owns(imported_by)) with check ();
create policy deleted_by_owner on bank_lines for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on bank_odd_parts for delete using (actor_owns(done_by)) with check ();
create policy deleted_by_owner on bank_originals for delete using (actor_owns(kept_by)) with check ();
create policy deleted_by_owner on bank_profiles for delete using (actor_owns(made_by)) with check ();
create policy deleted_by_owner on billing_details for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on book_exports for delete using (actor_owns(made_by)) with check ();
create policy deleted_by_owner on canned_replies for delete using (actor_owns(author_id)) with check ();
create policy deleted_by_owner on checkouts for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on chosen_extras for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on customer_blocks for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on customer_notes for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on data_exports for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on debts for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on desk_absences for delete using (actor_owns(staff_id)) with check ();
create policy deleted_by_owner on desk_views for delete using (actor_owns(author_id)) with check ();
create policy deleted_by_owner on email_addresses for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on entries for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on factor_resets for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on first_networks for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on former_keys for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on grant_spending for delete using (actor_owns(owner_id)) with check ();
create policy deleted_by_owner on help_articles for delete using (actor_owns(id)) with check ();
create policy deleted_by_owner on help_revisions for delete using (actor_owns(article_id)) with check ();
create policy deleted_by_owner on help_sections for delete using (actor_owns(id)) with check ();
create policy deleted_by_owner on help_stems for delete using (actor_owns(article_id)) with check ();
create policy deleted_by_owner on help_votes for delete using (actor_owns(article_id)) with check ();
create policy deleted_by_owner on host_agents for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on host_payers for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on host_transfers for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on hosts for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on idempotency_keys for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on invoice_documents for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on invoice_lines for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on invoice_mails for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on invoice_readers for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on invoice_snapshots for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on invoices for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on kept_bytes for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on ledger_accounts for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on licence_orders for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on licence_settings for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on licence_watches for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on licensed_addresses for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on mail_preferences for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on narrowed_grants for delete using (actor_owns(owner_id)) with check ();
create policy deleted_by_owner on new_ticket_mails for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on notification_choices for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on notifications for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on paid_periods for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on passkeys for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on password_reset_keys for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on passwords for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on payment_methods for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on payout_accounts for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on payouts for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on place_questions for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on plan_move_hosts for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on profiles for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on promo_uses for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on purchases for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on push_subscriptions for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on received_mails for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on recovery_codes for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on recovery_sets for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on redemptions for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on reply_addresses for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on requested_hosts for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on sessions for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on statement_files for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on statements for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on suspended_addresses for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on suspensions for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on ticket_mails for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on ticket_mails_sent for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on ticket_merges for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on ticket_messages for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on ticket_ratings for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on ticket_readers for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on ticket_secrets for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on tickets for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on tickets_to_erase for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on top_ups for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on totp_authenticators for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on transaction_documents for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on transactions for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on trial_addresses for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on trials for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on unbooked_events for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on users for delete using (actor_owns(id)) with check ();
create policy deleted_by_owner on vat_id_checks for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on vat_overrides for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on view_sessions for delete using (actor_owns(member_id)) with check ();
create policy deleted_by_owner on webhook_attempts for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on webhook_endpoints for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on webhook_lanes for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on withdrawal_refunds for delete using (actor_owns(user_id)) with check ();
create policy deleted_by_owner on withdrawals for delete using (actor_owns(user_id)) with check ();
create policy forgotten_by_the_system on payment_agreements for delete using (((current_setting('app.actor'::text, true) = 'system'::text) AND (accepted_at IS NULL))) with check ();
create policy given_by_helper on attachments for update using (((ticket_id IS NULL) AND acts_as(user_id))) with check ((actor_owns(user_id) AND (ticket_id IS NOT NULL)));
create policy given_by_helper on kept_bytes for update using (acts_as(user_id)) with check (acts_as(user_id));
create policy inserted_by_owner on acceptances for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on account_grant_hosts for insert using () with check (actor_owns(owner_id));
create policy inserted_by_owner on account_grants for insert using () with check (actor_owns(owner_id));
create policy inserted_by_owner on account_merges for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on account_tokens for insert using () with check (actor_owns(owner_id));
create policy inserted_by_owner on activations for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on acts_to_undo for insert using () with check (actor_owns(staff_id));
create policy inserted_by_owner on alert_incidents for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on alert_settings for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on allowance_uses for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on announcement_chosen for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on announcement_end_mails for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on announcement_mails for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on announcement_revisions for insert using () with check (actor_owns(announcement_id));
create policy inserted_by_owner on announcements for insert using () with check (actor_owns(by));
create policy inserted_by_owner on approvals for insert using () with check (actor_owns(customer_id));
create policy inserted_by_owner on assistant_proposals for insert using () with check (actor_owns(owner_id));
create policy inserted_by_owner on attachments for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on auto_top_up_runs for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on auto_top_ups for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on balances for insert using () with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy inserted_by_owner on bank_files for insert using () with check (actor_owns(imported_by));
create policy inserted_by_owner on bank_lines for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on bank_odd_parts for insert using () with check (actor_owns(done_by));
create policy inserted_by_owner on bank_originals for insert using () with check (actor_owns(kept_by));
create policy inserted_by_owner on bank_profiles for insert using () with check (actor_owns(made_by));
create policy inserted_by_owner on billing_details for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on book_exports for insert using () with check (actor_owns(made_by));
create policy inserted_by_owner on canned_replies for insert using () with check (actor_owns(author_id));
create policy inserted_by_owner on checkouts for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on chosen_extras for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on customer_blocks for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on customer_notes for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on data_exports for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on debts for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on desk_absences for insert using () with check (actor_owns(staff_id));
create policy inserted_by_owner on desk_views for insert using () with check (actor_owns(author_id));
create policy inserted_by_owner on email_addresses for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on entries for insert using () with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy inserted_by_owner on factor_resets for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on first_networks for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on former_keys for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on grant_spending for insert using () with check (actor_owns(owner_id));
create policy inserted_by_owner on help_articles for insert using () with check (actor_owns(id));
create policy inserted_by_owner on help_revisions for insert using () with check (actor_owns(article_id));
create policy inserted_by_owner on help_sections for insert using () with check (actor_owns(id));
create policy inserted_by_owner on help_stems for insert using () with check (actor_owns(article_id));
create policy inserted_by_owner on help_votes for insert using () with check (actor_owns(article_id));
create policy inserted_by_owner on host_agents for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on host_payers for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on host_transfers for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on hosts for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on idempotency_keys for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on invoice_documents for insert using () with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy inserted_by_owner on invoice_lines for insert using () with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy inserted_by_owner on invoice_mails for insert using () with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy inserted_by_owner on invoice_readers for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on invoice_snapshots for insert using () with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy inserted_by_owner on invoices for insert using () with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy inserted_by_owner on kept_bytes for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on ledger_accounts for insert using () with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy inserted_by_owner on licence_orders for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on licence_settings for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on licence_watches for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on licensed_addresses for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on mail_preferences for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on narrowed_grants for insert using () with check (actor_owns(owner_id));
create policy inserted_by_owner on new_ticket_mails for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on notification_choices for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on notifications for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on paid_periods for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on passkeys for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on password_reset_keys for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on passwords for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on payment_methods for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on payout_accounts for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on payouts for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on place_questions for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on plan_move_hosts for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on profiles for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on promo_uses for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on purchases for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on push_subscriptions for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on received_mails for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on recovery_codes for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on recovery_sets for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on redemptions for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on reply_addresses for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on requested_hosts for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on sessions for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on statement_files for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on statements for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on suspended_addresses for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on suspensions for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on ticket_mails for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on ticket_mails_sent for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on ticket_merges for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on ticket_messages for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on ticket_ratings for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on ticket_readers for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on ticket_secrets for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on tickets for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on tickets_to_erase for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on top_ups for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on totp_authenticators for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on transaction_documents for insert using () with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy inserted_by_owner on transactions for insert using () with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy inserted_by_owner on trial_addresses for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on trials for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on unbooked_events for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on users for insert using () with check (actor_owns(id));
create policy inserted_by_owner on vat_id_checks for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on vat_overrides for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on view_sessions for insert using () with check (actor_owns(member_id));
create policy inserted_by_owner on webhook_attempts for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on webhook_endpoints for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on webhook_lanes for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on withdrawal_refunds for insert using () with check (actor_owns(user_id));
create policy inserted_by_owner on withdrawals for insert using () with check (actor_owns(user_id));
create policy inserted_by_system on invitations for insert using () with check (actor_owns(NULL::uuid));
create policy inserted_by_system on robot_tokens for insert using () with check (actor_owns(NULL::uuid));
create policy inserted_by_system on robots for insert using () with check (actor_owns(NULL::uuid));
create policy inserted_for_the_operator on entries for insert using () with check ((user_id IS NULL));
create policy inserted_for_the_operator on ledger_accounts for insert using () with check ((user_id IS NULL));
create policy left_by_helper on account_grants for update using (actor_owns(grantee_id)) with check ((actor_owns(grantee_id) AND (state = 'left'::text)));
create policy marked_by_helper on ticket_readers for insert using () with check ((acts_as(user_id) AND is_helper));
create policy moved_by_helper on ticket_readers for update using (acts_as(user_id)) with check ((acts_as(user_id) AND is_helper));
create policy rated_by_helper on ticket_ratings for insert using () with check (acts_as(user_id));
create policy readable on acceptances for select using (true) with check ();
create policy readable on account_grant_hosts for select using (true) with check ();
create policy readable on account_grants for select using (true) with check ();
create policy readable on account_merges for select using (true) with check ();
create policy readable on account_tokens for select using (true) with check ();
create policy readable on activations for select using (true) with check ();
create policy readable on acts_to_undo for select using (true) with check ();
create policy readable on alert_incidents for select using (true) with check ();
create policy readable on alert_settings for select using (true) with check ();
create policy readable on allowance_uses for select using (true) with check ();
create policy readable on announcement_chosen for select using (true) with check ();
create policy readable on announcement_end_mails for select using (true) with check ();
create policy readable on announcement_mails for select using (true) with check ();
create policy readable on announcement_revisions for select using (true) with check ();
create policy readable on announcements for select using (true) with check ();
create policy readable on approvals for select using (true) with check ();
create policy readable on assistant_proposals for select using (true) with check ();
create policy readable on attachments for select using (true) with check ();
create policy readable on auto_top_up_runs for select using (true) with check ();
create policy readable on auto_top_ups for select using (true) with check ();
create policy readable on balances for select using (true) with check ();
create policy readable on bank_files for select using (true) with check ();
create policy readable on bank_lines for select using (true) with check ();
create policy readable on bank_odd_parts for select using (true) with check ();
create policy readable on bank_originals for select using (true) with check ();
create policy readable on bank_profiles for select using (true) with check ();
create policy readable on billing_details for select using (true) with check ();
create policy readable on book_exports for select using (true) with check ();
create policy readable on canned_replies for select using (true) with check ();
create policy readable on checkouts for select using (true) with check ();
create policy readable on chosen_extras for select using (true) with check ();
create policy readable on customer_blocks for select using (true) with check ();
create policy readable on customer_notes for select using (true) with check ();
create policy readable on data_exports for select using (true) with check ();
create policy readable on debts for select using (true) with check ();
create policy readable on desk_absences for select using (true) with check ();
create policy readable on desk_views for select using (true) with check ();
create policy readable on email_addresses for select using (true) with check ();
create policy readable on entries for select using (true) with check ();
create policy readable on factor_resets for select using (true) with check ();
create policy readable on first_networks for select using (true) with check ();
create policy readable on former_keys for select using (true) with check ();
create policy readable on grant_spending for select using (true) with check ();
create policy readable on help_articles for select using (true) with check ();
create policy readable on help_revisions for select using (true) with check ();
create policy readable on help_sections for select using (true) with check ();
create policy readable on help_stems for select using (true) with check ();
create policy readable on help_votes for select using (true) with check ();
create policy readable on host_agents for select using (true) with check ();
create policy readable on host_payers for select using (true) with check ();
create policy readable on host_transfers for select using (true) with check ();
create policy readable on hosts for select using (true) with check ();
create policy readable on idempotency_keys for select using (true) with check ();
create policy readable on invitations for select using (true) with check ();
create policy readable on invoice_documents for select using (true) with check ();
create policy readable on invoice_lines for select using (true) with check ();
create policy readable on invoice_mails for select using (true) with check ();
create policy readable on invoice_readers for select using (true) with check ();
create policy readable on invoice_snapshots for select using (true) with check ();
create policy readable on invoices for select using (true) with check ();
create policy readable on kept_bytes for select using (true) with check ();
create policy readable on ledger_accounts for select using (true) with check ();
create policy readable on licence_orders for select using (true) with check ();
create policy readable on licence_settings for select using (true) with check ();
create policy readable on licence_watches for select using (true) with check ();
create policy readable on licensed_addresses for select using (true) with check ();
create policy readable on mail_preferences for select using (true) with check ();
create policy readable on narrowed_grants for select using (true) with check ();
create policy readable on new_ticket_mails for select using (true) with check ();
create policy readable on notification_choices for select using (true) with check ();
create policy readable on notifications for select using (true) with check ();
create policy readable on paid_periods for select using (true) with check ();
create policy readable on passkeys for select using (true) with check ();
create policy readable on password_reset_keys for select using (true) with check ();
create policy readable on passwords for select using (true) with check ();
create policy readable on payment_agreements for select using (true) with check ();
create policy readable on payment_methods for select using (true) with check ();
create policy readable on payout_accounts for select using (true) with check ();
create policy readable on payouts for select using (true) with check ();
create policy readable on place_questions for select using (true) with check ();
create policy readable on plan_move_hosts for select using (true) with check ();
create policy readable on profiles for select using (true) with check ();
create policy readable on promo_uses for select using (true) with check ();
create policy readable on purchases for select using (true) with check ();
create policy readable on push_subscriptions for select using (true) with check ();
create policy readable on received_mails for select using (true) with check ();
create policy readable on recovery_codes for select using (true) with check ();
create policy readable on recovery_sets for select using (true) with check ();
create policy readable on redemptions for select using (true) with check ();
create policy readable on reply_addresses for select using (true) with check ();
create policy readable on requested_hosts for select using (true) with check ();
create policy readable on robot_tokens for select using (true) with check ();
create policy readable on robots for select using (true) with check ();
create policy readable on sessions for select using (true) with check ();
create policy readable on statement_files for select using (true) with check ();
create policy readable on statements for select using (true) with check ();
create policy readable on suspended_addresses for select using (true) with check ();
create policy readable on suspensions for select using (true) with check ();
create policy readable on ticket_mails for select using (true) with check ();
create policy readable on ticket_mails_sent for select using (true) with check ();
create policy readable on ticket_merges for select using (true) with check ();
create policy readable on ticket_messages for select using (true) with check ();
create policy readable on ticket_ratings for select using (true) with check ();
create policy readable on ticket_readers for select using (true) with check ();
create policy readable on ticket_secrets for select using (true) with check ();
create policy readable on tickets for select using (true) with check ();
create policy readable on tickets_to_erase for select using (true) with check ();
create policy readable on top_ups for select using (true) with check ();
create policy readable on totp_authenticators for select using (true) with check ();
create policy readable on transaction_documents for select using (true) with check ();
create policy readable on transactions for select using (true) with check ();
create policy readable on trial_addresses for select using (true) with check ();
create policy readable on trials for select using (true) with check ();
create policy readable on unbooked_events for select using (true) with check ();
create policy readable on users for select using (true) with check ();
create policy readable on vat_id_checks for select using (true) with check ();
create policy readable on vat_overrides for select using (true) with check ();
create policy readable on view_sessions for select using (true) with check ();
create policy readable on webhook_attempts for select using (true) with check ();
create policy readable on webhook_endpoints for select using (true) with check ();
create policy readable on webhook_lanes for select using (true) with check ();
create policy readable on withdrawal_refunds for select using (true) with check ();
create policy readable on withdrawals for select using (true) with check ();
create policy updated_by_owner on acceptances for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on account_grant_hosts for update using (actor_owns(owner_id)) with check (actor_owns(owner_id));
create policy updated_by_owner on account_grants for update using (actor_owns(owner_id)) with check (actor_owns(owner_id));
create policy updated_by_owner on account_merges for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on account_tokens for update using (actor_owns(owner_id)) with check (actor_owns(owner_id));
create policy updated_by_owner on activations for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on acts_to_undo for update using (actor_owns(staff_id)) with check (actor_owns(staff_id));
create policy updated_by_owner on alert_incidents for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on alert_settings for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on allowance_uses for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on announcement_chosen for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on announcement_end_mails for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on announcement_mails for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on announcement_revisions for update using (actor_owns(announcement_id)) with check (actor_owns(announcement_id));
create policy updated_by_owner on announcements for update using (actor_owns(by)) with check (actor_owns(by));
create policy updated_by_owner on approvals for update using (actor_owns(customer_id)) with check (actor_owns(customer_id));
create policy updated_by_owner on assistant_proposals for update using (actor_owns(owner_id)) with check (actor_owns(owner_id));
create policy updated_by_owner on attachments for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on auto_top_up_runs for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on auto_top_ups for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on balances for update using ((actor_owns(user_id) OR payer_owns(user_id))) with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy updated_by_owner on bank_files for update using (actor_owns(imported_by)) with check (actor_owns(imported_by));
create policy updated_by_owner on bank_lines for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on bank_odd_parts for update using (actor_owns(done_by)) with check (actor_owns(done_by));
create policy updated_by_owner on bank_originals for update using (actor_owns(kept_by)) with check (actor_owns(kept_by));
create policy updated_by_owner on bank_profiles for update using (actor_owns(made_by)) with check (actor_owns(made_by));
create policy updated_by_owner on billing_details for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on book_exports for update using (actor_owns(made_by)) with check (actor_owns(made_by));
create policy updated_by_owner on canned_replies for update using (actor_owns(author_id)) with check (actor_owns(author_id));
create policy updated_by_owner on checkouts for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on chosen_extras for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on customer_blocks for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on customer_notes for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on data_exports for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on debts for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on desk_absences for update using (actor_owns(staff_id)) with check (actor_owns(staff_id));
create policy updated_by_owner on desk_views for update using (actor_owns(author_id)) with check (actor_owns(author_id));
create policy updated_by_owner on email_addresses for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on entries for update using ((actor_owns(user_id) OR payer_owns(user_id))) with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy updated_by_owner on factor_resets for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on first_networks for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on former_keys for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on grant_spending for update using (actor_owns(owner_id)) with check (actor_owns(owner_id));
create policy updated_by_owner on help_articles for update using (actor_owns(id)) with check (actor_owns(id));
create policy updated_by_owner on help_revisions for update using (actor_owns(article_id)) with check (actor_owns(article_id));
create policy updated_by_owner on help_sections for update using (actor_owns(id)) with check (actor_owns(id));
create policy updated_by_owner on help_stems for update using (actor_owns(article_id)) with check (actor_owns(article_id));
create policy updated_by_owner on help_votes for update using (actor_owns(article_id)) with check (actor_owns(article_id));
create policy updated_by_owner on host_agents for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on host_payers for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on host_transfers for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on hosts for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on idempotency_keys for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on invoice_documents for update using ((actor_owns(user_id) OR payer_owns(user_id))) with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy updated_by_owner on invoice_lines for update using ((actor_owns(user_id) OR payer_owns(user_id))) with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy updated_by_owner on invoice_mails for update using ((actor_owns(user_id) OR payer_owns(user_id))) with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy updated_by_owner on invoice_readers for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on invoice_snapshots for update using ((actor_owns(user_id) OR payer_owns(user_id))) with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy updated_by_owner on invoices for update using ((actor_owns(user_id) OR payer_owns(user_id))) with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy updated_by_owner on kept_bytes for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on ledger_accounts for update using ((actor_owns(user_id) OR payer_owns(user_id))) with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy updated_by_owner on licence_orders for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on licence_settings for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on licence_watches for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on licensed_addresses for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on mail_preferences for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on narrowed_grants for update using (actor_owns(owner_id)) with check (actor_owns(owner_id));
create policy updated_by_owner on new_ticket_mails for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on notification_choices for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on notifications for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on paid_periods for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on passkeys for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on password_reset_keys for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on passwords for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on payment_methods for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on payout_accounts for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on payouts for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on place_questions for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on plan_move_hosts for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on profiles for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on promo_uses for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on purchases for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on push_subscriptions for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on received_mails for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on recovery_codes for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on recovery_sets for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on redemptions for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on reply_addresses for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on requested_hosts for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on sessions for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on statement_files for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on statements for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on suspended_addresses for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on suspensions for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on ticket_mails for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on ticket_mails_sent for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on ticket_merges for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on ticket_messages for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on ticket_ratings for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on ticket_readers for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on ticket_secrets for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on tickets for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on tickets_to_erase for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on top_ups for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on totp_authenticators for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on transaction_documents for update using ((actor_owns(user_id) OR payer_owns(user_id))) with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy updated_by_owner on transactions for update using ((actor_owns(user_id) OR payer_owns(user_id))) with check ((actor_owns(user_id) OR payer_owns(user_id)));
create policy updated_by_owner on trial_addresses for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on trials for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on unbooked_events for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on users for update using (actor_owns(id)) with check (actor_owns(id));
create policy updated_by_owner on vat_id_checks for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on vat_overrides for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on view_sessions for update using (actor_owns(member_id)) with check (actor_owns(member_id));
create policy updated_by_owner on webhook_attempts for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on webhook_endpoints for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on webhook_lanes for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on withdrawal_refunds for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_owner on withdrawals for update using (actor_owns(user_id)) with check (actor_owns(user_id));
create policy updated_by_system on invitations for update using (actor_owns(NULL::uuid)) with check (actor_owns(NULL::uuid));
create policy updated_by_system on robot_tokens for update using (actor_owns(NULL::uuid)) with check (actor_owns(NULL::uuid));
create policy updated_by_system on robots for update using (actor_owns(NULL::uuid)) with check (actor_owns(NULL::uuid));

-- Functions

CREATE OR REPLACE FUNCTION public.account_event_slot(at timestamp with time zone)
 RETURNS smallint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select (extract(epoch from at)::bigint / 432000 % 8)::smallint
$function$
;

CREATE OR REPLACE FUNCTION public.act_for(owner uuid, person uuid, opened uuid, passed_on uuid, roles text[], host text, ticket boolean)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  actor text := current_setting('app.actor');
  acting text;
begin
  -- Row-level security passes over rows that the actor may not write, and so would leave them unlocked, without a word.
  perform set_config('app.actor', 'system', true);
  perform from users u where u.id = (select g.owner_id from account_grants g where g.id = passed_on) for share;
  perform from account_grants g where g.id in (opened, passed_on) order by g.id for share;
  perform set_config('app.actor', actor, true);
  select w.role into acting from ways_to_act(person, owner) w
  where w.grant_id = opened and w.through is not distinct from passed_on and w.role = any (roles) and grant_opens(opened, host, ticket)
    and may_act(person, w.needs_second_factor);
  if acting is null then
    return false;
  end if;
  perform set_config('app.person', person::text, true);
  perform set_config('app.through', coalesce(passed_on::text, ''), true);
  if acting = 'read' then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION public.actor_owns(owner uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select current_setting('app.actor', true) in ('system', owner::text)
$function$
;

CREATE OR REPLACE FUNCTION public.acts_as(person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(current_setting('app.person', true) = person::text, false)
$function$
;

CREATE OR REPLACE FUNCTION public.add_up(invoice bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  head invoices;
begin
  select * into head from invoices where id = invoice;
  if (select sum(price) from invoice_lines where invoice_id = invoice) is distinct from head.net + head.allowance then
    raise exception 'the lines of invoice % are not its net', head.number using errcode = 'check_violation';
  end if;
  if exists (
    select from invoices o join invoices c on c.credit_note_of = o.id where o.id = head.credit_note_of group by o.id
    having sum(c.total) > o.total or sum(c.gift) > o.gift or sum(c.allowance) > o.allowance) then
    raise exception 'credit note % gives back more than was paid', head.number using errcode = 'check_violation';
  end if;
  -- Two invoices of one sale must never both be owed.
  if head.kind = 'invoice' and head.version > 1 and not exists (
    select from invoices o
    where o.transaction_id = head.transaction_id and o.kind = 'invoice' and o.version = head.version - 1 and o.user_id = head.user_id
      and (o.total, o.gift) = (select sum(c.total), sum(c.gift) from invoices c where c.credit_note_of = o.id)) then
    raise exception 'invoice % replaces one that is not cancelled', head.number using errcode = 'check_violation';
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION public.alert_values(owner uuid, host bigint)
 RETURNS TABLE(offline_minutes smallint, disk_percent smallint)
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(own.offline_minutes, whole.offline_minutes, 5::smallint), coalesce(own.disk_percent, whole.disk_percent, 90::smallint)
  from (select 1) one
  left join alert_settings whole on whole.user_id = owner and whole.host_id is null
  left join alert_settings own on own.host_id = host
$function$
;

CREATE OR REPLACE FUNCTION public.allow_app(table_name text, rights text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from pg_roles where rolname = 'hostdesk_app') then
    execute format('grant %s on %I to hostdesk_app', rights, table_name);
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION public.append_only(table_name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('create trigger %I before delete or update on %I for each row execute function refuse_change()',
    table_name || '_are_append_only', table_name);
  execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()',
    table_name || '_are_not_truncated', table_name);
end $function$
;

CREATE OR REPLACE FUNCTION public.are_tied(one uuid, other uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from account_grants g
    where (g.owner_id, g.grantee_id) in ((one, other), (other, one)) and g.accepted_at is not null
      and (g.state = 'active' or g.ended_at > now() - interval '90 days')
  ) or exists (select from ways_to_act(one, other)) or exists (select from ways_to_act(other, one))
  or exists (
    select from payment_agreements a
    where (a.owner_id, a.payer_id) in ((one, other), (other, one)) and a.accepted_at is not null
      and (a.state = 'active' or a.ended_at > now() - interval '90 days'))
$function$
;

CREATE OR REPLACE FUNCTION public.audience_of(owner uuid, roles text[], host text)
 RETURNS TABLE(person uuid, held jsonb)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
begin
  if not exists (select from account_grants g where g.owner_id = owner and g.state = 'active') then
    return;
  end if;
  return query
  with ways as (
    select g.grantee_id as person, g.role, g.id, g.version, null::uuid as passed_on, null::integer as passed_version,
      g.needs_second_factor, g.accepted_at
    from account_grants g where g.owner_id = owner and g.state = 'active' and g.grantee_kind = 'person'
    union all
    select g.id, g.role, g.id, g.version, null, null, false, g.accepted_at
    from account_tokens t join account_grants g on g.id = t.id and g.state = 'active'
    where t.owner_id = owner and t.listened_at > now() - interval '1 day'
    union all
    select p.grantee_id, case when g.role = 'full' then p.role else g.role end, g.id, g.version, p.id, p.version,
      g.needs_second_factor or p.needs_second_factor, p.accepted_at
    from account_grants g join account_grants p on p.owner_id = g.grantee_id and p.state = 'active' and p.all_hosts
    where g.owner_id = owner and g.state = 'active' and g.may_pass_on and p.grantee_id <> owner
      and (g.role = p.role or 'full' in (g.role, p.role))
      and may_pass(p.owner_id, g.needs_second_factor))
  select person, held from (
    select distinct on (w.person) w.person, w.accepted_at,
      case when w.passed_on is null then jsonb_build_array(w.id || ':' || w.version)
        else jsonb_build_array(w.id || ':' || w.version, w.passed_on || ':' || w.passed_version) end as held
    from ways w join account_grants g on g.id = w.id
    where w.role = any (roles)
      and (g.all_hosts or (host is not null and exists (
        select from account_grant_hosts s join hosts h on h.id = s.host_id where s.grant_id = w.id and h.public_id = host)))
      and (exists (
          select from users u where u.id = w.person and u.is_active and u.access <> 'locked'
            and (not w.needs_second_factor or u.factors && array['totp', 'webauthn']))
        or (w.person = w.id and token_lives(w.id)))
    order by w.person, w.passed_on nulls first, w.id) as heard
  order by accepted_at, person limit 100;
end
$function$
;

CREATE OR REPLACE FUNCTION public.balance_sides()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  sides int;
  total numeric;
begin
  select count(*), sum(amount) into sides, total from entries where transaction_id = new.transaction_id;
  if total <> 0 then
    raise exception 'transaction % has % sides, which come to %', new.transaction_id, sides, total using errcode = 'check_violation';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.balance_transaction()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  rule transaction_types;
  sides int;
  own int;
  operators int;
  total numeric;
  gift_moved numeric;
  gift_side numeric;
  origin_type text;
  taken_back numeric;
begin
  select * into rule from transaction_types where type = new.type;
  select count(*), count(*) filter (where currency = new.currency and user_id = new.user_id),
      count(*) filter (where currency = new.currency and user_id is null), sum(amount), coalesce(sum(gift), 0),
      coalesce(sum(amount) filter (where is_gift), 0)
    into sides, own, operators, total, gift_moved, gift_side from entries where transaction_id = new.id;
  if total is distinct from 0 or own + operators <> sides
     or not (case when rule.sign = 0 then own = 0 and operators = 2 else own = 1 and operators in (1, 2, 3) end) then
    raise exception 'transaction % has % sides, which come to %', new.id, sides, total using errcode = 'check_violation';
  end if;
  if gift_side <> (case when rule.counterpart = 'revenue' then -gift_moved else 0 end) then
    raise exception 'transaction % moves a gift of % and books %', new.id, gift_moved, gift_side using errcode = 'check_violation';
  end if;
  if new.splits is not null and not exists (
    select from transactions x join transaction_types t on t.type = x.type
    where x.id = new.splits and t.counterpart = 'revenue' and t.sign <> 0) then
    raise exception '% % takes VAT out of what is no revenue, which does not move it', new.type, new.id using errcode = 'check_violation';
  end if;
  if new.reverses is null then
    if rule.must_reverse then
      raise exception '% % takes nothing back', new.type, new.id using errcode = 'check_violation';
    end if;
    return null;
  end if;
  select type into origin_type from transactions where id = new.reverses;
  select sum(e.amount) into taken_back from transactions t join entries e on e.transaction_id = t.id and e.of_customer
    where t.id = new.reverses or t.reverses = new.reverses;
  if origin_type is distinct from rule.reverses or taken_back * rule.sign > 0 then
    raise exception '% % takes back what is not there', new.type, new.id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.begin_account_events(owner uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.begin_credit(credited uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (
    select from licence_orders o join hosts h on h.id = o.host_id
    where o.transaction_id = credited and coalesce(o.payer_id, o.user_id) <> h.user_id and actor_owns(h.user_id)) then
    raise exception 'transaction % did not pay for a server of this account', credited using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.actor', 'system', true);
end $function$
;

CREATE OR REPLACE FUNCTION public.begin_for(actor text, account uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform set_config('app.actor', actor, true);
  perform from users where id = account and is_active for key share;
  if not found then
    raise exception 'the account % is not active', account using errcode = 'HD401';
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION public.book_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  owner uuid;
  account_kind text;
  rule transaction_types;
  booked balances;
  head transactions;
  held bigint;
  spent record;
begin
  select kind, user_id into account_kind, owner from ledger_accounts where id = new.account_id;
  select * into head from transactions where id = new.transaction_id;
  select * into rule from transaction_types where type = head.type;
  new.type := rule.type;
  new.user_id := owner;
  new.is_vat := account_kind = 'vat';
  new.is_gift := account_kind = 'promotions' and rule.counterpart = 'revenue';
  new.seq := null;
  new.balance_after := null;
  new.created_at := date_trunc('milliseconds', clock_timestamp());
  if account_kind = 'customer' then
    -- The sign of a split is 0, and no amount is: it cannot touch a customer's account.
    if sign(new.amount) <> rule.sign then
      raise exception '% does not move a customer''s account by %', rule.type, new.amount using errcode = 'check_violation';
    end if;
    if not exists (select from balances where account_id = new.account_id) then
      insert into balances (account_id, user_id, currency) values (new.account_id, owner, new.currency) on conflict do nothing;
    end if;
    select gift into held from balances where account_id = new.account_id for update;
    if rule.counterpart = 'promotions' then
      -- A debt that is written off is given up, and leaves nothing to spend.
      new.gift := case when head.description ->> 'code' = 'written_off' then 0 else new.amount end;
    elsif rule.counterpart <> 'revenue' then
      new.gift := 0;
    elsif rule.sign < 0 then
      new.gift := -least(held, -new.amount);
    else
      -- A refund gives back what was spent as what it was: at most the gift that is not back yet as a gift, at most the money as money.
      select -o.amount as amount, -o.gift as gift, coalesce(b.amount, 0) as amount_back, coalesce(b.gift, 0) as gift_back into spent
        from entries o, lateral (
          select sum(e.amount) as amount, sum(e.gift) as gift from transactions r join entries e on e.transaction_id = r.id and e.of_customer
          where r.reverses = head.reverses and r.id <> head.id) b
        where o.transaction_id = head.reverses and o.of_customer;
      new.gift := least(spent.gift - spent.gift_back, new.amount, greatest(new.gift,
        new.amount - (spent.amount - spent.gift - (spent.amount_back - spent.gift_back))));
    end if;
    update balances set
      balance = balance + new.amount,
      gift = gift + new.gift,
      allow_negative = balance + new.amount < 0 and (new.type = 'charge_back' or allow_negative),
      last_seq = last_seq + 1,
      last_at = greatest(date_trunc('milliseconds', clock_timestamp()), last_at)
    where account_id = new.account_id returning * into booked;
    new.seq := booked.last_seq;
    new.balance_after := booked.balance;
    new.created_at := booked.last_at;
  else
    new.gift := 0;
    -- VAT stands beside revenue only, and so does the side of a spent gift; both move its way.
    if (case when new.is_vat or new.is_gift then 'revenue' else account_kind end) <> rule.counterpart or sign(new.amount) = rule.sign then
      raise exception '% does not move % by %', rule.type, account_kind, new.amount using errcode = 'check_violation';
    end if;
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.claim_addresses(user_id uuid, host_id bigint, ipv4 inet, ipv6 inet, starts_at timestamp with time zone, ends_at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare violated text;
begin
  insert into licensed_addresses (user_id, host_id, ipv4, starts_at, ends_at)
  select $1, $2, $3, $5, $6 where $3 is not null;
  insert into licensed_addresses (user_id, host_id, ipv6, starts_at, ends_at)
  select $1, $2, $4, $5, $6 where $4 is not null;
  return null;
exception when exclusion_violation then
  get stacked diagnostics violated = constraint_name;
  return case violated when 'one_licence_for_an_ipv6' then 'ipv6' else 'ipv4' end;
end $function$
;

CREATE OR REPLACE FUNCTION public.concerned_by(account uuid)
 RETURNS TABLE(person uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select g.owner_id from account_grants g where g.grantee_id = account and g.state = 'active'
  union
  select g.owner_id from account_grants p join account_grants g on g.grantee_id = p.owner_id and g.state = 'active' and g.may_pass_on
  where p.grantee_id = account and p.state = 'active' and p.all_hosts and g.owner_id <> account
  union
  select p.grantee_id from account_grants p where p.owner_id = account and p.state = 'active' and p.all_hosts and exists (
    select from account_grants g where g.grantee_id = account and g.state = 'active' and g.may_pass_on)
$function$
;

CREATE OR REPLACE FUNCTION public.count_edit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.version := old.version + 1;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.count_kept_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' and (old.user_id = old.uploader_id or old.ticket_id is null) then
    update kept_bytes set bytes = bytes - old.size where user_id = old.user_id;
  end if;
  if tg_op <> 'DELETE' and (new.user_id = new.uploader_id or new.ticket_id is null) then
    insert into kept_bytes (user_id, bytes) values (new.user_id, new.size)
      on conflict (user_id) do update set bytes = kept_bytes.bytes + new.size;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.delete_help_article(article uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform set_config('app.deleted_article', article::text, true);
  delete from public.help_stems where article_id = article;
  delete from public.help_votes where article_id = article;
  delete from public.help_revisions where article_id = article;
  delete from public.help_articles where id = article;
  perform set_config('app.deleted_article', '', true);
end $function$
;

CREATE OR REPLACE FUNCTION public.documented_net(customer uuid, sale uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select sum(i.net + i.allowance - coalesce((
    select sum(c.net + c.allowance) from invoices c where c.credit_note_of = i.id and c.user_id = i.user_id), 0))::bigint
  from invoices i where i.transaction_id = sale and i.user_id = customer and i.kind = 'invoice'
$function$
;

CREATE OR REPLACE FUNCTION public.documents_from(of_host text)
 RETURNS TABLE(starts_s bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(max(r.before), 0) from revocations r where r.sub = of_host
$function$
;

CREATE OR REPLACE FUNCTION public.drop_failed_job(job_id bigint)
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from public.jobs j
  where j.id = job_id and j.taken_by is null and j.max_attempts > 0 and j.attempts >= j.max_attempts returning j.name
$function$
;

CREATE OR REPLACE FUNCTION public.end_agreement(ended uuid, ending text, side text, keeps_renewing boolean)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
AS $function$
declare
  actor text := current_setting('app.actor', true);
begin
  if not exists (select from payment_agreements a where a.id = ended and (actor_owns(a.owner_id) or actor_owns(a.payer_id))) then
    raise exception 'agreement % is not of %', ended, actor using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.actor', 'system', true);
  update hosts h set auto_renew = false from host_payers p
    where p.agreement_id = ended and p.host_id = h.id and h.auto_renew and not keeps_renewing;
  delete from requested_hosts where agreement_id = ended;
  return query delete from host_payers where agreement_id = ended returning host_id;
  update payment_agreements a set state = ending, ended_at = clock_timestamp(), version = version + 1,
    ended_by = case ending when 'ended' then side end where a.id = ended;
  perform set_config('app.actor', actor, true);
end $function$
;

CREATE OR REPLACE FUNCTION public.enqueue_job(name text, payload jsonb, run_at timestamp with time zone, key text, max_attempts integer, class text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.erase_account_events(account uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform set_config('app.erased', account::text, true);
  delete from public.operator_events_waiting where customer_id = account;
  delete from public.account_events where user_id = account;
  delete from public.account_events where customer_id = account;
  update public.account_event_lists set read_until = now() where user_id = account and read_until > now();
  perform set_config('app.erased', '', true);
end $function$
;

CREATE OR REPLACE FUNCTION public.expect_answer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.status = 'closed' or new.waiting_since is null or new.snoozed_at is not null then
    new.due_at := null;
    new.due_since := null;
    return new;
  end if;
  if tg_op = 'UPDATE' and old.waiting_since = new.waiting_since then
    if old.due_since is not null and old.priority = new.priority then
      return new;
    end if;
    -- A ticket that sleeps no longer counts from now on.
    new.due_since := case when old.snoozed_at is not null then date_trunc('milliseconds', now())
      else coalesce(old.due_since, new.waiting_since) end;
  else
    new.due_since := new.waiting_since;
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('answer_calendar', 0));
  new.due_at := expected_answer(new.due_since, new.first_reply_at is null, new.priority, new.user_id, new.host_id);
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.expected_answer(since timestamp with time zone, is_first boolean, urgency text, customer uuid, host bigint)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  calendar answer_calendar%rowtype;
  paid text;
  target_minutes integer;
begin
  select * into calendar from answer_calendar;
  if not calendar.is_open then
    return null;
  end if;
  if exists (select from answer_targets where edition is not null) then
    select p.edition into paid from hosts h join paid_periods p on p.host_id = h.id join editions e on e.slug = p.edition
      where h.user_id = customer and (host is null or h.id = host)
        and p.starts_at <= since and p.ends_at > since
        and exists (select from answer_targets t where t.edition = p.edition and t.priority = urgency)
      order by e.rank desc, e.slug limit 1;
  end if;
  select case when is_first then t.first_minutes else t.next_minutes end into target_minutes
    from answer_targets t
    where t.priority = urgency and t.edition is not distinct from paid;
  return date_trunc('milliseconds', open_time_after(since, target_minutes, calendar.zone, calendar.hours, calendar.holidays));
end $function$
;

CREATE OR REPLACE FUNCTION public.extras_at_end(host bigint)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select extras from chosen_extras where host_id = host
$function$
;

CREATE OR REPLACE FUNCTION public.failed_jobs()
 RETURNS TABLE(id bigint, name text, attempts integer, last_error text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select j.id, j.name, j.attempts, j.last_error from public.jobs j
  where j.taken_by is null and j.max_attempts > 0 and j.attempts >= j.max_attempts order by j.id desc limit 100
$function$
;

CREATE OR REPLACE FUNCTION public.fold_text(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.forget_old_origins()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  forgotten integer;
begin
  update public.audit set ip = null, user_agent = null where id in (
    select id from public.audit where ip is not null and at < now() - interval '400 days' order by at limit 5000);
  get diagnostics forgotten = row_count;
  return forgotten;
end $function$
;

CREATE OR REPLACE FUNCTION public.frequent_name_parts()
 RETURNS TABLE(part text, share double precision, names double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select seen.part, seen.share, seen.share * profiles.reltuples
  from pg_stats, pg_class profiles, unnest(most_common_elems::text::text[], most_common_elem_freqs) as seen (part, share)
  where schemaname = 'public' and tablename = 'profiles_by_name_part' and profiles.oid = 'public.profiles'::regclass
    and seen.part is not null
$function$
;

CREATE OR REPLACE FUNCTION public.full_name(name text, middle_name text, surname text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select name || ' ' || case when middle_name = '' then '' else middle_name || ' ' end || surname
$function$
;

CREATE OR REPLACE FUNCTION public.give_tickets(tickets_given bigint[], new_owner uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with marks as (
    insert into ticket_readers (ticket_id, user_id, seq, read_at)
      select r.ticket_id, new_owner, r.seq, r.read_at from ticket_readers r join tickets t on t.id = r.ticket_id and t.user_id = r.user_id
      where t.id = any(tickets_given)
      on conflict (ticket_id, user_id) do update set seq = greatest(ticket_readers.seq, excluded.seq), is_helper = false),
  said as (update ticket_messages set user_id = new_owner where ticket_id = any(tickets_given)),
  files as (update attachments set user_id = new_owner where ticket_id = any(tickets_given)),
  mails as (update ticket_mails set user_id = new_owner where ticket_id = any(tickets_given)),
  news as (update new_ticket_mails set user_id = new_owner where ticket_id = any(tickets_given))
  update tickets t set user_id = new_owner, client_id = case when exists (
      select from tickets o where o.user_id = new_owner and o.client_id = t.client_id) then null else t.client_id end
    where t.id = any(tickets_given)
$function$
;

CREATE OR REPLACE FUNCTION public.grant_opens(opened uuid, host text, ticket boolean)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select case
      when host is null then not ticket or g.all_hosts
      when ticket and g.all_hosts then true
      else exists (
        select from hosts h
        where h.public_id = host and h.user_id = g.owner_id and h.deleted_at is null
          and (g.all_hosts or exists (
            select from account_grant_hosts s where s.grant_id = g.id and s.host_id = h.id)))
    end
  from account_grants g where g.id = opened
$function$
;

CREATE OR REPLACE FUNCTION public.grants_held(person uuid)
 RETURNS TABLE(grant_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select g.id from account_grants g where g.grantee_id = person and g.state = 'active'
$function$
;

CREATE OR REPLACE FUNCTION public.guard_approval()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.guard_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op in ('DELETE', 'TRUNCATE') or pg_trigger_depth() < 2 then
    raise exception 'a balance follows its entries' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.guard_rise()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  before bigint := (select net from plan_prices where plan = new.plan and renewals_from_at <= new.renewals_from_at order by id desc limit 1);
begin
  if new.net > before and new.renewals_from_at < new.from_at + interval '720 hours' then
    raise exception 'a rise of % reaches renewals too early', new.plan using errcode = 'check_violation';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.help_stems_of(locale text, value text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select to_tsvector(case locale when 'de' then 'german' when 'ru' then 'russian' else 'english' end::regconfig, value)
$function$
;

CREATE OR REPLACE FUNCTION public.helpers_of_ticket(people uuid[], owner uuid, roles text[], host text)
 RETURNS TABLE(person uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select distinct p.person from unnest(people) as p (person) cross join lateral ways_to_act(p.person, owner) w
  where w.role = any (roles) and grant_opens(w.grant_id, host, true)
    and exists (
      select from users u where u.id = p.person and u.is_active and u.access <> 'locked'
        and (not w.needs_second_factor or u.factors && array['totp', 'webauthn']))
$function$
;

CREATE OR REPLACE FUNCTION public.host_is_owned()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from hosts where id = new.host_id and user_id = new.user_id) then
    raise exception 'host % is not of % in %', new.host_id, new.user_id, tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.hosts_of_grant(opened uuid)
 RETURNS TABLE(host_id bigint, public_id text)
 LANGUAGE sql
 STABLE
AS $function$
  select h.id, h.public_id from account_grants g join hosts h on h.user_id = g.owner_id
  where g.id = opened and h.deleted_at is null
    and (g.all_hosts or exists (select from account_grant_hosts s where s.grant_id = g.id and s.host_id = h.id))
$function$
;

CREATE OR REPLACE FUNCTION public.in_three_languages(texts jsonb, most integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select jsonb_typeof(texts) = 'object' and texts ?& array['en', 'de', 'ru']
    and (select bool_and(jsonb_typeof(value) = 'string' and length(value #>> '{}') <= most) from jsonb_each(texts))
$function$
;

CREATE OR REPLACE FUNCTION public.introduced_until(one uuid, other uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  with recursive reached (id, until) as (
    select behind, 'infinity'::timestamptz from people_behind(one) behind
    union
    select case when i.by_id = r.id then i.member_id else i.by_id end, least(r.until, i.at + interval '14 days')
    from reached r join introductions i on r.id in (i.by_id, i.member_id)
    where i.at > now() - interval '14 days')
  select max(until) from reached where id = other and one <> other
$function$
;

CREATE OR REPLACE FUNCTION public.invoice_adds_up()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform add_up(new.id);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.is_held(person uuid, held jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select not exists (
    select from jsonb_array_elements_text(held) as h (key)
    left join account_grants g on g.id = split_part(key, ':', 1)::uuid and g.version::text = split_part(key, ':', 2)
      and g.state = 'active' and (not g.needs_second_factor or exists (
        select from users u where u.id = person and u.factors && array['totp', 'webauthn']))
      and (person in (g.grantee_id, g.id) or may_pass(g.grantee_id, g.needs_second_factor))
    where g.id is null)
$function$
;

CREATE OR REPLACE FUNCTION public.is_licensable_ipv6(address inet)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select family(address) = 6 and not address && inet '::/96' and not address && inet '::ffff:0:0/96'
    and (masklen(address) = 128 or (masklen(address) = 64 and address = network(address)::inet))
$function$
;

CREATE OR REPLACE FUNCTION public.is_on_hold(first timestamp with time zone, last timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO '$user', 'public'
RETURN (EXISTS (SELECT FROM audit_holds h WHERE ((h.ended_at IS NULL) AND (h.starts_at <= is_on_hold.last) AND (h.ends_at > is_on_hold.first))))
;

CREATE OR REPLACE FUNCTION public.join_payer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into host_payers (host_id, user_id, agreement_id)
    select new.id, new.user_id, a.id from payment_agreements a
    where a.owner_id = new.user_id and a.state = 'active' and a.all_hosts for update;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('app.actor', true) is distinct from 'system' then
    raise exception 'access is given by the system only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_account_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and current_setting('app.erased', true) in (old.user_id::text, old.customer_id::text) then
    return old;
  end if;
  if tg_op = 'UPDATE' and current_setting('app.redacts', true) in (old.user_id::text, old.customer_id::text)
    and (old.user_id, old.seq, old.type, old.occurred_at) is not distinct from (new.user_id, new.seq, new.type, new.occurred_at) then
    return new;
  end if;
  raise exception 'account_events is append-only' using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_account_events_read(owner uuid, forever boolean)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update public.account_event_lists
  set read_until = case when forever then 'infinity' else now() + interval '30 days' end where user_id = owner
$function$
;

CREATE OR REPLACE FUNCTION public.keep_an_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('staff owners', 0));
  if not exists (select from users where is_staff and is_active and 'owner' = any (staff_roles) and id <> old.id) then
    raise exception 'the last owner stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.at < now() - interval '400 days' and new.ip is null and new.user_agent is null
    and to_jsonb(new) - '{ip,user_agent}'::text[] = to_jsonb(old) - '{ip,user_agent}'::text[]
  then
    return new;
  end if;
  raise exception 'audit is append-only' using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_bank_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.id, new.file_id, new.account_iban, new.booked_on, new.amount, new.currency, new.name, new.iban, new.text, new.end_to_end,
      new.key, new.nth, new.bank_ref, new.batch_amount)
    is distinct from (old.id, old.file_id, old.account_iban, old.booked_on, old.amount, old.currency, old.name, old.iban, old.text,
      old.end_to_end, old.key, old.nth, old.bank_ref, old.batch_amount) then
    raise exception 'what the bank sent does not change' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_kind()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a person stays one, and a robot' using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_message()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.ticket_id, old.seq, old.customer_seq, old.author_id, old.by_staff, old.client_id, old.created_at)
      is distinct from (new.ticket_id, new.seq, new.customer_seq, new.author_id, new.by_staff, new.client_id, new.created_at)
    or (new.redacted, new.moved) is not distinct from (old.redacted, old.moved)
    or (new.text is distinct from old.text and new.text <> '')
    or not old.attachments @> new.attachments
    or ((new.kind, new.event) is distinct from (old.kind, old.event) and (new.moved is null or old.kind <> 'comment' or new.kind <> 'event'))
  then
    raise exception 'ticket_messages is append-only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_promo_code()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.id, new.code, new.percent, new.amount, new.currency, new.editions, new.first_order_only, new.renewals, new.uses, new.expires_at, new.created_at, new.note)
    is distinct from (old.id, old.code, old.percent, old.amount, old.currency, old.editions, old.first_order_only, old.renewals, old.uses, old.expires_at, old.created_at, old.note)
    or (old.ended_at is not null and new.ended_at is distinct from old.ended_at) then
    raise exception 'a promo code is only ended, once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_staff_roles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not new.staff_roles <@ old.staff_roles and current_setting('app.actor', true) is distinct from 'system' then
    raise exception 'roles are given by the system only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_statement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a signed statement cannot be changed' using errcode = '23514';
end $function$
;

CREATE OR REPLACE FUNCTION public.keep_voucher()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.id, new.code_hash, new.amount, new.currency, new.uses, new.expires_at, new.created_at, new.note)
    is distinct from (old.id, old.code_hash, old.amount, old.currency, old.uses, old.expires_at, old.created_at, old.note)
    or (old.voided_at is not null and (new.voided_at, new.void_reason) is distinct from (old.voided_at, old.void_reason)) then
    raise exception 'a voucher is only voided, once' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.leave_attachment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into attachment_leftovers (public_id, has_preview) values (old.public_id, old.preview_width is not null);
  return old;
end $function$
;

CREATE OR REPLACE FUNCTION public.leave_payer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  actor text := current_setting('app.actor', true);
begin
  perform set_config('app.actor', 'system', true);
  delete from host_payers where host_id = old.id;
  delete from requested_hosts where host_id = old.id;
  perform set_config('app.actor', actor, true);
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.leave_transfers(person uuid)
 RETURNS TABLE(host_id bigint, user_id uuid, email text, was_open boolean)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  actor text := current_setting('app.actor', true);
  own text[] := (select array_agg(a.email) from email_addresses a where a.user_id = person and a.verified_at is not null);
begin
  if not actor_owns(person) then
    raise exception 'account % is not of %', person, actor using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.actor', 'system', true);
  return query update host_transfers t set state = 'ended', ended_at = now(), receiver_id = person
    where t.state = 'offered' and t.email = any(own) and t.user_id <> person
    returning t.host_id, t.user_id, t.email, t.expires_at > clock_timestamp();
  update host_transfers t set email = null
    where t.state <> 'offered' and (t.user_id = person or t.receiver_id = person or t.email = any(own));
  perform set_config('app.actor', actor, true);
end $function$
;

CREATE OR REPLACE FUNCTION public.licence_at(host bigint, at timestamp with time zone)
 RETURNS TABLE(plan text, plan_name jsonb, edition text, term text, price bigint, net bigint, currency text, entitlements jsonb, ordered_at timestamp with time zone, starts_at timestamp with time zone, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select p.plan, o.plan_name, p.edition, p.term, case when o.user_id = p.user_id or o.kind = 'trial' then o.total end, p.net, o.currency,
    coalesce((select jsonb_object_agg(e.key, e.value) from edition_entitlements e where e.edition = p.edition), '{}') || p.entitlements,
    o.ordered_at, p.starts_at, p.ends_at
  from paid_periods p join licence_orders o on o.id = p.order_id
  where p.host_id = host and p.ends_at > p.starts_at
    and p.starts_at >= coalesce((
      select q.starts_at from paid_periods q
      where q.host_id = host and q.starts_at <= at and q.ends_at > q.starts_at
      order by q.starts_at desc limit 1), '-infinity')
$function$
;

CREATE OR REPLACE FUNCTION public.line_adds_up()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform add_up(new.invoice_id);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.live_slot(at timestamp with time zone)
 RETURNS smallint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select (extract(epoch from at)::bigint / 1800 % 4)::smallint
$function$
;

CREATE OR REPLACE FUNCTION public.lock_account_events(owner uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.lock_balances(customers uuid[], of_currency text)
 RETURNS TABLE(user_id uuid, balance bigint)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  actor text := current_setting('app.actor', true);
begin
  perform set_config('app.actor', 'system', true);
  return query select b.user_id, b.balance from balances b
    where b.user_id = any(customers) and b.currency = of_currency order by b.account_id for update;
  perform set_config('app.actor', coalesce(actor, ''), true);
end $function$
;

CREATE OR REPLACE FUNCTION public.lock_payers(of_hosts bigint[])
 RETURNS TABLE(host_id bigint, agreement_id uuid, payer_id uuid, pays text, month_limit bigint)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  perform from payment_agreements a
    where a.id in (select p.agreement_id from host_payers p where p.host_id = any(of_hosts)) order by a.id for update;
  return query select p.host_id, p.agreement_id, a.payer_id, a.pays, a.month_limit
    from host_payers p join payment_agreements a on a.id = p.agreement_id where p.host_id = any(of_hosts);
end $function$
;

CREATE OR REPLACE FUNCTION public.longest_interval_of(host bigint)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select case a.offline_minutes when 0 then 300 else least(300, 30 * a.offline_minutes) end from host_agents a where a.host_id = host
$function$
;

CREATE OR REPLACE FUNCTION public.may_act(person uuid, needs_second_factor boolean)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from users u where u.id = person and u.is_active and u.access <> 'locked'
      and (not needs_second_factor or u.factors && array['totp', 'webauthn']))
  or (not needs_second_factor and token_lives(person))
$function$
;

CREATE OR REPLACE FUNCTION public.may_pass(person uuid, needs_second_factor boolean)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from users u where u.id = person and u.is_active and u.access = 'open'
      and (not needs_second_factor or u.factors && array['totp', 'webauthn']))
$function$
;

CREATE OR REPLACE FUNCTION public.name_actor()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.name_parts(value text)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 1000
AS $function$
declare
  letters constant text := public.searchable(value);
  cut constant text := E'\\1\x01';
begin
  return array_to_tsvector(array_remove(
    string_to_array(regexp_replace(letters, '(...)', cut, 'g'), E'\x01')
      || string_to_array(regexp_replace(substr(letters, 2), '(...)', cut, 'g'), E'\x01')
      || string_to_array(regexp_replace(substr(letters, 3), '(...)', cut, 'g'), E'\x01'), ''));
end $function$
;

CREATE OR REPLACE FUNCTION public.next_revocation()
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update revocation_list set seq = greatest(seq + 1, extract(epoch from clock_timestamp())::bigint), changed_at = clock_timestamp()
  returning seq
$function$
;

CREATE OR REPLACE FUNCTION public.notify_people(people uuid[], what text, about text, leads_to text, said jsonb)
 RETURNS TABLE(person uuid, notification bigint, is_pushed boolean)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  actor text := current_setting('app.actor');
begin
  perform set_config('app.actor', 'system', true);
  return query
  with written as (
    insert into notifications as n (user_id, kind, thing, link, facts)
    select distinct u.id, what, about, leads_to, said from users u
    where u.id = any (people) and u.is_active
      and not exists (select from notification_choices c where c.user_id = u.id and what = any (c.silent))
    order by u.id
    on conflict (user_id, kind, thing) where read_at is null
    do update set count = n.count + 1, facts = excluded.facts, link = excluded.link, happened_at = excluded.happened_at
    returning n.user_id, n.id)
  select w.user_id, w.id, exists (select from push_subscriptions s where s.user_id = w.user_id)
    and not what = any (coalesce((select c.unpushed from notification_choices c where c.user_id = w.user_id), '{announcement}'))
  from written w;
  perform set_config('app.actor', actor, true);
end $function$
;

CREATE OR REPLACE FUNCTION public.number_operator_events()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.open_time_after(since timestamp with time zone, minutes integer, zone text, hours jsonb, holidays jsonb)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE STRICT
AS $function$
declare
  rest_s numeric := minutes * 60;
  today date := (since at time zone zone)::date;
  day date;
  open jsonb;
  begins timestamptz;
  ends timestamptz;
  open_s numeric;
begin
  for place in 0..400 loop
    day := today + place;
    open := hours -> (extract(isodow from day)::integer - 1);
    continue when jsonb_typeof(open) <> 'object' or holidays ? day::text;
    begins := greatest((day + (open ->> 'from')::time) at time zone zone, since);
    ends := (day + (open ->> 'to')::time) at time zone zone;
    open_s := extract(epoch from ends) - extract(epoch from begins);
    continue when open_s <= 0;
    if open_s >= rest_s then
      return begins + make_interval(secs => rest_s::double precision);
    end if;
    rest_s := rest_s - open_s;
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.order_has_its_payer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  paid transactions;
  agreed payment_agreements;
begin
  select * into paid from transactions where id = new.transaction_id;
  if new.payer_id is null then
    if paid.user_id <> new.user_id then
      raise exception 'order % is paid by another account', new.id using errcode = 'check_violation';
    end if;
    return null;
  end if;
  select * into agreed from payment_agreements where id = new.agreement_id for update;
  if (agreed.state, agreed.owner_id, agreed.payer_id) is distinct from ('active', new.user_id, new.payer_id)
    or not exists (select from host_payers where host_id = new.host_id and agreement_id = new.agreement_id)
    or (paid.user_id, paid.type) is distinct from (new.payer_id, 'inner_spending') then
    raise exception 'order % has no agreement that pays for it', new.id using errcode = 'check_violation';
  end if;
  if agreed.month_limit is not null and spent_by_agreement(new.agreement_id) > agreed.month_limit then
    raise exception 'agreement % has reached its limit', new.agreement_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.owners_of_tickets(ids bigint[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
AS $function$
  select user_id from tickets where id = any (ids)
  union select unnest(array[user_id, into_id]) from account_merges where ticket_ids && ids
$function$
;

CREATE OR REPLACE FUNCTION public.paid_terms(host bigint, at timestamp with time zone)
 RETURNS TABLE(plan text, plan_name jsonb, edition text, term text, price bigint, currency text, entitlements jsonb, is_trial boolean, promo jsonb, extras jsonb, ordered_at timestamp with time zone, starts_at timestamp with time zone, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select p.plan, o.plan_name, p.edition, p.term, case when o.user_id = p.user_id or o.kind = 'trial' then o.total end, o.currency,
    coalesce((select jsonb_object_agg(e.key, e.value) from edition_entitlements e where e.edition = p.edition), '{}') || p.entitlements,
    o.kind = 'trial', case when o.user_id = p.user_id and p.ended is distinct from 'refunded' then o.promo end,
    case when o.user_id = p.user_id and p.ended is distinct from 'refunded' then o.extras end,
    o.ordered_at, p.starts_at, p.ends_at
  from paid_periods p join licence_orders o on o.id = p.order_id
  where p.host_id = host and p.ends_at > p.starts_at
    and p.starts_at >= coalesce((
      select q.starts_at from paid_periods q
      where q.host_id = host and q.starts_at <= at and q.ends_at > q.starts_at
      order by q.starts_at desc limit 1), '-infinity')
$function$
;

CREATE OR REPLACE FUNCTION public.paid_times(host bigint, at timestamp with time zone)
 RETURNS TABLE(plan text, plan_name jsonb, edition text, term text, price bigint, currency text, entitlements jsonb, is_trial boolean, promo jsonb, ordered_at timestamp with time zone, starts_at timestamp with time zone, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select p.plan, o.plan_name, p.edition, p.term, case when o.user_id = p.user_id or o.kind = 'trial' then o.total end, o.currency,
    coalesce((select jsonb_object_agg(e.key, e.value) from edition_entitlements e where e.edition = p.edition), '{}') || p.entitlements,
    o.kind = 'trial', case when o.user_id = p.user_id and p.ended is distinct from 'refunded' then o.promo end,
    o.ordered_at, p.starts_at, p.ends_at
  from paid_periods p join licence_orders o on o.id = p.order_id
  where p.host_id = host and p.ends_at > p.starts_at
    and p.starts_at >= coalesce((
      select q.starts_at from paid_periods q
      where q.host_id = host and q.starts_at <= at and q.ends_at > q.starts_at
      order by q.starts_at desc limit 1), '-infinity')
$function$
;

CREATE OR REPLACE FUNCTION public.parts_covering(value text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  letters text := lower(value);
  size int := length(letters);
  parts text[] := '{}';
begin
  for place in 1 .. size - 3 by 3 loop
    parts := parts || substr(letters, place, 3);
  end loop;
  return case when size = 0 then parts else parts || substr(letters, greatest(1, size - 2), 3) end;
end $function$
;

CREATE OR REPLACE FUNCTION public.parts_of(value text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 1000
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.pay_for(agreement uuid, host bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  payer uuid;
begin
  select a.payer_id into payer from host_payers p join payment_agreements a on a.id = p.agreement_id
    where p.host_id = host and p.agreement_id = agreement and a.state = 'active' and actor_owns(p.user_id);
  if payer is null then
    raise exception 'agreement % does not pay for host %', agreement, host using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.payer', payer::text, true);
end $function$
;

CREATE OR REPLACE FUNCTION public.payer_owns(owner uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(current_setting('app.payer', true) = owner::text, false)
$function$
;

CREATE OR REPLACE FUNCTION public.payers_by_iban(ending text, most bigint)
 RETURNS TABLE(user_id uuid, iban text)
 LANGUAGE sql
 STABLE
AS $function$
  select distinct l.user_id, l.iban from bank_lines l
  where l.state = 'booked' and l.iban <> '' and l.user_id is not null
    and reverse(l.iban) ~>=~ reverse(ending) and reverse(l.iban) ~<~ (reverse(ending) || U&'\+10FFFF')
  limit most
$function$
;

CREATE OR REPLACE FUNCTION public.people_behind(member uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
AS $function$
  select member
  union select r.made_by from robots r where r.id = member and r.made_by is not null
  union select t.made_by from robot_tokens t where t.robot_id = member and t.made_by is not null
$function$
;

CREATE OR REPLACE FUNCTION public.people_of(owner uuid)
 RETURNS TABLE(person uuid, grant_id uuid, passed_by uuid, role text, all_hosts boolean)
 LANGUAGE sql
 STABLE
AS $function$
  select g.grantee_id, w.grant_id, p.owner_id, w.role, w.all_hosts
  from (
    select h.grantee_id from account_grants h where h.owner_id = owner and h.state = 'active'
    union
    select q.grantee_id from account_grants h join account_grants q on q.owner_id = h.grantee_id and q.state = 'active'
    where h.owner_id = owner and h.state = 'active' and h.may_pass_on) g
  join users u on u.id = g.grantee_id and u.is_active and u.access <> 'locked'
  cross join lateral ways_to_act(g.grantee_id, owner) w
  left join account_grants p on p.id = w.through
  where not w.needs_second_factor or u.factors && array['totp', 'webauthn']
$function$
;

CREATE OR REPLACE FUNCTION public.product_of(product text)
 RETURNS json
 LANGUAGE sql
 STABLE
AS $function$
  select json_build_object('slug', p.slug, 'name', p.name, 'kind', p.kind) from products p where p.slug = $1
$function$
;

CREATE OR REPLACE FUNCTION public.product_of_plan(plan text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((select e.product from plans p join editions e on e.slug = p.edition where p.slug = $1), 'server')
$function$
;

CREATE OR REPLACE FUNCTION public.program_lives(program bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from account_tokens t where t.number = program and token_lives(t.id))
$function$
;

CREATE OR REPLACE FUNCTION public.protect_rows(table_name text, owner_column text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %I enable row level security', table_name);
  execute format('alter table %I force row level security', table_name);
  execute format('create policy readable on %I for select using (true)', table_name);
  execute format('create policy inserted_by_owner on %I for insert with check (actor_owns(%I))', table_name, owner_column);
  execute format('create policy updated_by_owner on %I for update using (actor_owns(%I)) with check (actor_owns(%I))',
    table_name, owner_column, owner_column);
  execute format('create policy deleted_by_owner on %I for delete using (actor_owns(%I))', table_name, owner_column);
end $function$
;

CREATE OR REPLACE FUNCTION public.queue_figures()
 RETURNS TABLE(name text, due bigint, oldest_s double precision, running bigint, given_up bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.record_account_event(list uuid, of_type text, body text, host text, for_operator boolean, customer uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.record_account_events(owners uuid[], types text[], bodies text[], hosts text[], customers uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.redact_account_events(account uuid, of_type text, holding jsonb, instead jsonb)
 RETURNS TABLE(list_id uuid, event_seq bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform set_config('app.redacts', account::text, true);
  update public.operator_events_waiting set data = data || instead
  where customer_id = account and type = of_type and data @> holding;
  return query
    update public.account_events e set data = e.data || instead
    where (e.user_id = account or e.customer_id = account) and e.type = of_type and e.data @> holding
    returning e.user_id, e.seq;
  perform set_config('app.redacts', '', true);
end $function$
;

CREATE OR REPLACE FUNCTION public.redact_message(of_ticket bigint, of_seq integer, mark jsonb, files text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  update ticket_messages set redacted = mark,
    text = case when files is null then '' else text end,
    secret_id = case when files is null then null else secret_id end,
    attachments = coalesce((
      select jsonb_agg(file order by place) from jsonb_array_elements(attachments) with ordinality as each (file, place)
      where files is not null and file ->> 'id' <> all (files)), '[]')
  where ticket_id = of_ticket and seq = of_seq
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_before_proof()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (tg_table_name <> 'email_addresses' or exists (select from email_addresses where user_id = new.user_id))
     and not exists (select from email_addresses where user_id = new.user_id and verified_at is not null) then
    raise exception 'nothing is added to an account before its first address is proven' using errcode = 'check_violation';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change_of_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and not exists (select from users where id = old.user_id) then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change_while_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and (
    select i.keep_until < current_date and not is_on_hold(i.issued_at, i.issued_at)
    from invoices i where i.id = old.invoice_id) then
    return old;
  end if;
  raise exception '% belongs to an issued invoice', tg_table_name using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_robot()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from users where id = (to_jsonb(new) ->> tg_argv[0])::uuid and kind = 'robot') then
    raise exception 'a robot is no person: %', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.renewal_of(host bigint)
 RETURNS TABLE(plan text, plan_name jsonb, term text)
 LANGUAGE sql
 STABLE
AS $function$
  select p.slug, jsonb_build_object('en', p.name_en, 'de', p.name_de, 'ru', p.name_ru), p.term
  from licence_settings s join plans p on p.slug = s.renewal_plan
  where s.host_id = host
$function$
;

CREATE OR REPLACE FUNCTION public.retry_failed_job(job_id bigint)
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select pg_notify('jobs', '');
  update public.jobs j set attempts = 0, run_at = clock_timestamp()
  where j.id = job_id and j.taken_by is null and j.max_attempts > 0 and j.attempts >= j.max_attempts returning j.name
$function$
;

CREATE OR REPLACE FUNCTION public.revoke_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform revoke_documents(old.public_id, case
    when new.deleted_at is not null and old.deleted_at is null then 'deleted'
    when new.ipv4 is distinct from old.ipv4 or new.ipv6 is distinct from old.ipv6 then 'address'
    else 'cut_short' end);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.revoke_documents(of_host text, why text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  -- A statement of its own: it waits for other revocations, and the next one sees them.
  number bigint := next_revocation();
begin
  insert into revocations (seq, sub, before, reason, until)
  values (number, of_host, void_before(clock_timestamp(), (select d.starts_s from documents_from(of_host) d)), why, clock_timestamp() + interval '11 days');
end $function$
;

CREATE OR REPLACE FUNCTION public.revoke_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform next_revocation();
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.revoke_released()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform revoke_documents((select public_id from hosts where id = new.host_id), 'released');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.revoke_renewed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  number bigint := next_revocation();
begin
  insert into revocations (seq, sub, before, reason, begins_at, until)
  values (number, old.public_id, void_before(clock_timestamp(), (select d.starts_s from documents_from(old.public_id) d)), 'key',
    (select f.ends_at from former_keys f where f.licence_key = old.licence_key), clock_timestamp() + interval '12 days');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.revoke_suspended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare of_host text;
begin
  select public_id into of_host from hosts where id = new.host_id and paid_until > now();
  if found then perform revoke_documents(of_host, 'suspended'); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.revoke_transferred()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform revoke_documents(old.public_id, 'transferred');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.schema_version()
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select name from public.migrations order by name = 'baseline', name desc limit 1
$function$
;

CREATE OR REPLACE FUNCTION public.search_parts_of(value text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 1000
AS $function$
begin
  return public.parts_of(public.searchable(value));
end $function$
;

CREATE OR REPLACE FUNCTION public.searchable(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  folded text := public.fold_text(value);
  short text := public.shortened(folded);
begin
  return case when short = folded then folded else folded || ' ' || short end;
end $function$
;

CREATE OR REPLACE FUNCTION public.settle_account_events(owner uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update public.account_event_lists set is_settled = true where user_id = owner and not is_settled
$function$
;

CREATE OR REPLACE FUNCTION public.share_iban(one uuid, other uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from bank_lines a join bank_lines b on b.iban = a.iban
    where a.user_id = one and b.user_id = other and a.state = 'booked' and b.state = 'booked' and a.iban <> '')
$function$
;

CREATE OR REPLACE FUNCTION public.shortened(folded text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ select regexp_replace(folded, '([aou])e+', '\1', 'g') $function$
;

CREATE OR REPLACE FUNCTION public.spent_by_agreement(agreement uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  with month as (select date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' as begins),
  paid as (select distinct transaction_id from licence_orders where agreement_id = agreement)
  select greatest(0, coalesce((
      select sum(o.total) from licence_orders o, month where o.agreement_id = agreement and o.ordered_at >= month.begins), 0)
    - coalesce((
      select sum(e.amount) from paid p join transactions t on t.reverses = p.transaction_id
        join entries e on e.transaction_id = t.id and e.of_customer, month
      where t.created_at >= month.begins), 0))::bigint
$function$
;

CREATE OR REPLACE FUNCTION public.split_off(of_ticket bigint, from_seq integer, to_ticket bigint, went jsonb)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with gone as (
    select m.*, t.staff_seq + row_number() over (order by m.seq) as to_seq,
      t.customer_seq + count(*) filter (where m.kind <> 'note') over (order by m.seq) as to_customer_seq
    from ticket_messages m join tickets t on t.id = to_ticket
    where m.ticket_id = of_ticket and m.seq >= from_seq and m.kind in ('comment', 'note') and m.moved is null),
  copied as (
    insert into ticket_messages (ticket_id, seq, customer_seq, user_id, author_id, by_staff, kind, client_id, text, attachments, created_at,
      redacted, secret_id, by_mail)
    select to_ticket, to_seq, case when kind = 'note' then null else to_customer_seq end, user_id, author_id, by_staff, kind, client_id,
      text, attachments, created_at, redacted, secret_id, by_mail
    from gone),
  counted as (
    update tickets set staff_seq = staff_seq + (select count(*) from gone),
      customer_seq = customer_seq + (select count(*) from gone where kind <> 'note')
    where id = to_ticket),
  read as (
    insert into ticket_readers (ticket_id, user_id, seq, read_at, is_helper)
    select to_ticket, r.user_id, coalesce((select max(case when r.is_helper or r.user_id = g.user_id then g.to_customer_seq else g.to_seq end)
        from gone g where case when r.is_helper or r.user_id = g.user_id then g.customer_seq <= r.seq else g.seq <= r.seq end), 0),
      r.read_at, r.is_helper
    from ticket_readers r where r.ticket_id = of_ticket
    on conflict (ticket_id, user_id) do update set seq = greatest(ticket_readers.seq, excluded.seq)),
  files as (
    update attachments set ticket_id = to_ticket
    where public_id in (select file ->> 'id' from gone, jsonb_array_elements(gone.attachments) file)),
  whole_mails as (
    update received_mails r set ticket_id = to_ticket, message_seq = g.to_seq
    from gone g where r.ticket_id = of_ticket and r.message_seq = g.seq),
  mails_sent as (
    update ticket_mails_sent s set ticket_id = to_ticket, seq = g.to_customer_seq
    from gone g where s.ticket_id = of_ticket and g.kind = 'comment' and s.seq = g.customer_seq),
  left_behind as (
    update ticket_messages m set text = '', attachments = '[]', secret_id = null, redacted = null, moved = went,
      kind = case when m.kind = 'comment' then 'event' else m.kind end,
      event = case when m.kind = 'comment' then jsonb_build_object('code', 'moved', 'params', went) end
    where m.ticket_id = of_ticket and m.seq in (select seq from gone))
  select count(*)::integer from gone
$function$
;

CREATE OR REPLACE FUNCTION public.suspension_of(host bigint)
 RETURNS TABLE(starts_at timestamp with time zone, reason text, text_public text)
 LANGUAGE sql
 STABLE
AS $function$
  select s.starts_at, s.reason, s.text_public from suspensions s where s.host_id = host and s.lifted_at is null
$function$
;

CREATE OR REPLACE FUNCTION public.sweep_account_events(at timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '100ms'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.sweep_live_events(at timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '100ms'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.take_jobs(process uuid, done bigint[], names text[], classes text[], together text[], most integer)
 RETURNS SETOF jobs
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.token_ends_at(t account_tokens)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(t.expires_at, greatest(t.created_at, t.last_used_at) + interval '90 days')
$function$
;

CREATE OR REPLACE FUNCTION public.token_lives(token uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from account_tokens t join account_grants g on g.id = t.id and g.state = 'active'
    join users u on u.id = t.owner_id and u.is_active and u.access <> 'locked'
    where t.id = token and token_ends_at(t) > now())
$function$
;

CREATE OR REPLACE FUNCTION public.token_names(ids uuid[])
 RETURNS TABLE(id uuid, name text)
 LANGUAGE sql
 STABLE
AS $function$
  select t.id, t.name from account_tokens t where t.id = any (ids)
  union all select r.id, r.name from robots r where r.id = any (ids)
$function$
;

CREATE OR REPLACE FUNCTION public.void_before(at timestamp with time zone, latest bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select greatest(ceil(extract(epoch from at))::bigint + 1, latest + 1)
$function$
;

CREATE OR REPLACE FUNCTION public.ways_for(person uuid, owner uuid, host text, ticket boolean)
 RETURNS TABLE(grant_id uuid, through uuid, passed_by uuid, owner_id uuid, role text, all_hosts boolean, needs_second_factor boolean, month_limit bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
begin
  return query
  with asked as (
    select coalesce(owner, (select h.user_id from hosts h where h.public_id = host and h.deleted_at is null)) as id)
  select w.grant_id, w.through, p.owner_id, w.owner_id, w.role, w.all_hosts, w.needs_second_factor, w.month_limit
  from asked cross join lateral ways_to_act(person, asked.id) w left join account_grants p on p.id = w.through
  -- A server that is none opens no account, and so not all of them.
  where (host is null and not ticket) or (w.owner_id = asked.id and grant_opens(w.grant_id, host, ticket));
end
$function$
;

CREATE OR REPLACE FUNCTION public.ways_to_act(person uuid, owner uuid)
 RETURNS TABLE(grant_id uuid, through uuid, owner_id uuid, role text, all_hosts boolean, needs_second_factor boolean, month_limit bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select g.id, null::uuid, g.owner_id, g.role, g.all_hosts, g.needs_second_factor, g.month_limit
  from account_grants g
  where (g.grantee_id = person or (g.id = person and g.grantee_kind = 'token')) and g.state = 'active'
    and (owner is null or g.owner_id = owner)
  union all
  select g.id, p.id, g.owner_id, case when g.role = 'full' then p.role else g.role end, g.all_hosts,
    g.needs_second_factor or p.needs_second_factor, least(g.month_limit, p.month_limit)
  from account_grants p join account_grants g on g.grantee_id = p.owner_id and g.state = 'active' and g.may_pass_on
  where p.grantee_id = person and p.state = 'active' and p.all_hosts
    and g.owner_id <> person and (owner is null or g.owner_id = owner)
    and (g.role = p.role or 'full' in (g.role, p.role))
    and may_pass(p.owner_id, g.needs_second_factor)
$function$
;

CREATE OR REPLACE FUNCTION public.wipe_secrets()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  with recursive ended as (
    select new.id as ticket_id
    union select m.ticket_id from ticket_merges m join ended e on m.into_id = e.ticket_id)
  update ticket_secrets set sealed = null, wiped_at = date_trunc('milliseconds', now())
  where sealed is not null and ticket_id in (select ticket_id from ended);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.written_by_system()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('app.actor', true) is distinct from 'system' then
    raise exception '% is written by the system only', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$
;


-- Triggers

CREATE CONSTRAINT TRIGGER changed_documents_are_void AFTER UPDATE ON public.hosts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.paid_until > now()) AND ((new.paid_until IS NULL) OR (new.paid_until < old.paid_until) OR (new.ipv4 IS DISTINCT FROM old.ipv4) OR ((new.deleted_at IS NOT NULL) AND (old.deleted_at IS NULL))))) EXECUTE FUNCTION revoke_changed();
CREATE CONSTRAINT TRIGGER documents_of_another_ipv6_are_void AFTER UPDATE ON public.hosts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.paid_until > now()) AND (old.ipv6 IS NOT NULL) AND (new.ipv6 IS DISTINCT FROM old.ipv6) AND (NOT (new.ipv4 IS DISTINCT FROM old.ipv4)) AND (new.deleted_at IS NULL))) EXECUTE FUNCTION revoke_changed();
CREATE CONSTRAINT TRIGGER documents_of_another_key_are_void AFTER UPDATE OF licence_key ON public.hosts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.licence_key <> new.licence_key) AND (old.user_id = new.user_id) AND (old.paid_until > now()))) EXECUTE FUNCTION revoke_renewed();
CREATE CONSTRAINT TRIGGER invoice_lines_add_up AFTER INSERT ON public.invoice_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION line_adds_up();
CREATE CONSTRAINT TRIGGER invoices_add_up AFTER INSERT ON public.invoices DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION invoice_adds_up();
CREATE CONSTRAINT TRIGGER order_has_its_payer AFTER INSERT ON public.licence_orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION order_has_its_payer();
CREATE CONSTRAINT TRIGGER order_of_owner AFTER INSERT ON public.licence_orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION host_is_owned();
CREATE CONSTRAINT TRIGGER released_machines_are_void AFTER UPDATE OF released_at ON public.activations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.released_at IS NULL) AND (new.released_by = 'owner'::text))) EXECUTE FUNCTION revoke_released();
CREATE CONSTRAINT TRIGGER sides_are_balanced AFTER INSERT ON public.entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((NOT new.of_customer)) EXECUTE FUNCTION balance_sides();
CREATE CONSTRAINT TRIGGER suspended_documents_are_void AFTER INSERT ON public.suspensions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION revoke_suspended();
CREATE CONSTRAINT TRIGGER ticket_of_owner AFTER INSERT ON public.tickets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.host_id IS NOT NULL)) EXECUTE FUNCTION host_is_owned();
CREATE CONSTRAINT TRIGGER transactions_are_balanced AFTER INSERT ON public.transactions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION balance_transaction();
CREATE CONSTRAINT TRIGGER transfer_of_owner AFTER INSERT ON public.host_transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION host_is_owned();
CREATE CONSTRAINT TRIGGER transferred_documents_are_void AFTER UPDATE OF user_id ON public.hosts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.user_id <> new.user_id) AND (old.paid_until > now()))) EXECUTE FUNCTION revoke_transferred();
CREATE CONSTRAINT TRIGGER withdrawn_keys_are_listed AFTER UPDATE OF withdrawn_at ON public.signing_keys DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.withdrawn_at IS NULL) AND (new.withdrawn_at IS NOT NULL))) EXECUTE FUNCTION revoke_key();
CREATE TRIGGER acceptances_are_append_only BEFORE DELETE OR UPDATE ON public.acceptances FOR EACH ROW EXECUTE FUNCTION refuse_change_of_accounts();
CREATE TRIGGER acceptances_are_not_truncated BEFORE TRUNCATE ON public.acceptances FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER account_events_are_append_only BEFORE DELETE OR UPDATE ON public.account_events FOR EACH ROW EXECUTE FUNCTION keep_account_events();
CREATE TRIGGER account_events_are_append_only BEFORE DELETE OR UPDATE ON public.account_events_0 FOR EACH ROW EXECUTE FUNCTION keep_account_events();
CREATE TRIGGER account_events_are_append_only BEFORE DELETE OR UPDATE ON public.account_events_1 FOR EACH ROW EXECUTE FUNCTION keep_account_events();
CREATE TRIGGER account_events_are_append_only BEFORE DELETE OR UPDATE ON public.account_events_2 FOR EACH ROW EXECUTE FUNCTION keep_account_events();
CREATE TRIGGER account_events_are_append_only BEFORE DELETE OR UPDATE ON public.account_events_3 FOR EACH ROW EXECUTE FUNCTION keep_account_events();
CREATE TRIGGER account_events_are_append_only BEFORE DELETE OR UPDATE ON public.account_events_4 FOR EACH ROW EXECUTE FUNCTION keep_account_events();
CREATE TRIGGER account_events_are_append_only BEFORE DELETE OR UPDATE ON public.account_events_5 FOR EACH ROW EXECUTE FUNCTION keep_account_events();
CREATE TRIGGER account_events_are_append_only BEFORE DELETE OR UPDATE ON public.account_events_6 FOR EACH ROW EXECUTE FUNCTION keep_account_events();
CREATE TRIGGER account_events_are_append_only BEFORE DELETE OR UPDATE ON public.account_events_7 FOR EACH ROW EXECUTE FUNCTION keep_account_events();
CREATE TRIGGER addresses_follow_a_proven_one BEFORE INSERT ON public.email_addresses FOR EACH ROW WHEN ((new.verified_at IS NULL)) EXECUTE FUNCTION refuse_before_proof();
CREATE TRIGGER allowance_uses_are_append_only BEFORE DELETE OR UPDATE ON public.allowance_uses FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER allowance_uses_are_not_truncated BEFORE TRUNCATE ON public.allowance_uses FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER announcement_revisions_are_append_only BEFORE DELETE OR UPDATE ON public.announcement_revisions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER announcement_revisions_are_not_truncated BEFORE TRUNCATE ON public.announcement_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approvals_are_decided_once BEFORE UPDATE ON public.approvals FOR EACH ROW EXECUTE FUNCTION guard_approval();
CREATE TRIGGER approvals_are_kept BEFORE DELETE ON public.approvals FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approvals_are_not_truncated BEFORE TRUNCATE ON public.approvals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER attachments_count_bytes AFTER INSERT OR DELETE OR UPDATE OF user_id ON public.attachments FOR EACH ROW EXECUTE FUNCTION count_kept_bytes();
CREATE TRIGGER attachments_leave_bytes AFTER DELETE ON public.attachments FOR EACH ROW EXECUTE FUNCTION leave_attachment();
CREATE TRIGGER audit_is_append_only BEFORE DELETE OR UPDATE ON public.audit FOR EACH ROW EXECUTE FUNCTION keep_audit();
CREATE TRIGGER audit_is_not_truncated BEFORE TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_names_its_actor BEFORE INSERT ON public.audit FOR EACH ROW EXECUTE FUNCTION name_actor();
CREATE TRIGGER balances_are_not_truncated BEFORE TRUNCATE ON public.balances FOR EACH STATEMENT EXECUTE FUNCTION guard_balance();
CREATE TRIGGER balances_follow_entries BEFORE INSERT OR DELETE OR UPDATE ON public.balances FOR EACH ROW EXECUTE FUNCTION guard_balance();
CREATE TRIGGER closing_wipes_secrets AFTER UPDATE OF status ON public.tickets FOR EACH ROW WHEN (((new.status = 'closed'::text) AND (old.status <> 'closed'::text) AND (new.merged_into_id IS NULL))) EXECUTE FUNCTION wipe_secrets();
CREATE TRIGGER count_edit BEFORE UPDATE OF name, ipv4 ON public.hosts FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.ipv4 IS DISTINCT FROM new.ipv4))) EXECUTE FUNCTION count_edit();
CREATE TRIGGER count_edit BEFORE UPDATE ON public.announcements FOR EACH ROW EXECUTE FUNCTION count_edit();
CREATE TRIGGER count_edit BEFORE UPDATE ON public.canned_replies FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION count_edit();
CREATE TRIGGER count_edit BEFORE UPDATE ON public.customer_notes FOR EACH ROW EXECUTE FUNCTION count_edit();
CREATE TRIGGER count_edit BEFORE UPDATE ON public.desk_views FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION count_edit();
CREATE TRIGGER count_edit BEFORE UPDATE ON public.help_articles FOR EACH ROW EXECUTE FUNCTION count_edit();
CREATE TRIGGER count_edit BEFORE UPDATE ON public.help_sections FOR EACH ROW EXECUTE FUNCTION count_edit();
CREATE TRIGGER count_edit BEFORE UPDATE ON public.profiles FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION count_edit();
CREATE TRIGGER count_ipv6_edit BEFORE UPDATE OF ipv6 ON public.hosts FOR EACH ROW WHEN ((old.ipv6 IS DISTINCT FROM new.ipv6)) EXECUTE FUNCTION count_edit();
CREATE TRIGGER customer_blocks_are_append_only BEFORE DELETE OR UPDATE ON public.customer_blocks FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER customer_blocks_are_not_truncated BEFORE TRUNCATE ON public.customer_blocks FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entries_are_append_only BEFORE DELETE OR UPDATE ON public.entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entries_are_booked BEFORE INSERT ON public.entries FOR EACH ROW EXECUTE FUNCTION book_entry();
CREATE TRIGGER entries_are_not_truncated BEFORE TRUNCATE ON public.entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER guard_rise BEFORE INSERT ON public.plan_prices FOR EACH ROW EXECUTE FUNCTION guard_rise();
CREATE TRIGGER help_revisions_are_append_only BEFORE DELETE OR UPDATE ON public.help_revisions FOR EACH ROW WHEN (((old.article_id)::text IS DISTINCT FROM current_setting('app.deleted_article'::text, true))) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER help_revisions_are_not_truncated BEFORE TRUNCATE ON public.help_revisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_documents_are_kept BEFORE DELETE OR UPDATE ON public.invoice_documents FOR EACH ROW EXECUTE FUNCTION refuse_change_while_kept();
CREATE TRIGGER invoice_documents_are_not_truncated BEFORE TRUNCATE ON public.invoice_documents FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_lines_are_kept BEFORE DELETE OR UPDATE ON public.invoice_lines FOR EACH ROW EXECUTE FUNCTION refuse_change_while_kept();
CREATE TRIGGER invoice_lines_are_not_truncated BEFORE TRUNCATE ON public.invoice_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_snapshots_are_kept BEFORE DELETE OR UPDATE ON public.invoice_snapshots FOR EACH ROW EXECUTE FUNCTION refuse_change_while_kept();
CREATE TRIGGER invoice_snapshots_are_not_truncated BEFORE TRUNCATE ON public.invoice_snapshots FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoices_are_not_truncated BEFORE TRUNCATE ON public.invoices FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoices_never_change BEFORE DELETE OR UPDATE ON public.invoices FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER joins_payer AFTER INSERT ON public.hosts FOR EACH ROW EXECUTE FUNCTION join_payer();
CREATE TRIGGER joins_payer_of_next AFTER UPDATE OF user_id ON public.hosts FOR EACH ROW WHEN ((new.user_id <> old.user_id)) EXECUTE FUNCTION join_payer();
CREATE TRIGGER keep_access BEFORE UPDATE OF access ON public.users FOR EACH ROW WHEN ((new.access IS DISTINCT FROM old.access)) EXECUTE FUNCTION keep_access();
CREATE TRIGGER keep_bank_line BEFORE UPDATE ON public.bank_lines FOR EACH ROW EXECUTE FUNCTION keep_bank_line();
CREATE TRIGGER keep_kind BEFORE UPDATE OF kind ON public.users FOR EACH ROW WHEN ((new.kind <> old.kind)) EXECUTE FUNCTION keep_kind();
CREATE TRIGGER keep_promo_code BEFORE UPDATE ON public.promo_codes FOR EACH ROW EXECUTE FUNCTION keep_promo_code();
CREATE TRIGGER keep_staff_roles BEFORE UPDATE OF staff_roles ON public.users FOR EACH ROW EXECUTE FUNCTION keep_staff_roles();
CREATE TRIGGER keep_voucher BEFORE UPDATE ON public.vouchers FOR EACH ROW EXECUTE FUNCTION keep_voucher();
CREATE TRIGGER kept_settings_are_append_only BEFORE DELETE OR UPDATE ON public.kept_settings FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER kept_settings_are_not_truncated BEFORE TRUNCATE ON public.kept_settings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER leaves_payer BEFORE UPDATE OF user_id, deleted_at ON public.hosts FOR EACH ROW WHEN (((new.user_id <> old.user_id) OR ((new.deleted_at IS NOT NULL) AND (old.deleted_at IS NULL)))) EXECUTE FUNCTION leave_payer();
CREATE TRIGGER ledger_accounts_are_append_only BEFORE DELETE OR UPDATE ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_accounts_are_not_truncated BEFORE TRUNCATE ON public.ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_closings_are_append_only BEFORE DELETE OR UPDATE ON public.ledger_closings FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_closings_are_not_truncated BEFORE TRUNCATE ON public.ledger_closings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER licence_orders_are_final BEFORE DELETE OR UPDATE ON public.licence_orders FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER licence_orders_are_not_truncated BEFORE TRUNCATE ON public.licence_orders FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER no_robot BEFORE INSERT ON public.email_addresses FOR EACH ROW EXECUTE FUNCTION refuse_robot('user_id');
CREATE TRIGGER no_robot BEFORE INSERT ON public.passwords FOR EACH ROW EXECUTE FUNCTION refuse_robot('user_id');
CREATE TRIGGER no_robot BEFORE INSERT ON public.profiles FOR EACH ROW EXECUTE FUNCTION refuse_robot('user_id');
CREATE TRIGGER no_robot BEFORE INSERT ON public.sessions FOR EACH ROW EXECUTE FUNCTION refuse_robot('user_id');
CREATE TRIGGER no_robot BEFORE UPDATE OF decided_by ON public.approvals FOR EACH ROW EXECUTE FUNCTION refuse_robot('decided_by');
CREATE TRIGGER owner_stays BEFORE UPDATE OF staff_roles, is_active ON public.users FOR EACH ROW WHEN ((old.is_active AND ('owner'::text = ANY (old.staff_roles)) AND (NOT old.is_example) AND (NOT (new.is_active AND ('owner'::text = ANY (new.staff_roles)))))) EXECUTE FUNCTION keep_an_owner();
CREATE TRIGGER passkeys_follow_a_proven_address BEFORE INSERT ON public.passkeys FOR EACH ROW EXECUTE FUNCTION refuse_before_proof();
CREATE TRIGGER payment_event_bookings_are_append_only BEFORE DELETE OR UPDATE ON public.payment_event_bookings FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payment_event_bookings_are_not_truncated BEFORE TRUNCATE ON public.payment_event_bookings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_bookings_are_append_only BEFORE DELETE OR UPDATE ON public.payout_bookings FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_bookings_are_not_truncated BEFORE TRUNCATE ON public.payout_bookings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_files_are_append_only BEFORE DELETE OR UPDATE ON public.payout_files FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payout_files_are_not_truncated BEFORE TRUNCATE ON public.payout_files FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER plan_prices_are_append_only BEFORE DELETE OR UPDATE ON public.plan_prices FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER plan_prices_are_not_truncated BEFORE TRUNCATE ON public.plan_prices FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER promo_uses_are_append_only BEFORE DELETE OR UPDATE ON public.promo_uses FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER promo_uses_are_not_truncated BEFORE TRUNCATE ON public.promo_uses FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER redemptions_are_append_only BEFORE DELETE OR UPDATE ON public.redemptions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER redemptions_are_not_truncated BEFORE TRUNCATE ON public.redemptions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refuse_delete BEFORE DELETE ON public.bank_files FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refuse_delete BEFORE DELETE ON public.bank_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refuse_delete BEFORE DELETE ON public.bank_odd_parts FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refuse_delete BEFORE DELETE ON public.bank_originals FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER statements_stay BEFORE UPDATE ON public.statements FOR EACH ROW WHEN ((old.signature IS NOT NULL)) EXECUTE FUNCTION keep_statement();
CREATE TRIGGER ticket_messages_stay_as_said BEFORE UPDATE ON public.ticket_messages FOR EACH ROW WHEN ((((((((((((((old.ticket_id IS DISTINCT FROM new.ticket_id) OR (old.seq IS DISTINCT FROM new.seq)) OR (old.customer_seq IS DISTINCT FROM new.customer_seq)) OR (old.author_id IS DISTINCT FROM new.author_id)) OR (old.by_staff IS DISTINCT FROM new.by_staff)) OR (old.kind IS DISTINCT FROM new.kind)) OR (old.client_id IS DISTINCT FROM new.client_id)) OR (old.text IS DISTINCT FROM new.text)) OR (old.event IS DISTINCT FROM new.event)) OR (old.attachments IS DISTINCT FROM new.attachments)) OR (old.created_at IS DISTINCT FROM new.created_at)) OR (old.redacted IS DISTINCT FROM new.redacted)) OR (old.moved IS DISTINCT FROM new.moved))) EXECUTE FUNCTION keep_message();
CREATE TRIGGER tickets_expect_answer BEFORE INSERT OR UPDATE OF status, waiting_since, priority, snoozed_at ON public.tickets FOR EACH ROW EXECUTE FUNCTION expect_answer();
CREATE TRIGGER totp_follows_a_proven_address BEFORE INSERT ON public.totp_authenticators FOR EACH ROW EXECUTE FUNCTION refuse_before_proof();
CREATE TRIGGER transaction_documents_are_append_only BEFORE DELETE OR UPDATE ON public.transaction_documents FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transaction_documents_are_not_truncated BEFORE TRUNCATE ON public.transaction_documents FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transaction_types_are_fixed BEFORE INSERT OR DELETE OR UPDATE ON public.transaction_types FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transaction_types_are_not_truncated BEFORE TRUNCATE ON public.transaction_types FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transactions_are_append_only BEFORE DELETE OR UPDATE ON public.transactions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transactions_are_not_truncated BEFORE TRUNCATE ON public.transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER vat_id_checks_are_append_only BEFORE DELETE OR UPDATE ON public.vat_id_checks FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER vat_id_checks_are_not_truncated BEFORE TRUNCATE ON public.vat_id_checks FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER vat_id_checks_are_ours BEFORE INSERT ON public.vat_id_checks FOR EACH ROW EXECUTE FUNCTION written_by_system();
CREATE TRIGGER vat_overrides_are_append_only BEFORE DELETE OR UPDATE ON public.vat_overrides FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER vat_overrides_are_not_truncated BEFORE TRUNCATE ON public.vat_overrides FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER vat_overrides_are_ours BEFORE INSERT ON public.vat_overrides FOR EACH ROW EXECUTE FUNCTION written_by_system();
CREATE TRIGGER withdrawal_refunds_are_append_only BEFORE DELETE OR UPDATE ON public.withdrawal_refunds FOR EACH ROW EXECUTE FUNCTION refuse_change_of_accounts();
CREATE TRIGGER withdrawal_refunds_are_not_truncated BEFORE TRUNCATE ON public.withdrawal_refunds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER withdrawals_are_append_only BEFORE DELETE OR UPDATE ON public.withdrawals FOR EACH ROW EXECUTE FUNCTION refuse_change_of_accounts();
CREATE TRIGGER withdrawals_are_not_truncated BEFORE TRUNCATE ON public.withdrawals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Rights of the application

grant insert, select on acceptances to hostdesk_app;
grant select on account_event_epoch to hostdesk_app;
grant select on account_event_lists to hostdesk_app;
grant select on account_events to hostdesk_app;
grant delete, insert, select on account_grant_hosts to hostdesk_app;
grant delete, insert, select, update on account_grants to hostdesk_app;
grant insert, select on account_merges to hostdesk_app;
grant delete, insert, select, update on account_tokens to hostdesk_app;
grant delete, insert, select, update on activations to hostdesk_app;
grant delete, insert, select on acts_to_undo to hostdesk_app;
grant delete, insert, select, update on alert_incidents to hostdesk_app;
grant delete, insert, select, update on alert_settings to hostdesk_app;
grant select, update on alert_watch to hostdesk_app;
grant insert, select on allowance_uses to hostdesk_app;
grant insert, select on announcement_chosen to hostdesk_app;
grant insert, select on announcement_end_mails to hostdesk_app;
grant select on announcement_hosts to hostdesk_app;
grant insert, select on announcement_mails to hostdesk_app;
grant select on announcement_readers to hostdesk_app;
grant insert, select on announcement_revisions to hostdesk_app;
grant insert, select, update on announcements to hostdesk_app;
grant select, update on answer_calendar to hostdesk_app;
grant delete, insert, select on answer_targets to hostdesk_app;
grant insert, select on approvals to hostdesk_app;
grant delete, insert, select on assistant_proposals to hostdesk_app;
grant delete, select on attachment_leftovers to hostdesk_app;
grant delete, insert, select, update on attachments to hostdesk_app;
grant delete, insert, select, update on attempts to hostdesk_app;
grant insert, select on audit to hostdesk_app;
grant insert, select on audit_holds to hostdesk_app;
grant delete, insert, select on auto_top_up_runs to hostdesk_app;
grant delete, insert, select, update on auto_top_ups to hostdesk_app;
grant select on backups to hostdesk_app;
grant select on balances to hostdesk_app;
grant insert, select on bank_files to hostdesk_app;
grant insert, select, update on bank_lines to hostdesk_app;
grant insert, select, update on bank_odd_parts to hostdesk_app;
grant insert, select on bank_originals to hostdesk_app;
grant delete, insert, select on bank_profiles to hostdesk_app;
grant delete, insert, select, update on billing_details to hostdesk_app;
grant delete, insert, select on blocked_senders to hostdesk_app;
grant insert, select, update on book_exports to hostdesk_app;
grant delete, insert, select, update on canned_replies to hostdesk_app;
grant delete, insert, select on checkouts to hostdesk_app;
grant delete, insert, select, update on chosen_extras to hostdesk_app;
grant insert, select on customer_blocks to hostdesk_app;
grant select on customer_list to hostdesk_app;
grant delete, insert, select, update on customer_notes to hostdesk_app;
grant delete, insert, select on data_exports to hostdesk_app;
grant insert, select, update on debts to hostdesk_app;
grant delete, insert, select, update on desk_absences to hostdesk_app;
grant delete, insert, select, update on desk_views to hostdesk_app;
grant select on due_renewals to hostdesk_app;
grant select on due_webhook_lanes to hostdesk_app;
grant delete, insert, select, update on edition_entitlements to hostdesk_app;
grant insert, select, update on editions to hostdesk_app;
grant delete, insert, select, update on email_addresses to hostdesk_app;
grant insert, select on entries to hostdesk_app;
grant insert, select on exchange_rates to hostdesk_app;
grant insert, select, update on extras to hostdesk_app;
grant insert, select, update on factor_resets to hostdesk_app;
grant delete, insert, select on first_networks to hostdesk_app;
grant delete, insert, select, update on former_keys to hostdesk_app;
grant delete, insert, select, update on grant_spending to hostdesk_app;
grant delete, insert, select on guest_payments to hostdesk_app;
grant delete, insert, select, update on help_articles to hostdesk_app;
grant insert, select on help_revisions to hostdesk_app;
grant delete, insert, select, update on help_sections to hostdesk_app;
grant delete, insert, select on help_stems to hostdesk_app;
grant insert, select, update on help_votes to hostdesk_app;
grant delete, insert, select, update on host_agents to hostdesk_app;
grant delete, insert, select, update on host_figures to hostdesk_app;
grant delete, insert, select on host_metrics to hostdesk_app;
grant delete, insert, select on host_metrics_thinned to hostdesk_app;
grant delete, insert, select on host_payers to hostdesk_app;
grant delete, insert, select, update on host_transfers to hostdesk_app;
grant insert, select, update on hosts to hostdesk_app;
grant delete, insert, select, update on idempotency_keys to hostdesk_app;
grant insert, select on introductions to hostdesk_app;
grant delete, insert, select, update on invitations to hostdesk_app;
grant insert, select, update on invoice_counters to hostdesk_app;
grant delete, insert, select on invoice_documents to hostdesk_app;
grant delete, insert, select on invoice_lines to hostdesk_app;
grant insert, select on invoice_mails to hostdesk_app;
grant delete, insert, select on invoice_readers to hostdesk_app;
grant delete, insert, select on invoice_snapshots to hostdesk_app;
grant insert, select on invoices to hostdesk_app;
grant select on job_processes to hostdesk_app;
grant delete, insert, select, update on kept_bytes to hostdesk_app;
grant insert, select on kept_settings to hostdesk_app;
grant select on known_event_epoch to hostdesk_app;
grant insert, select on ledger_accounts to hostdesk_app;
grant insert, select on ledger_closings to hostdesk_app;
grant select on ledger_documents to hostdesk_app;
grant insert, select on licence_orders to hostdesk_app;
grant delete, insert, select, update on licence_settings to hostdesk_app;
grant delete, insert, select, update on licence_watches to hostdesk_app;
grant delete, insert, select, update on licensed_addresses to hostdesk_app;
grant insert, select on limit_notices to hostdesk_app;
grant delete, insert, select, update on live_cursors to hostdesk_app;
grant delete, insert, select, update on live_events to hostdesk_app;
grant delete, insert, select, update on mail_preferences to hostdesk_app;
grant delete, insert, select, update on mails to hostdesk_app;
grant select on migrations to hostdesk_app;
grant delete, insert, select on narrowed_grants to hostdesk_app;
grant delete, insert, select, update on new_ticket_mails to hostdesk_app;
grant delete, insert, select, update on notification_choices to hostdesk_app;
grant delete, insert, select, update on notifications to hostdesk_app;
grant insert, select, update on observations to hostdesk_app;
grant insert, select, update on operation_figures to hostdesk_app;
grant select on operator_events_waiting to hostdesk_app;
grant select on paid_ends to hostdesk_app;
grant insert, select, update on paid_periods to hostdesk_app;
grant delete, insert, select, update on passkeys to hostdesk_app;
grant delete, insert, select on password_reset_keys to hostdesk_app;
grant delete, insert, select, update on passwords to hostdesk_app;
grant delete, insert, select, update on payment_agreements to hostdesk_app;
grant insert, select on payment_event_bookings to hostdesk_app;
grant insert, select on payment_events to hostdesk_app;
grant delete, insert, select, update on payment_methods to hostdesk_app;
grant delete, insert, select on payout_accounts to hostdesk_app;
grant insert, select on payout_bookings to hostdesk_app;
grant insert, select on payout_files to hostdesk_app;
grant insert, select on payouts to hostdesk_app;
grant delete, insert, select, update on pending_logins to hostdesk_app;
grant select on period_values to hostdesk_app;
grant delete, insert, select on place_questions to hostdesk_app;
grant delete, insert, select, update on plan_move_hosts to hostdesk_app;
grant insert, select, update on plan_moves to hostdesk_app;
grant insert, select on plan_prices to hostdesk_app;
grant select on plan_renewals to hostdesk_app;
grant insert, select, update on plans to hostdesk_app;
grant insert, select, update on products to hostdesk_app;
grant delete, insert, select, update on profiles to hostdesk_app;
grant insert, select on promo_codes to hostdesk_app;
grant insert, select on promo_uses to hostdesk_app;
grant delete, insert, select on purchases to hostdesk_app;
grant insert, select, update on push_keys to hostdesk_app;
grant delete, insert, select, update on push_subscriptions to hostdesk_app;
grant delete, insert, select, update on received_mails to hostdesk_app;
grant delete, insert, select, update on recovery_codes to hostdesk_app;
grant delete, insert, select, update on recovery_sets to hostdesk_app;
grant insert, select on redemptions to hostdesk_app;
grant delete, insert, select, update on refresh_tokens to hostdesk_app;
grant delete, insert, select on reply_addresses to hostdesk_app;
grant delete, insert, select on requested_hosts to hostdesk_app;
grant select on revocation_list to hostdesk_app;
grant delete, select on revocations to hostdesk_app;
grant insert, select on robot_tokens to hostdesk_app;
grant insert, select on robots to hostdesk_app;
grant select on sale_values to hostdesk_app;
grant select on secret_keys to hostdesk_app;
grant delete, insert, select, update on sessions to hostdesk_app;
grant delete, insert, select on setup_waived to hostdesk_app;
grant delete, insert, select, update on signing_keys to hostdesk_app;
grant insert, select on statement_files to hostdesk_app;
grant insert, select on statement_keys to hostdesk_app;
grant insert, select on statement_months to hostdesk_app;
grant delete, insert, select on statements to hostdesk_app;
grant delete, insert, select, update on suspended_addresses to hostdesk_app;
grant insert, select, update on suspensions to hostdesk_app;
grant delete, insert, select, update on ticket_mails to hostdesk_app;
grant delete, insert, select on ticket_mails_sent to hostdesk_app;
grant delete, insert, select on ticket_merges to hostdesk_app;
grant delete, insert, select on ticket_messages to hostdesk_app;
grant insert, select on ticket_ratings to hostdesk_app;
grant delete, insert, select, update on ticket_readers to hostdesk_app;
grant delete, insert, select on ticket_secrets to hostdesk_app;
grant delete, insert, select on ticket_tags to hostdesk_app;
grant delete, insert, select, update on tickets to hostdesk_app;
grant insert, select on tickets_to_erase to hostdesk_app;
grant insert, select on top_ups to hostdesk_app;
grant delete, insert, select, update on totp_authenticators to hostdesk_app;
grant insert, select on transaction_documents to hostdesk_app;
grant select on transaction_types to hostdesk_app;
grant insert, select on transactions to hostdesk_app;
grant insert, select on trial_addresses to hostdesk_app;
grant insert, select on trials to hostdesk_app;
grant insert, select on unbooked_events to hostdesk_app;
grant select on unproven_accounts to hostdesk_app;
grant delete, insert, select, update on users to hostdesk_app;
grant delete, insert, select, update on vain_sign_ups to hostdesk_app;
grant insert, select on vat_id_checks to hostdesk_app;
grant insert, select on vat_overrides to hostdesk_app;
grant delete, insert, select on verification_keys to hostdesk_app;
grant delete, insert, select on view_sessions to hostdesk_app;
grant insert, select on vouchers to hostdesk_app;
grant delete, insert, select, update on webhook_attempts to hostdesk_app;
grant delete, insert, select, update on webhook_endpoints to hostdesk_app;
grant delete, insert, select, update on webhook_lanes to hostdesk_app;
grant insert, select on withdrawal_refunds to hostdesk_app;
grant insert, select on withdrawals to hostdesk_app;
