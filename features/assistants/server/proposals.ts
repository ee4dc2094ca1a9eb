import type { FastifyRequest } from 'fastify'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { fieldNames } from '#foundation/server/http/field-names.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import * as contract from '#features/assistants/contract.ts'
import { MOST_SHOWN } from '#features/assistants/rules.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { callHere } from './call-here.ts'
import { factsOf } from './facts.ts'
import * as queries from './queries.ts'

/** Answers `GET /api/assistants/proposals/`. */
export const list = handler(contract.listProposals, async ({ app, actor: { user_id } }) => ({
  status: 200,
  body: { is_on: app.config.assistants, items: await proposalReplies(app, user_id) },
}))

/** Answers `POST /api/assistants/proposals/{proposalId}/decision/`. */
export const decide = handler(contract.decideProposal, async (call) => {
  const { app, actor, caller, request, params, body } = call
  const owner_id = actor.user_id
  const id = params.proposalId
  const status = body.decision === 'confirm' ? 'confirmed' : 'refused'
  // The proposal is taken first, by one of many who press at once: its call is made once at most.
  const taken = await transaction(app, { userId: owner_id }, async (tx) => {
    const row = await queries.decide(tx, { id, owner_id, status })
    if (row) await note(tx, row, originOf(caller))
    return row
  })
  if (!taken) {
    if (!(await queries.proposalById(app.db, { id, owner_id }))) throw notFound()
    throw new HttpError(409, [{ code: 'already_decided' }])
  }
  if (status === 'confirmed') await make(app, taken, request)
  const done = must(await queries.proposalById(app.db, { id, owner_id }))
  return { status: 200, body: must((await replies(app, [done]))[0]) } as const
})

async function note(
  tx: Tx,
  { id, owner_id, status, tool }: queries.ProposalRow,
  origin: Origin,
): Promise<void> {
  const act = status === 'confirmed' ? 'assistant.confirmed' : 'assistant.refused'
  await recordAction(tx, { user_id: owner_id, act, ...origin, detail: { proposal_id: id, tool } })
  // Pages hear of a confirmation once its call is done, so that none shows the moment between.
  if (status === 'refused') await publish(tx, owner_id, { type: contract.PROPOSALS_CHANGED })
}

/**
 * Makes the call of a proposal as the owner who confirms it, by the handler path of every call. A call that was lost after it was done
 * changes nothing when it is made again, because its key, or its `client_id`, is the id of the proposal.
 */
async function make(app: App, row: queries.ProposalRow, request: FastifyRequest): Promise<void> {
  const tool = app.tools.find(({ id }) => id === row.tool)
  const answer =
    tool &&
    (await callHere(request, {
      method: tool.method,
      url: row.path,
      body: fieldNames(tool.body).includes('client_id')
        ? { client_id: row.id, ...Object(row.input) }
        : row.input,
      headers: { 'idempotency-key': row.id },
    }))
  const isLost = answer && (answer.status >= 500 || answer.status === 429)
  await transaction(app, { userId: row.owner_id }, async (tx) => {
    if (isLost) await queries.release(tx, row.id)
    else if (answer && answer.status < 400) await queries.finish(tx, row.id)
    else await queries.fail(tx, row.id, answer?.code ?? 'not_found')
    await publish(tx, row.owner_id, { type: contract.PROPOSALS_CHANGED })
  })
}

/** The proposals of an account, for its page and for the export of its data. */
export const proposalReplies = async (app: App, user_id: string): Promise<contract.Proposal[]> =>
  replies(app, await queries.proposalsOf(app.db, user_id, MOST_SHOWN))

async function replies(app: App, rows: readonly queries.ProposalRow[]): Promise<contract.Proposal[]> {
  const names = await displayNames(
    app,
    app.db,
    rows.map(({ token_id }) => token_id),
  )
  return rows.map((row) => ({
    id: row.id,
    tool: row.tool,
    token: names.of(row.token_id).name,
    facts: factsOf(app.tools.find(({ id }) => id === row.tool)?.path ?? '', row.path, row.input),
    proposed_at: row.proposed_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    status: statusOf(row),
    decided_at: row.decided_at?.toISOString() ?? null,
    failure: row.failure,
  }))
}

function statusOf({ status, expires_at, done_at }: queries.ProposalRow): contract.Proposal['status'] {
  if (status === 'proposed' && expires_at.getTime() <= Date.now()) return 'expired'
  return status === 'confirmed' && done_at === null ? 'undone' : status
}
