-- A topic for each person and one for all of the staff: `user_id` names the person, or as the nil UUID the staff. The names
-- stay, because processes of the version before go on writing here while an update is under way; their `staff_only` rows are
-- still read.

-- The customer of a ticket is never sent what staff are told of it, also where that customer is staff.
alter table live_events add column hidden_from uuid;
