-- How a customer, or a helper, found the answers to a closed ticket. A later one counts instead of an earlier one, which stays.
create table ticket_ratings (
  id bigint generated always as identity primary key,
  ticket_id bigint not null references tickets on delete cascade,
  user_id uuid not null references users on delete cascade,
  face text not null check (face in ('good', 'fair', 'poor')),
  word text not null default '' check (length(word) <= 2000),
  rated_at timestamptz not null default date_trunc('milliseconds', now())
);
create index ticket_ratings_of_ticket on ticket_ratings (ticket_id, id);
create index ticket_ratings_by_time on ticket_ratings (rated_at);
create index ticket_ratings_of_user on ticket_ratings (user_id);
select allow_app('ticket_ratings', 'select, insert');
select protect_rows('ticket_ratings', 'user_id');
create policy rated_by_helper on ticket_ratings for insert with check (acts_as(user_id));
