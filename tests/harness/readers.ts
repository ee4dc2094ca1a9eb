import type pg from 'pg'
import type { Translated } from '#foundation/locale.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { App } from '#foundation/server/app.ts'
import { publish } from '#features/announcements/server/announcements.ts'

/** Adds customers with a proven address, without the triggers, which write the search index of staff. */
export async function plantReaders(superuser: pg.Client, count: number): Promise<void> {
  await superuser.query('begin')
  await superuser.query('set local session_replication_role = replica')
  await superuser.query(
    `with person as (
       insert into users (email, locale)
       select 'reader-' || n || '@example.org', (array['en', 'de', 'ru'])[1 + n % 3] from generate_series(1, $1::int) n returning id, email),
     address as (
       insert into email_addresses (user_id, email, verified_at, is_primary) select id, email, now(), true from person)
     insert into profiles (user_id, name, surname) select id, 'Anna', 'Reader' from person`,
    [count],
  )
  await superuser.query('commit')
  await superuser.query('analyze users, email_addresses, profiles')
}

const words: Translated = { en: 'New switches', de: 'Neue Switches', ru: 'Новые коммутаторы' }

/** Publishes an incident for all customers, with a mail to each, as the command line does. Returns the id of the announcement. */
export async function publishIncident(app: App, superuser: pg.Client): Promise<string> {
  const { rows } = await superuser.query<{ id: string }>(
    `insert into announcements (kind, title, text, scope, mail) values ('incident', $1, $1, '{"all": true}', true) returning id`,
    [JSON.stringify(words)],
  )
  const { id } = must(rows[0])
  await transaction(app, 'system', (tx) => publish(app, tx, { announcement_id: id }, { by: 'command line' }))
  return id
}
