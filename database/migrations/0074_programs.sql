-- The product that a host is one of (docs/decisions/199). A program has no address, so neither has its order.
alter table hosts add column product text not null default 'server' references products;
alter table licence_orders drop constraint some_address;

-- The fields of its product that a host shows, read with the row.
create function product_of(product text) returns json language sql stable as $$
  select json_build_object('slug', p.slug, 'name', p.name, 'kind', p.kind) from products p where p.slug = $1
$$;

-- The product of a plan, for the host that an order makes; of a plan that is not there, the first one.
create function product_of_plan(plan text) returns text language sql stable as $$
  select coalesce((select e.product from plans p join editions e on e.slug = p.edition where p.slug = $1), 'server')
$$;
