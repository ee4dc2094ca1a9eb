import { mayActAs, spendMoney } from '#foundation/capability.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { assertRecent } from '#foundation/server/http/assert-recent.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { changedTo } from '#foundation/versions.ts'
import { ownHosts } from '#features/hosts/server/hosts.ts'
import { assertForeign, provenAddresses } from '#features/profile/server/profile.ts'
import * as contract from '#features/sharing/contract.ts'
import { limits, ofEachLimit, type LimitName } from '#features/sharing/limits.ts'
import { MOST_GIVEN } from '#features/sharing/rules.ts'
import { noteNarrowed } from './former-queries.ts'
import { mailInvitation } from './mails.ts'
import * as queries from './queries.ts'
import { grantReplies, grantReply } from './replies.ts'
import { publishToBoth } from './publish-changes.ts'

/** Answers `GET /api/sharing/grants/`. */
export const list = handler(contract.listGrants, async ({ app, actor: { user_id }, query: { side } }) => {
  const rows =
    side === 'given'
      ? await queries.grantsOf(app.db, user_id)
      : await queries.grantsTo(app.db, user_id, await provenAddresses(app.db, user_id))
  return { status: 200, body: { items: await grantReplies(app, app.db, rows, side) } }
})

/** Answers `POST /api/sharing/grants/`. The reply is the same for an address with an account and for one without. */
export const create = handler(contract.createGrant, async ({ app, actor, body, caller }) => {
  const { user_id: owner_id } = actor
  return transaction(app, { userId: owner_id }, async (tx) => {
    const { email, host_ids } = body
    const terms = termsOf(body)
    assertProven(app, actor, terms)
    await assertForeign(tx, owner_id, email)
    const hosts = await scopeOf(tx, owner_id, terms, host_ids)
    // The lock makes counting and adding one step: without it several calls at once could exceed the limit.
    await lockByName(tx, `grants of ${owner_id}`)
    if ((await queries.countGiven(tx, owner_id)) >= MOST_GIVEN)
      throw new HttpError(409, [{ code: 'too_many_grants' }])
    const given = await queries.grantsOf(tx, owner_id)
    const id = given.some((grant) => grant.email === email)
      ? undefined
      : await queries.insertGrant(tx, { owner_id, email, ...terms })
    if (id === undefined) throw new HttpError(409, [{ code: 'already_shared', param: 'email' }])
    await queries.addHosts(tx, { id, owner_id }, hosts)
    const grant = must(await queries.lockGrant(tx, id))
    await recordAction(tx, {
      user_id: owner_id,
      act: 'grant.invited',
      ...originOf(caller),
      detail: detailOf(grant),
    })
    await mailInvitation(app, tx, grant, actor.locale)
    await publishToBoth(tx, grant)
    return { status: 201, body: await grantReply(app, tx, grant, 'given') } as const
  })
})

/** Returns the details of a grant for the audit. They hold no address: the audit names the helper only once the invitation is accepted. */
export const detailOf = ({ id, role, all_hosts, host_ids, may_pass_on, ...grant }: queries.GrantRow) => ({
  grant_id: id,
  role,
  ...(may_pass_on && { may_pass_on }),
  ...Object.fromEntries(
    limits.flatMap(({ name }) => (grant[name] === null ? [] : [[name, grant[name].toString()]])),
  ),
  ...(all_hosts ? { all_hosts } : { host_ids }),
})

/** Throws 403 without a recent proof of identity if the helper may see or spend the balance, or pass the grant on. */
function assertProven(app: App, actor: Actor, { role, may_pass_on }: queries.Terms): void {
  if (role !== 'technical' || may_pass_on) assertRecent(app, actor)
}

type Wish = Omit<Call<typeof contract.updateGrant>['body'], 'version'>

const noTerms: queries.Terms = {
  role: 'technical',
  all_hosts: false,
  needs_second_factor: false,
  may_pass_on: false,
  ...ofEachLimit('name', () => null),
}

/** Returns the terms that are wished; where none is, that of `before`. There is nothing to limit where the role pays nothing. */
export function termsOf(wish: Wish, before = noTerms): queries.Terms {
  const { role = before.role, all_hosts = before.all_hosts } = wish
  const { needs_second_factor = before.needs_second_factor, may_pass_on = before.may_pass_on } = wish
  const most = ({ name }: { name: LimitName }): bigint | null => {
    const { [name]: wished = before[name] } = wish
    return !mayActAs(role, spendMoney) || wished === null ? null : BigInt(wished)
  }
  const limited = ofEachLimit('name', most)
  return { role, all_hosts, needs_second_factor, may_pass_on, ...limited }
}

/** Returns the internal ids of the servers that a grant names; empty for a grant of all servers. */
export async function scopeOf(
  tx: Tx,
  owner_id: string,
  { role, all_hosts }: queries.Terms,
  host_ids: readonly string[] = [],
): Promise<bigint[]> {
  if (role !== 'technical' && !all_hosts) throw badRequest('all_hosts_required', 'all_hosts')
  if (all_hosts) return []
  const wanted = [...new Set(host_ids)]
  if (wanted.length === 0) throw badRequest('host_required', 'host_ids')
  const hosts = await ownHosts(tx, owner_id, wanted)
  if (hosts.length < wanted.length) throw badRequest('unknown_host', 'host_ids')
  return hosts.map(({ id }) => id)
}

/** Answers `PATCH /api/sharing/grants/{grantId}/`. */
export const update = handler(contract.updateGrant, async ({ app, actor, params, body, caller }) => {
  const { user_id: owner_id } = actor
  return transaction(app, { userId: owner_id }, async (tx) => {
    const grant = await queries.lockGrant(tx, params.grantId)
    if (!grant || grant.owner_id !== owner_id || !grant.is_open) throw notFound()
    if (grant.version !== body.version) return changedTo(await grantReply(app, tx, grant, 'given'))
    const terms = termsOf(body, grant)
    assertProven(app, actor, terms)
    const hosts = await scopeOf(tx, owner_id, terms, body.host_ids ?? grant.host_ids)
    if (grant.state === 'active') await noteNarrowed(tx, grant)
    await queries.setTerms(tx, grant, terms, hosts)
    const changed = must(await queries.lockGrant(tx, grant.id))
    const detail = { ...detailOf(changed), grantee_id: changed.grantee_id }
    await recordAction(tx, { user_id: owner_id, act: 'grant.changed', ...originOf(caller), detail })
    // The event also goes to the people who lose access by this change.
    await publishToBoth(tx, { ...changed, may_pass_on: grant.may_pass_on || changed.may_pass_on })
    return { status: 200, body: await grantReply(app, tx, changed, 'given') } as const
  })
})
