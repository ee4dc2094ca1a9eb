-- The grants of staff beyond a limit (docs/decisions/138).

-- A release that staff have set back counts no longer among the three of its owner in 30 days.
alter table activations add column forgiven_at timestamptz;

-- How much more than STORAGE_PER_CUSTOMER an account may keep. Owned by features/support.
alter table kept_bytes add column extra_bytes bigint not null default 0 check (extra_bytes >= 0);
