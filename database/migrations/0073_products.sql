-- Products stand above editions (docs/decisions/199). The first one is the server that all editions have been sold for.
create table products (
  slug text primary key check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 64),
  name jsonb not null check (in_three_languages(name, 100)),
  description jsonb not null default '{"en": "", "de": "", "ru": ""}' check (in_three_languages(description, 400)),
  -- A licence for a server counts at an address, one for a program on machines.
  kind text not null check (kind in ('server', 'program')),
  asks_address boolean not null generated always as (kind = 'server') stored,
  is_active boolean not null default true,
  sort integer not null default 0 check (sort between 0 and 9999),
  version integer not null default 1,
  created_at timestamptz not null default now()
);
select allow_app('products', 'select, insert, update');
insert into products (slug, name, kind) values ('server', '{"en": "Server", "de": "Server", "ru": "Сервер"}', 'server');

alter table editions add column product text not null default 'server' references products;
