import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

type Db = App['db']

export type Month = { month: string; since: Date; until: Date }
type Root = { month: string; root: string; kid: string; signature: string }

/** The newest month that was begun; `root` is null until it is sealed. */
export const newestMonth = (db: Db): Promise<(Month & { root: string | null }) | undefined> =>
  db
    .selectFrom('statement_months')
    .select(['month', 'since', 'until', 'root'])
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Begins a month, unless another process was faster. */
export async function beginMonth(tx: Tx, month: Month): Promise<void> {
  await tx
    .insertInto('statement_months')
    .values(month)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const isSealed = sql<boolean>`root is not null`

/** The roots of all months that are sealed, newest first. */
export async function allRoots(db: Db): Promise<Root[]> {
  const { rows } = await sql<Root>`
    select month, root, kid, signature from statement_months where ${isSealed} order by month desc`.execute(
    db,
  )
  return rows
}

/** The roots that a key signed. */
export async function rootsOf(tx: Tx, kid: string): Promise<{ month: string; root: string }[]> {
  const { rows } = await sql<{ month: string; root: string }>`
    select month, root from statement_months where ${isSealed} and kid = ${kid} order by month`.execute(tx)
  return rows
}

export async function setRootSignature(tx: Tx, { month, ...root }: Root): Promise<void> {
  await tx.updateTable('statement_months').set(root).where('month', '=', month).execute()
}

export type NewStatement = {
  user_id: string
  month: string
  first_seq: bigint
  last_seq: bigint
  body: string
  hash: string
}

/** Writes a statement unless the month has it. It is not issued before the month is sealed. */
export async function insertStatement(tx: Tx, statement: NewStatement): Promise<void> {
  await tx
    .insertInto('statements')
    .values(statement)
    .onConflict((conflict) => conflict.columns(['user_id', 'month']).doNothing())
    .execute()
}

/** The newest statement of an account. */
export const newestOf = (
  db: Db,
  user_id: string,
): Promise<{ month: string; hash: string; last_seq: bigint } | undefined> =>
  db
    .selectFrom('statements')
    .select(['month', 'hash', 'last_seq'])
    .where('user_id', '=', user_id)
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The hashes of a month's statements, in the order of the hashes, which tells nothing of the accounts. */
export const hashesOf = (tx: Tx, month: string): Promise<{ id: bigint; hash: string }[]> =>
  tx.selectFrom('statements').select(['id', 'hash']).where('month', '=', month).orderBy('hash').execute()

export const statementsById = (
  tx: Tx,
  ids: readonly bigint[],
): Promise<{ id: bigint; user_id: string; body: string; hash: string }[]> =>
  tx.selectFrom('statements').select(['id', 'user_id', 'body', 'hash']).where('id', 'in', ids).execute()

export type Seal = { id: bigint; proof: string; signature: string }

/** Signs statements; a trigger refuses to do it twice. */
export async function sealStatements(tx: Tx, kid: string, seals: readonly Seal[]): Promise<void> {
  await sql`
    update statements s set proof = n.proof, kid = ${kid}, signature = n.signature
    from unnest(${seals.map(({ id }) => id)}::bigint[], ${seals.map(({ proof }) => proof)}::text[],
      ${seals.map(({ signature }) => signature)}::text[]) as n (id, proof, signature)
    where s.id = n.id`.execute(tx)
}

export type StatementRow = {
  id: bigint
  month: string
  body: string
  hash: string
  root: string
  proof: string
  kid: string
  signature: string
}

const issued = sql`from statements s join statement_months m on m.month = s.month
  where s.signature is not null and m.root is not null`
const columns = sql`s.id, s.month, s.body, s.hash, m.root, s.proof, s.kid, s.signature`

/** A page of an account's statements, newest first. */
export async function statementsOf(
  db: Db,
  user_id: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select ${columns} ${issued} and s.user_id = ${user_id} and s.id < coalesce(${before ?? null}::bigint, 9223372036854775807)
    order by s.id desc limit ${limit}`.execute(db)
  return rows
}

export async function statementOf(db: Db, user_id: string, month: string): Promise<StatementRow | undefined> {
  const { rows } = await sql<StatementRow>`
    select ${columns} ${issued} and s.user_id = ${user_id} and s.month = ${month}`.execute(db)
  return rows[0]
}

export async function fileOf(db: Db, statement_id: bigint): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('statement_files')
    .select('content')
    .where('statement_id', '=', statement_id)
    .executeTakeFirst()
  return row?.content
}

/** Stores a PDF unless another request was faster. */
export async function keepFile(
  tx: Tx,
  file: { statement_id: bigint; user_id: string; content: Buffer },
): Promise<void> {
  await tx
    .insertInto('statement_files')
    .values(file)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes the statements of an account with their PDFs. The roots of their months stay, and so do the proofs of others. */
export async function eraseStatements(tx: Tx, user_id: string): Promise<void> {
  await tx.deleteFrom('statements').where('user_id', '=', user_id).execute()
}
