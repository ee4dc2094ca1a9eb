-- The matters that the owner of an account is asked to look at on every page, such as a webhook that the product disabled.
alter table profiles add column attention text[] not null default '{}';

select set_config('app.actor', 'system', true);
update profiles set attention = '{webhook_disabled}'
where user_id in (select user_id from webhook_endpoints where state = 'disabled');
