-- Machines that share their id, as clones of one disk do, are told apart by their boots (docs/decisions/104): a machine that has booted anew
-- never comes back with an earlier boot.
alter table activations
  -- A digest of the present boot; null while none was reported.
  add column boot text check (boot ~ '^[0-9a-f]{64}$'),
  -- Boots that another one has followed, the last ones.
  add column past_boots text[] not null default '{}',
  -- The fingerprint that the machine reports, if another machine reports it too; `fingerprint` is then one of its own.
  add column clone_of text check (clone_of ~ '^[0-9a-f]{64}$');
