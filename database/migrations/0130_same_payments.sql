-- One payment in statements of two forms. Owned by features/banking.
alter table bank_lines
  -- Its line in the statement; null for those imported before this was kept.
  add column place integer check (place > 0),
  -- An earlier payment that this one probably repeats.
  add column same_as uuid,
  add constraint bank_lines_same_as_fkey foreign key (same_as) references bank_lines not valid,
  drop constraint bank_lines_cause_check,
  add constraint bank_lines_cause_check check (cause in (
    'amount_differs', 'paid_before', 'several_references', 'near_reference', 'known_payer', 'return', 'duplicate')) not valid;
