-- outside a transaction
-- An account and the moment it was made, unique so that others may refer to both (docs/decisions/070). Takes the place of
-- users_by_creation. Owned by foundation/server/session.
create unique index concurrently users_by_age on users (created_at, id);
drop index concurrently users_by_creation;
