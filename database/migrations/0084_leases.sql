-- A floating seat of a licence (docs/decisions/205): the machine that was leased one holds it until `lease_until`; null: it holds none.
-- Neither column is in an index, so that an extension every few minutes writes one small row version and no entry of an index.
alter table activations add column leased_at timestamptz;
alter table activations add column lease_until timestamptz check (lease_until > leased_at);
-- The room that such versions need on the page of their row.
alter table activations set (fillfactor = 80);
