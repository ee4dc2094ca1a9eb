-- The rows from before the promo codes, checked without holding up others.
alter table licence_orders validate constraint only_a_trial_or_a_promo_code_costs_nothing;
alter table invoice_lines validate constraint price_of_line;
alter table invoice_lines validate constraint reduction_has_a_reason;
