-- The help centre (docs/decisions/212): sections with articles, for everybody or for staff alone.
create table help_sections (
  id uuid primary key default gen_random_uuid(),
  -- The part of the address that names the section, in every language.
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 60),
  rank integer not null,
  -- By language: en, de, ru.
  title jsonb not null,
  version integer not null default 1
);
select allow_app('help_sections', 'select, insert, update, delete');
select protect_rows('help_sections', 'id');
create trigger count_edit before update on help_sections for each row execute function count_edit();

-- Articles as staff write them. Readers see the row of help_revisions that `revision` names, while the article is published.
create table help_articles (
  id uuid primary key default gen_random_uuid(),
  section_id uuid not null references help_sections,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 80),
  rank integer not null,
  audience text not null check (audience in ('everybody', 'staff')),
  title jsonb not null,
  text jsonb not null,
  -- Other words by which people look for it; they are not shown.
  keywords jsonb not null,
  is_published boolean not null default false,
  revision integer not null default 0,
  changed_at timestamp(3) with time zone not null default now(),
  changed_by uuid references users on delete set null,
  version integer not null default 1,
  check (not is_published or revision > 0)
);
create index help_articles_of_section on help_articles (section_id);
create index help_articles_by_author on help_articles (changed_by);
select allow_app('help_articles', 'select, insert, update, delete');
select protect_rows('help_articles', 'id');
create trigger count_edit before update on help_articles for each row execute function count_edit();

-- The published texts of an article. A revision is never changed, only followed by the next one.
create table help_revisions (
  article_id uuid not null references help_articles,
  revision integer not null,
  title jsonb not null,
  text jsonb not null,
  keywords jsonb not null,
  published_at timestamp(3) with time zone not null default now(),
  primary key (article_id, revision)
);
select allow_app('help_revisions', 'select, insert');
select protect_rows('help_revisions', 'article_id');
select append_only('help_revisions');

-- The stems of what is published, for each language of readers; the heavier ones stand in the title or among the keywords.
create table help_stems (
  article_id uuid not null references help_articles,
  locale text not null check (locale in ('en', 'de', 'ru')),
  stem text not null,
  weight real not null,
  primary key (article_id, locale, stem)
);
-- Words of one family begin alike, which German compounds need.
create index help_stems_by_beginning on help_stems (locale, left(stem, 5));
select allow_app('help_stems', 'select, insert, delete');
select protect_rows('help_stems', 'article_id');

-- How many visitors found an article helpful. Nothing says who.
create table help_votes (
  article_id uuid primary key references help_articles,
  helpful integer not null default 0 check (helpful >= 0),
  unhelpful integer not null default 0 check (unhelpful >= 0)
);
select allow_app('help_votes', 'select, insert, update');
select protect_rows('help_votes', 'article_id');

-- The stems of a text in a language.
create function help_stems_of(locale text, value text) returns tsvector language sql immutable as $$
  select to_tsvector(case locale when 'de' then 'german' when 'ru' then 'russian' else 'english' end::regconfig, value)
$$;
