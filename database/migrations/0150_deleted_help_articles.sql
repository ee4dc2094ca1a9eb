-- Staff delete an article of the help centre with all its versions. Each version stays as it was published until then: the application may
-- neither change nor delete one, and this function deletes those of one article together with it.
drop trigger help_revisions_are_append_only on help_revisions;
create trigger help_revisions_are_append_only before delete or update on help_revisions for each row
  when (old.article_id::text is distinct from current_setting('app.deleted_article', true))
  execute function refuse_change();

create function delete_help_article(article uuid) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('app.deleted_article', article::text, true);
  delete from public.help_stems where article_id = article;
  delete from public.help_votes where article_id = article;
  delete from public.help_revisions where article_id = article;
  delete from public.help_articles where id = article;
  perform set_config('app.deleted_article', '', true);
end $$;
