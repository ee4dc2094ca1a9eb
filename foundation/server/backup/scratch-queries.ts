import { withConnection } from '#foundation/server/database/with-connection.ts'

/** A temporary database; `drop` removes it. */
export type Scratch = { url: string; drop(): Promise<void> }

/** Makes an empty database beside the one of `ownerUrl`, for the same user, by the rights of `adminUrl`. */
export async function makeDatabase(adminUrl: string, ownerUrl: string): Promise<Scratch> {
  const name = `hostdesk_drill_${Date.now().toString(36)}`
  const [user] = await ask<{ name: string }>(ownerUrl, 'select quote_ident(current_user) as name')
  await ask(adminUrl, `create database ${name} owner ${user?.name ?? 'current_user'}`)
  return {
    url: ownerUrl.replace(/(@[^/]*\/)[^?]*/, `$1${name}`),
    drop: async () => void (await ask(adminUrl, `drop database if exists ${name} with (force)`)),
  }
}

/** Removes everything in a database, and leaves an empty schema. */
export async function emptyDatabase(url: string): Promise<void> {
  await ask(url, 'drop schema public cascade; create schema public')
}

const ask = async <Row extends object>(url: string, statement: string): Promise<Row[]> =>
  withConnection(url, async (client) => (await client.query<Row>(statement)).rows)
