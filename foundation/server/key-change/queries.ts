import type pg from 'pg'

// These statements run as the owner of the schema; the application may only read the table.

export type KnownKey = { fingerprint: string; retired: boolean; digests: string | null }

export async function knownKeys(client: pg.ClientBase | pg.Pool): Promise<KnownKey[]> {
  const { rows } = await client.query<KnownKey>(
    'select fingerprint, retired_at is not null as retired, digests from secret_keys order by made_at',
  )
  return rows
}

/**
 * Keeps the fingerprint of the first key. If two processes make the first start at once, one keeps its key, and the other then finds it.
 */
export async function keepFirstKey(client: pg.ClientBase, fingerprint: string): Promise<void> {
  await client.query('insert into secret_keys (fingerprint) values ($1) on conflict do nothing', [
    fingerprint,
  ])
}

/**
 * Retires the present key, and makes `to` the present one, also if it was retired before. `digests` are the sealed hash keys of retired
 * keys, by fingerprint.
 */
export async function changeKey(
  client: pg.ClientBase,
  to: string,
  digests: ReadonlyMap<string, string>,
): Promise<void> {
  await client.query(
    'update secret_keys set retired_at = now() where retired_at is null and fingerprint <> $1',
    [to],
  )
  await client.query(
    `insert into secret_keys (fingerprint) values ($1)
     on conflict (fingerprint) do update set retired_at = null, digests = null`,
    [to],
  )
  for (const [fingerprint, sealed] of digests)
    await client.query('update secret_keys set digests = $2 where fingerprint = $1', [fingerprint, sealed])
}
