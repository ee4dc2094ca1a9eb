-- A seller that is a small business charges no VAT (docs/decisions/148). Owned by features/invoices.
alter table invoices
  drop constraint invoices_vat_kind_check,
  add constraint invoices_vat_kind_check
    check (vat_kind in ('standard', 'oss', 'reverse_charge', 'outside_eu', 'small_business')) not valid;
