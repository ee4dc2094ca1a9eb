import { mayActAs, spendMoney } from '#foundation/capability.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { hashToken } from '#foundation/server/keys.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { secretFound, SHARING_CHANGED } from '#features/sharing/contract.ts'
import { MOST_TOKENS } from '#features/sharing/rules.ts'
import * as contract from '#features/sharing/token-contract.ts'
import { detailOf, scopeOf, termsOf } from './given.ts'
import { addHosts } from './queries.ts'
import { tokenReply } from './replies.ts'
import { hintOf, isSecret, newSecret } from './secret-form.ts'
import { endToken } from './token-ends.ts'
import * as queries from './token-queries.ts'

/** Finds the program of a token, afresh for each request. A mistyped secret costs no query. */
export const findProgram: NonNullable<App['findProgram']> = async (app, secret, ip) => {
  if (!isSecret(secret)) return undefined
  const found = await queries.tokenOf(app.db, hashToken(secret))
  if (!found) return undefined
  const { is_stale, ...program } = found
  const { id } = program
  if (is_stale) await transaction(app, 'system', (tx) => queries.noteUse(tx, id, ip))
  return { ...program, listen: () => transaction(app, 'system', (tx) => queries.noteListening(tx, id)) }
}

/** Answers `GET /api/tokens/`. */
export const list = handler(contract.listTokens, async ({ app, actor: { user_id } }) => {
  const rows = await queries.tokensOf(app.db, user_id)
  return { status: 200, body: { items: rows.map((row) => tokenReply(app, row)) } }
})

/** Answers `POST /api/tokens/`. */
export const create = handler(contract.createToken, async ({ app, actor, body, caller }) => {
  const { user_id: owner_id } = actor
  const { name, host_ids, ends, ...wish } = body
  const secret = newSecret()
  return transaction(app, { userId: owner_id }, async (tx) => {
    const terms = termsOf(wish)
    // A forgotten token that pays must not live on.
    if (ends === 'unused' && mayActAs(terms.role, spendMoney)) throw badRequest('end_required', 'ends')
    const hosts = await scopeOf(tx, owner_id, terms, host_ids)
    // The lock makes counting and adding one step, as of helpers.
    await lockByName(tx, `tokens of ${owner_id}`)
    if ((await queries.tokensOf(tx, owner_id)).length >= MOST_TOKENS)
      throw new HttpError(409, [{ code: 'too_many_tokens' }])
    const days = ends === 'unused' ? null : Number.parseInt(ends, 10)
    const made = { owner_id, terms, name, days, token_hash: hashToken(secret), hint: hintOf(secret) }
    const id = await queries.insertToken(tx, made)
    await addHosts(tx, { id, owner_id }, hosts)
    const token = must(await queries.lockToken(tx, id))
    const detail = { ...detailOf(token), name }
    await recordAction(tx, { user_id: owner_id, act: 'token.made', ...originOf(caller), detail })
    await publish(tx, owner_id, { type: SHARING_CHANGED })
    return { status: 201, body: { ...tokenReply(app, token), secret } } as const
  })
})

/** Answers `GET /api/tokens/{tokenId}/`. */
export const get = handler(contract.getToken, async ({ app, actor: { user_id }, params }) => {
  const token = await queries.findToken(app.db, params.tokenId)
  if (token?.owner_id !== user_id) throw notFound()
  return { status: 200, body: tokenReply(app, token) }
})

/** Answers `PATCH /api/tokens/{tokenId}/`. */
export const rename = handler(contract.renameToken, async ({ app, actor: { user_id }, params, body }) =>
  transaction(app, { userId: user_id }, async (tx) => {
    const token = await queries.lockToken(tx, params.tokenId)
    if (token?.owner_id !== user_id) throw notFound()
    await queries.renameToken(tx, token.id, body.name)
    await publish(tx, user_id, { type: SHARING_CHANGED })
    return { status: 200, body: tokenReply(app, { ...token, name: body.name }) } as const
  }),
)

/** Answers `DELETE /api/tokens/{tokenId}/`. */
export const end = handler(contract.endToken, async ({ app, actor: { user_id }, params, caller }) => {
  const ended = await endToken(app, params.tokenId, {
    why: 'owner',
    owner_id: user_id,
    origin: originOf(caller),
  })
  if (!ended) throw notFound()
  return { status: 204 } as const
})

/** Answers `GET /api/tokens/self/`. */
export const getOwn = handler(contract.getOwnToken, async ({ app, program: { id } }) => {
  const token = await queries.findToken(app.db, id)
  if (!token) throw new HttpError(401, [{ code: 'not_authenticated' }])
  return { status: 200, body: tokenReply(app, token) }
})

/** Answers `DELETE /api/tokens/self/`. */
export const endOwn = handler(contract.endOwnToken, async ({ app, program: { id, account_id }, caller }) => {
  await endToken(app, id, { why: 'self', owner_id: account_id, origin: originOf(caller), by: id })
  return { status: 204 } as const
})

/** Answers `POST /api/tokens/leaks/`, always alike: it tells nobody which secrets are real. */
export const reportLeak = handler(contract.reportLeak, async ({ app, body: { secret }, caller }) => {
  if (isSecret(secret)) await endFound(app, hashToken(secret), originOf(caller))
  return { status: 204 } as const
})

/** Ends the token with this hash. The features below hear of a secret that is none of an account. */
async function endFound(app: App, hash: Buffer, origin: Origin): Promise<void> {
  const found = await queries.tokenOf(app.db, hash)
  if (found) await endToken(app, found.id, { why: 'leak', owner_id: found.account_id, origin })
  else
    await transaction(app, 'system', (tx) =>
      emit(app, tx, secretFound, { token_hash: hash.toString('hex'), ...origin }),
    )
}
