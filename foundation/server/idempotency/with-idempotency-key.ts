import { must } from '#foundation/must.ts'
import { createHash } from 'node:crypto'
import type { ReplyOf, Route } from '#foundation/contract.ts'
import { transaction, type Author, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { Call } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import * as queries from './queries.ts'

/** For the deletion of an account: a stored answer holds personal data, such as the name the person gave a server. */
export { forgetAnswers } from './queries.ts'

/**
 * Runs `work` in one transaction, once for each Idempotency-Key of this user (rule 10). A call with a used key answers as the first call
 * did; with another body or path it is refused with 422 `idempotency_key_reused`. A refusal (a thrown HttpError) undoes everything and
 * keeps nothing: the same key may be tried again, after a top-up for instance. Without a key (where the contract lets it be absent) `work`
 * just runs. `author` is the caller by default; staff who write for customers pass 'system'.
 */
export async function withIdempotencyKey<const R extends Route>(
  contract: R,
  call: Call<R>,
  work: (tx: Tx) => Promise<ReplyOf<R>>,
  author?: Author,
): Promise<ReplyOf<R>>
export async function withIdempotencyKey(
  contract: Route,
  call: KeptCall,
  work: (tx: Tx) => Promise<AnyReply>,
  author?: Author,
): Promise<AnyReply> {
  return keepAnswer(contract, call, work, author)
}

type AnyReply = { status: number; body?: unknown }

/** The parts of a call by which its answer is kept: its user, its key and its request. */
export type KeptCall = Pick<Call<Route>, 'app' | 'request' | 'actor'> & { headers?: unknown; body?: unknown }

/**
 * Does the same as `withIdempotencyKey`, for callers whose replies have a type of their own; the server checks each reply against the
 * contract.
 */
export async function keepAnswer(
  contract: Route,
  call: KeptCall,
  work: (tx: Tx) => Promise<AnyReply>,
  author?: Author,
): Promise<AnyReply> {
  const { app, request } = call
  const user_id = call.actor?.user_id
  if (user_id === undefined) throw new Error(`${contract.path} keeps answers, but for whom?`)
  const key: unknown = Reflect.get(Object(call.headers), 'idempotency-key')
  return transaction(app, author ?? { userId: user_id }, async (tx) => {
    if (typeof key !== 'string') return work(tx)
    const request_hash = hashOf([contract.method, request.url.split('?')[0], call.body])
    return answerOnce(tx, { user_id, key, request_hash }, () => work(tx))
  })
}

/**
 * Runs `work` once for each key of the operator, for a command on an account, in an open transaction. `asked` is the whole request. The
 * keys of the operator are stored with a line break, which no header can hold, so that they never equal a key of the account. Without a key
 * `work` just runs.
 */
export async function onceForOperator(
  tx: Tx,
  { user_id, key, asked }: { user_id: string; key: string | undefined; asked: unknown },
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (key === undefined) return work()
  const use = { user_id, key: `operator\n${key}`, request_hash: hashOf(asked) }
  return (await answerOnce(tx, use, async () => ({ status: 200, body: await work() }))).body
}

async function answerOnce(tx: Tx, use: queries.Use, work: () => Promise<AnyReply>): Promise<AnyReply> {
  const stored = await queries.claimKey(tx, use)
  if (stored) return replayAnswer(stored, use.request_hash)
  const reply = await work()
  await queries.storeAnswer(tx, use, reply.status, reply.body)
  return reply
}

function replayAnswer(stored: queries.Stored, request_hash: Buffer): AnyReply {
  if (!stored.request_hash.equals(request_hash))
    throw new HttpError(422, [{ code: 'idempotency_key_reused' }])
  return { status: must(stored.status), body: stored.body ?? undefined }
}

const hashOf = (request: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(request)))
    .digest()

/** The same fields in another order are the same request. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return fields.map(([name, inner]) => [name, inOrder(inner)])
}

// Answers are kept for longer than anybody retries, but not for ever: the table does not hold every purchase ever made.
const KEPT_S = 7 * 86_400

export const jobs: readonly Job[] = [
  cronJob(jobKind('sweep_idempotency_keys', 'rest'), 3600, (app) =>
    transaction(app, 'system', (tx) => queries.sweepKeys(tx, KEPT_S)),
  ),
]
