-- A profile is as old as its account, so that an index of profiles has the order of accounts (docs/decisions/070). Owned by
-- features/profile.
select set_config('app.actor', 'system', true);
update profiles set created_at = users.created_at from users
where users.id = profiles.user_id and users.created_at <> profiles.created_at;
alter table profiles add constraint as_old_as_its_account
  foreign key (created_at, user_id) references users (created_at, id) on update cascade on delete cascade;
