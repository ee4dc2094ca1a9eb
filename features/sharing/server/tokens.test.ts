import { describe, expect, it } from 'vitest'
import { listFormerHelpers, listGrants } from '#features/sharing/contract.ts'
import * as tokens from '#features/sharing/token-contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setAccess } from '#foundation/server/session/session.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { endGrant, endProgram, programOf } from '#tests/harness/grants.ts'
import { addHost, asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { leave } from '#tests/harness/leaving.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { transferred } from '#tests/harness/transfers.ts'
import { question } from '#tests/harness/tickets.ts'
import { newSecret } from './secret-form.ts'
import { findProgram } from './sharing.ts'
import { endToken, endTokensInTime } from './token-ends.ts'
import { noteUse } from './token-queries.ts'

const test = await startTestApp()
const { app, mails } = test

describe('O-11 tokens', () => {
  const made = async (body: object = {}) => {
    const owner = await signedInCustomer(test)
    const wish = { name: 'Deploy script', role: 'technical', all_hosts: true, ends: '30', ...body }
    const answer = await owner.api.post<tokens.AccountToken & { secret: string }>('/api/tokens/', wish)
    return { owner, ...answer }
  }
  const callBy = (secret: string, path = '/api/hosts/') =>
    test.client().get(path, { access_token: secret, session_token: null })

  it('show their secret once, act for the account without naming it, and say when they were used', async () => {
    const { owner, body } = await made()
    const { secret, ...token } = body
    expect(secret).toMatch(/^hdp_[0-9A-Za-z]{46}$/)
    expect(token).toMatchObject({ hint: `hdp_…${secret.slice(-4)}`, last_used_at: null, while_used: false })
    const host = await addHost(owner.api, { name: 'theirs' })
    expect((await callBy(secret)).body).toMatchObject({ items: [{ id: host.id, name: 'theirs' }] })
    const [seen] = bodyOf(await owner.api.call(tokens.listTokens, {}), 200).items
    expect(seen).toMatchObject({ ...token, last_used_at: expect.any(String), last_used_ip: '127.0.0.1' })
    await callBy(secret)
    expect(bodyOf(await owner.api.call(tokens.listTokens, {}), 200).items).toEqual([seen])
    // A call beside it that saw the same state writes nothing more.
    await transaction(app, 'system', (tx) => noteUse(tx, token.id, '203.0.113.9'))
    expect((await callBy(secret, '/api/tokens/self/')).body).toEqual(seen)
    const params = { tokenId: token.id }
    expect(bodyOf(await owner.api.call(tokens.getToken, { params }), 200)).toEqual(seen)
    const other = await signedInCustomer(test)
    expect((await other.api.call(tokens.getToken, { params })).status).toBe(404)
    const stored = JSON.stringify(
      await asOwner(test, 'select * from account_tokens where id = $1', [token.id]),
    )
    expect(stored).not.toContain(secret.slice(4, 20))
    const given = { query: { side: 'given' as const } }
    expect(bodyOf(await owner.api.call(listGrants, given), 200).items).toEqual([])
    expect((await endGrant(owner, token.id)).status).toBe(404)
  })
  it('are named among those who have seen a key and have no access now, however they ended', async () => {
    const owner = await signedInCustomer(test)
    const host = await addHost(owner.api, {})
    const made = [await programOf(test, owner, {}), await programOf(test, owner, {})]
    const former = async () =>
      bodyOf(await owner.api.call(listFormerHelpers, { params: { hostId: host.id } }), 200).items
    expect(await former()).toEqual([])
    const [ended, late] = made.map(({ grantId }) => grantId)
    bodyOf(await endProgram(owner, ended ?? ''), 204)
    await endToken(app, late ?? '', { why: 'expired' })
    const names = (await former()).map(({ account }) => account)
    expect(names.map(({ id }) => id)).toEqual([late, ended])
    expect(names.every(({ name }) => name !== '')).toBe(true)
  })
  it('end with the last server that they open, when it goes to another account, and stay where they open another', async () => {
    const [owner, receiver] = [await signedInCustomer(test), await signedInCustomer(test)]
    const [given, kept] = [await addHost(owner.api, {}), await addHost(owner.api, {})]
    const one = await programOf(test, owner, { host_ids: [given.id] })
    const both = await programOf(test, owner, { host_ids: [given.id, kept.id] })
    await transferred(owner, receiver, given.id)
    expect((await mails.about(owner.email, /^Token “/)).text).toContain('has gone to another account')
    const ended = `select t.ended_why, a.detail->>'why' as why, a.detail->>'by' as by from account_tokens t
      join audit a on a.act = 'token.ended' and a.detail->>'grant_id' = t.id::text where t.id = any ($1)`
    expect(await asOwner(test, ended, [[one.grantId, both.grantId]])).toEqual([
      { ended_why: 'transfer', why: 'transfer', by: owner.user_id },
    ])
    const { items } = bodyOf(await owner.api.call(tokens.listTokens, {}), 200)
    expect(items.map(({ id, host_ids }) => [id, host_ids])).toEqual([[both.grantId, [kept.id]]])
    expect((await one.api.get('/api/hosts/')).status).toBe(401)
  })
  it('count in the header of a session as nothing, where generated clients put them beside their own', async () => {
    const { secret } = (await made()).body
    const given = (access_token: string | null) =>
      test.client().get('/api/hosts/', { access_token, session_token: secret })
    expect((await given(secret)).status).toBe(200)
    expect((await given(null)).body).toEqual((await callBy('x')).body)
  })
  it('are made with a recent proof, of a role that pays for a time alone, and 50 at most', async () => {
    const stale = await signedInCustomer(test, { proven_s_ago: 4000 })
    const body = { name: 'x', role: 'read', all_hosts: true, ends: '30' } as const
    expect((await stale.api.call(tokens.createToken, { body })).body).toMatchObject(
      refusal(403, 'reauthentication_required'),
    )
    for (const role of ['billing', 'full'])
      expect((await made({ role, ends: 'unused' })).body).toMatchObject(refusal(400, 'end_required', 'ends'))
    expect((await made({ role: 'read', all_hosts: false })).body).toMatchObject(
      refusal(400, 'all_hosts_required', 'all_hosts'),
    )
    const { owner, body: token } = await made({ role: 'read', ends: 'unused' })
    expect(Date.parse(token.ends_at) - Date.now()).toBeGreaterThan(89 * 86_400_000)
    await asOwner(
      test,
      `with made as (insert into account_grants (owner_id, email, grantee_kind, state, accepted_at, role, all_hosts)
         select $1, '', 'token', 'active', now(), 'read', true from generate_series(1, 49) returning id)
       insert into account_tokens (id, owner_id, name, token_hash, hint)
       select id, $1, 'x', sha256(id::text::bytea), 'x' from made`,
      [owner.user_id],
    )
    expect((await owner.api.call(tokens.createToken, { body })).body).toMatchObject(
      refusal(409, 'too_many_tokens'),
    )
  })
  it('open nothing of oneself, no page and no account call', async () => {
    const { body } = await made({ role: 'full' })
    const ask = async (path: string, headers = {}) =>
      (await fetch(test.url + path, { headers: { authorization: `Bearer ${body.secret}`, ...headers } }))
        .status
    expect((await callBy(body.secret, '/api/tokens/')).body).toMatchObject(refusal(403, 'session_required'))
    expect(await ask('/api/allauth/app/v1/auth/session')).toBe(401)
    expect(await ask('/api/staff/me/')).toBe(403)
    expect(await ask('/api/hosts/', { 'x-session-token': 'made-up' })).toBe(401)
  })
  it('that are unknown, mistyped, ended or past their end get the same bytes, and a mistyped one costs no query', async () => {
    const { owner, body } = await made()
    const answers = new Set<string>()
    const ask = async (secret: string) => {
      const response = await fetch(`${test.url}/api/hosts/`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      const head = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
      answers.add(JSON.stringify([response.status, head, await response.text()]))
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    }
    await ask(newSecret())
    await ask(newSecret().replace(/.$/, '-'))
    await asOwner(test, 'update account_tokens set expires_at = now() where id = $1', [body.id])
    await ask(body.secret)
    await asOwner(test, `update account_tokens set expires_at = now() + interval '1 day' where id = $1`, [
      body.id,
    ])
    expect((await callBy(body.secret)).status).toBe(200)
    expect((await endProgram(owner, body.id)).status).toBe(204)
    await ask(body.secret)
    expect(answers.size).toBe(1)
    const closed = new Proxy(app, {
      get: (target, name) => {
        if (name === 'db') throw new Error('It asked the database.')
        return Reflect.get(target, name) as unknown
      },
    })
    const typo = body.secret.slice(0, -1) + (body.secret.endsWith('0') ? '1' : '0')
    expect(await findProgram(closed, typo, '127.0.0.1')).toBeUndefined()
    await expect(findProgram(closed, body.secret, '127.0.0.1')).rejects.toThrow('It asked')
  })
  it('end by whoever holds them, by whoever finds them, and by staff with a reason, and their owner is mailed', async () => {
    const [given, leaked, stopped] = [await made(), await made(), await made()]
    const own = test.client()
    own.access_token = given.body.secret
    expect((await own.call(tokens.endOwnToken, {})).status).toBe(204)
    expect((await mails.next(given.owner.email)).text).toContain('gave it back')
    for (const secret of [leaked.body.secret, leaked.body.secret, newSecret(), 'x'])
      expect((await test.client().call(tokens.reportLeak, { body: { secret } })).status).toBe(204)
    expect((await mails.next(leaked.owner.email)).subject).toContain('Deploy script')
    const staff = await signedInStaff(test, { roles: ['admin'] })
    const { user_id: userId } = stopped.owner
    const params = { userId, tokenId: stopped.body.id }
    expect(bodyOf(await staff.api.call(tokens.listTokensOf, { params: { userId } }), 200).items).toHaveLength(
      1,
    )
    expect((await staff.api.call(tokens.endTokenOf, { params, query: { reason: 'Floods us' } })).status).toBe(
      204,
    )
    await mails.next(stopped.owner.email)
    for (const { body } of [given, leaked, stopped]) expect((await callBy(body.secret)).status).toBe(401)
    const rows = await asOwner(
      test,
      `select detail->>'why' as why, detail->>'reason' as reason, actor_kind from audit where act = 'token.ended'
       and user_id = any ($1) order by id`,
      [[given, leaked, stopped].map(({ owner }) => owner.user_id)],
    )
    expect(rows).toEqual([
      { why: 'self', reason: null, actor_kind: 'customer' },
      { why: 'leak', reason: null, actor_kind: 'system' },
      { why: 'staff', reason: 'Floods us', actor_kind: 'staff' },
    ])
  })
  it('have the limits of calls each for itself, and each answer says what is left', async () => {
    const { owner, body } = await made()
    const other = await programOf(test, owner)
    const open = ({ access_token }: { access_token: string | undefined }, text: string) =>
      test
        .client()
        .post(
          '/api/tickets/',
          { ...question, message: text },
          { access_token: access_token ?? '', session_token: null },
        )
    const answers = []
    for (let nth = 0; nth < 11; nth += 1)
      answers.push(await open({ access_token: body.secret }, `No. ${nth}`))
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 201), 429])
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"ticket";q=10;w=60')
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.split(';')[1])).toEqual(
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0].map((left) => `r=${left}`),
    )
    expect((await open(other.api, 'One more')).status).toBe(201)
  })
  it('warn their owner 14 and 3 days before the end, each once, and end', async () => {
    const { owner, body } = await made()
    const endsIn = async (interval: string) => {
      await asOwner(
        test,
        `update account_tokens set expires_at = now() + $2::interval, created_at = now() - interval '30 days' where id = $1`,
        [body.id, interval],
      )
      await endTokensInTime(app)
      await endTokensInTime(app)
    }
    for (const interval of ['20 days', '13 days', '2 days']) await endsIn(interval)
    for (const _warning of [14, 3]) expect((await mails.next(owner.email)).text).toContain('ends on')
    await endsIn('-1 second')
    expect((await mails.next(owner.email)).text).toContain('has reached its end')
    const of = await asOwner(test, 'select count(*)::int as count from mails where user_id = $1', [
      owner.user_id,
    ])
    expect(of).toEqual([{ count: 3 }])
  })
  it('hold nothing once their owner is locked or gone', async () => {
    const { owner, body } = await made()
    await transaction(app, 'system', (tx) => setAccess(tx, owner.user_id, { access: 'locked', message: '' }))
    expect((await callBy(body.secret)).status).toBe(401)
    await transaction(app, 'system', (tx) => setAccess(tx, owner.user_id, { access: 'open', message: '' }))
    expect((await callBy(body.secret)).status).toBe(200)
    await leave(owner)
    expect((await callBy(body.secret)).status).toBe(401)
  })
})
