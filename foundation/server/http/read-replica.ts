import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from '#foundation/contract.ts'
import { parsePosition, READ_AFTER } from '#foundation/read-after.ts'
import type { App } from '#foundation/server/app.ts'
import { writtenPosition } from '#foundation/server/database/replica-queries.ts'
import { counter } from '#foundation/server/operation/metrics.ts'

const reads = counter(
  'hostdesk_replica_reads_total',
  'Lists, searches and reports that DATABASE_READ_URL may answer, by who did: the replica or the primary.',
  ['answered_by'],
)

/**
 * Answers from the replica if the contract and the caller allow it and the replica has come as far as the caller knows. If the replica
 * fails or refuses the call, the primary answers: a row that the replica lacks may still be on its way.
 */
export async function answerNear<T>(
  app: App,
  { fromReplica }: Route,
  request: FastifyRequest,
  answer: (app: App) => Promise<T>,
): Promise<T> {
  if (!app.replica || !fromReplica) return answer(app)
  const position = positionOf(request)
  const db = position === undefined ? undefined : app.replica.readableFrom(position)
  if (db) {
    try {
      const answered = await answer({ ...app, db, primary: app })
      reads.add({ answered_by: 'replica' })
      return answered
    } catch (error) {
      app.log.debug({ err: error, request_id: request.id }, 'the replica did not answer')
    }
  }
  reads.add({ answered_by: 'primary' })
  return answer(app)
}

/**
 * After a change, tells the caller in the header X-Read-After how far the database has written, if the request had that header. A caller
 * who gets none reads from the primary for a while.
 */
export async function tellWritten(
  app: App,
  { method }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!app.replica || method === 'GET' || positionOf(request) === undefined) return
  const written = await writtenPosition(app.db).catch(() => undefined)
  if (written !== undefined) reply.header(READ_AFTER, written)
}

const positionOf = ({ headers }: FastifyRequest) => parsePosition(headers[READ_AFTER.toLowerCase()])
