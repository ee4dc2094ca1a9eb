-- The tables of features/help with all that belongs to them, as the migrations have made them. Printed by `npm run schema`: do not edit.

-- Articles as staff write them. Readers see the row of help_revisions that `revision` names, while the article is published.
create table help_articles (
  id uuid default gen_random_uuid() not null,
  section_id uuid not null,
  slug text not null,
  rank integer not null,
  audience text not null,
  title jsonb not null,
  text jsonb not null,
  -- Other words by which people look for it; they are not shown.
  keywords jsonb not null,
  is_published boolean default false not null,
  revision integer default 0 not null,
  changed_at timestamp(3) with time zone default now() not null,
  changed_by uuid,
  version integer default 1 not null,
  constraint help_articles_pkey primary key (id),
  constraint help_articles_slug_key unique (slug),
  constraint help_articles_changed_by_fkey foreign key (changed_by) references users(id) on delete set null,
  constraint help_articles_section_id_fkey foreign key (section_id) references help_sections(id),
  constraint help_articles_audience_check check (audience = any (array['everybody'::text, 'staff'::text])),
  constraint help_articles_check check (not is_published or revision > 0),
  constraint help_articles_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text and length(slug) >= 3 and length(slug) <= 80)
);
create index help_articles_by_author on help_articles (changed_by);
create index help_articles_of_section on help_articles (section_id);
grant delete, insert, select, update on help_articles to hostdesk_app;
alter table help_articles enable row level security;
alter table help_articles force row level security;
create policy deleted_by_owner on help_articles for delete using (actor_owns(id));
create policy inserted_by_owner on help_articles for insert with check (actor_owns(id));
create policy readable on help_articles for select using (true);
create policy updated_by_owner on help_articles for update using (actor_owns(id)) with check (actor_owns(id));
create trigger count_edit before update on help_articles for each row execute function count_edit();

-- The published texts of an article. A revision is never changed, only followed by the next one.
create table help_revisions (
  article_id uuid not null,
  revision integer not null,
  title jsonb not null,
  text jsonb not null,
  keywords jsonb not null,
  published_at timestamp(3) with time zone default now() not null,
  constraint help_revisions_pkey primary key (article_id, revision),
  constraint help_revisions_article_id_fkey foreign key (article_id) references help_articles(id)
);
grant insert, select on help_revisions to hostdesk_app;
alter table help_revisions enable row level security;
alter table help_revisions force row level security;
create policy deleted_by_owner on help_revisions for delete using (actor_owns(article_id));
create policy inserted_by_owner on help_revisions for insert with check (actor_owns(article_id));
create policy readable on help_revisions for select using (true);
create policy updated_by_owner on help_revisions for update using (actor_owns(article_id)) with check (actor_owns(article_id));
create trigger help_revisions_are_append_only before delete or update on help_revisions for each row when (old.article_id::text is distinct from current_setting('app.deleted_article'::text, true)) execute function refuse_change();
create trigger help_revisions_are_not_truncated before truncate on help_revisions for each statement execute function refuse_change();

-- The help centre (docs/decisions/212): sections with articles, for everybody or for staff alone.
create table help_sections (
  id uuid default gen_random_uuid() not null,
  -- The part of the address that names the section, in every language.
  slug text not null,
  rank integer not null,
  -- By language: en, de, ru.
  title jsonb not null,
  version integer default 1 not null,
  constraint help_sections_pkey primary key (id),
  constraint help_sections_slug_key unique (slug),
  constraint help_sections_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text and length(slug) >= 3 and length(slug) <= 60)
);
grant delete, insert, select, update on help_sections to hostdesk_app;
alter table help_sections enable row level security;
alter table help_sections force row level security;
create policy deleted_by_owner on help_sections for delete using (actor_owns(id));
create policy inserted_by_owner on help_sections for insert with check (actor_owns(id));
create policy readable on help_sections for select using (true);
create policy updated_by_owner on help_sections for update using (actor_owns(id)) with check (actor_owns(id));
create trigger count_edit before update on help_sections for each row execute function count_edit();

-- The stems of what is published, for each language of readers; the heavier ones stand in the title or among the keywords.
create table help_stems (
  article_id uuid not null,
  locale text not null,
  stem text not null,
  weight real not null,
  constraint help_stems_pkey primary key (article_id, locale, stem),
  constraint help_stems_article_id_fkey foreign key (article_id) references help_articles(id),
  constraint help_stems_locale_check check (locale = any (array['en'::text, 'de'::text, 'ru'::text]))
);
create index help_stems_by_beginning on help_stems (locale, "left"(stem, 5));
grant delete, insert, select on help_stems to hostdesk_app;
alter table help_stems enable row level security;
alter table help_stems force row level security;
create policy deleted_by_owner on help_stems for delete using (actor_owns(article_id));
create policy inserted_by_owner on help_stems for insert with check (actor_owns(article_id));
create policy readable on help_stems for select using (true);
create policy updated_by_owner on help_stems for update using (actor_owns(article_id)) with check (actor_owns(article_id));

-- How many visitors found an article helpful. Nothing says who.
create table help_votes (
  article_id uuid not null,
  helpful integer default 0 not null,
  unhelpful integer default 0 not null,
  constraint help_votes_pkey primary key (article_id),
  constraint help_votes_article_id_fkey foreign key (article_id) references help_articles(id),
  constraint help_votes_helpful_check check (helpful >= 0),
  constraint help_votes_unhelpful_check check (unhelpful >= 0)
);
grant insert, select, update on help_votes to hostdesk_app;
alter table help_votes enable row level security;
alter table help_votes force row level security;
create policy deleted_by_owner on help_votes for delete using (actor_owns(article_id));
create policy inserted_by_owner on help_votes for insert with check (actor_owns(article_id));
create policy readable on help_votes for select using (true);
create policy updated_by_owner on help_votes for update using (actor_owns(article_id)) with check (actor_owns(article_id));

create function delete_help_article(article uuid)
 returns void
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $$
begin
  perform set_config('app.deleted_article', article::text, true);
  delete from public.help_stems where article_id = article;
  delete from public.help_votes where article_id = article;
  delete from public.help_revisions where article_id = article;
  delete from public.help_articles where id = article;
  perform set_config('app.deleted_article', '', true);
end $$;

-- The stems of a text in a language.
create function help_stems_of(locale text, value text)
 returns tsvector
 language sql
 immutable
as $$
  select to_tsvector(case locale when 'de' then 'german' when 'ru' then 'russian' else 'english' end::regconfig, value)
$$;
