-- The place of buyers: what staff decide where the facts do not agree, and the question that is open until then (docs/decisions/147).
-- Owned by features/invoices. The facts of each sale are in invoice_snapshots.evidence.

-- `resident`: the address is believed; `elsewhere`: it is not. Both are about one place, and both answer the question.
alter table vat_overrides
  add column place text not null default '' check (place ~ '^([A-Z]{2}(-[A-Z0-9]{1,12})?)?$'),
  drop constraint vat_overrides_treatment_check,
  add constraint vat_overrides_treatment_check
    check (treatment in ('automatic', 'business', 'consumer', 'resident', 'elsewhere')),
  add constraint vat_overrides_place_check1 check ((treatment in ('resident', 'elsewhere')) = (place <> ''));

create table place_questions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  -- The code of the place by the address (features/invoices/server/territories.ts): CH, IC, DE-HELGOLAND.
  place text not null check (place ~ '^[A-Z]{2}(-[A-Z0-9]{1,12})?$'),
  opened_at timestamptz not null default date_trunc('milliseconds', now()),
  -- What the customer answered; '' before.
  answer text not null default '' check (length(answer) <= 4000),
  answered_at timestamptz,
  -- Set by a decision of staff, or once the facts agree.
  closed_at timestamptz,
  check ((answer = '') = (answered_at is null))
);
create unique index place_questions_open on place_questions (user_id) where closed_at is null;
create index place_questions_of_user on place_questions (user_id, opened_at);
create index place_questions_by_age on place_questions (opened_at, id);
select allow_app('place_questions', 'select, insert, delete, update (place, answer, answered_at, closed_at)');
select protect_rows('place_questions', 'user_id');
