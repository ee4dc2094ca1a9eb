import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { routes } from '#app/server/features.ts'
import type { Route } from '#foundation/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { invite } from '#features/team/server/team.ts'
import { createHost } from '#features/hosts/server/hosts.ts'
import { SchemaPrinter } from '#app/server/openapi/schemas.ts'
import { AUTH } from '#foundation/session-contract.ts'
import { foreignBulks } from '#tests/harness/bulk.ts'
import { foreignAutoTopUp } from '#tests/harness/methods.ts'
import { foreignCheckouts } from '#tests/harness/payments.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { addMoney } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { inputFor } from './arbitrary-input.ts'
import { chargedRun } from './charged-run.ts'
import { givePasskey } from './given-passkey.ts'
import { password, session, signedIn } from './people.ts'
import type { Person } from './people.ts'
import { offeredHost, hostCalls } from './offered-host.ts'
import { staffTexts, textCalls } from './staff-texts.ts'
import { answerCalls, foreignActs } from './answer-calls.ts'

const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
const EACH = 12

const { app, url } = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000000' } })
const owner = await signedIn(app)
const passkey_id = await givePasskey(app, owner)
const { public_id: host_id } = await transaction(app, 'system', (tx) =>
  createHost(tx, { user_id: owner.user_id, name: 'theirs', ipv4: '10.0.0.1' }),
)
const { public_id: invoice_id } = await issuedInvoice(app, owner.user_id)
const attachment_id = await uploadedPicture(owner)
const opened = await send(
  owner,
  { method: 'POST', path: '/api/tickets/' },
  { subject: 'theirs', message: 'theirs alone', topic: 'technical', attachment_ids: [attachment_id] },
)
const chat_id = (opened.body as { id: string }).id
const money = { amount: '100', reason: 'mine now' }

const wanted = { for: 'top_up', amount: '2500', provider: 'bank' }
const topUp = await send(owner, { method: 'POST', path: '/api/finances/checkouts/' }, wanted)
const card = { provider: 'test', kind: 'card' }
const method = await send(owner, { method: 'POST', path: '/api/finances/methods/saving/' }, card)
const run_id = await chargedRun(app, owner.user_id, (method.body as { id: string }).id)
const { invitation } = await transaction(app, 'system', (tx) =>
  invite(app, tx, { email: 'invited@example.org', roles: ['support'], by: null, locale: 'en' }),
)
const granted = await send(
  owner,
  { method: 'POST', path: '/api/sharing/grants/' },
  { email: 'helper@example.org', role: 'technical', all_hosts: true },
)
const token = await send(
  owner,
  { method: 'POST', path: '/api/tokens/' },
  { name: 'theirs', role: 'read', all_hosts: true, ends: '30' },
)
const endpoint = await send(
  owner,
  { method: 'POST', path: '/api/webhooks/' },
  { url: 'https://hooks.example.org/' },
)
const proposal = { email: 'payer@example.org', side: 'owner', all_hosts: true, pays: 'renewals' }
const proposed = await send(owner, { method: 'POST', path: '/api/payment-agreements/' }, proposal)
const { transaction_id } = await addMoney(app, owner.user_id, 10_00n)
const { id: mail_id } = await app.db
  .selectFrom('mails')
  .select('id')
  .where('user_id', '=', owner.user_id)
  .limit(1)
  .executeTakeFirstOrThrow()
const noOne = '00000000-0000-4000-8000-000000000000'
const said = { client_id: randomUUID(), text: 'mine now' }

/** The ids in paths: for each parameter, the id of something that belongs to somebody else, and an id that does not exist. */
const things: Record<string, { theirs: string; nobodys: string }> = {
  publicId: { theirs: invoice_id, nobodys: 'A'.repeat(22) },
  hostId: { theirs: host_id, nobodys: 'A'.repeat(22) },
  chatId: { theirs: chat_id, nobodys: 'A'.repeat(22) },
  userId: { theirs: owner.user_id, nobodys: noOne },
  attachmentId: { theirs: attachment_id, nobodys: 'A'.repeat(22) },
  'top-ups/id': { theirs: (topUp.body as { id: string }).id, nobodys: 'A'.repeat(22) },
  'checkouts/id': { theirs: (topUp.body as { id: string }).id, nobodys: 'A'.repeat(22) },
  methodId: { theirs: (method.body as { id: string }).id, nobodys: 'A'.repeat(22) },
  runId: { theirs: run_id, nobodys: 'A'.repeat(22) },
  'transactions/id': { theirs: transaction_id, nobodys: noOne },
  ...(await staffTexts(app, owner.user_id)),
  invitationId: { theirs: invitation.id, nobodys: noOne },
  agreementId: { theirs: (proposed.body as { id: string }).id, nobodys: noOne },
  transferId: { theirs: await offeredHost(app, owner.user_id, host_id), nobodys: noOne },
  mailId: { theirs: mail_id, nobodys: noOne },
  tokenId: { theirs: (token.body as { id: string }).id, nobodys: noOne },
  endpointId: { theirs: (endpoint.body as { id: string }).id, nobodys: noOne },
  seq: { theirs: '1', nobodys: '1' },
  grantId: { theirs: (granted.body as { id: string }).id, nobodys: noOne },
}
/** Fills in the ids of a path. The collection before a parameter that is only called `id` says what it is the id of. */
const pathTo = (whose: 'theirs' | 'nobodys', path: string): string =>
  path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, of: string, name: string) => {
    const thing = things[name] ?? things[`${of}/${name}`]
    return `${of}/${thing?.[whose] ?? '1'}`
  })
/** People sign in for these calls; agents and programs name nothing, since their tokens alone say what they are about. */
const ofPeople = routes
  .map((served) => served.contract)
  .filter(({ access: { who } }) => who !== 'anyone' && who !== 'agent' && who !== 'program')

/** The calls that name things in their paths alone. */
const withoutBody: { method: string; path: string; body?: object }[] = ofPeople
  .filter(({ params, body }) => params && !body)
  .map(({ method, path }) => ({ method, path }))

/** Every call whose input contains the id of something, with ids of somebody else's things and with ids that do not exist. */
const price = { expected_total: { amount: '2368', currency: 'EUR' } }
const foreign: { method: string; path: string; theirs: object; nobodys: object }[] = [
  {
    method: 'DELETE',
    path: `${AUTH}/auth/sessions`,
    theirs: { sessions: [Number(owner.session_id)] },
    nobodys: { sessions: [2_000_000_001] },
  },
  {
    method: 'PUT',
    path: `${AUTH}/account/email`,
    theirs: { email: owner.email },
    nobodys: { email: 'nobody@example.org' },
  },
  {
    method: 'PATCH',
    path: `${AUTH}/account/email`,
    theirs: { email: owner.email, primary: true },
    nobodys: { email: 'nobody@example.org', primary: true },
  },
  {
    method: 'DELETE',
    path: `${AUTH}/account/email`,
    theirs: { email: owner.email },
    nobodys: { email: 'nobody@example.org' },
  },
  foreignAutoTopUp((method.body as { id: string }).id),
  {
    method: 'PUT',
    path: `${AUTH}/account/authenticators/webauthn`,
    theirs: { id: passkey_id, name: 'mine now' },
    nobodys: { id: 2_000_000_001, name: 'mine now' },
  },
  {
    method: 'DELETE',
    path: `${AUTH}/account/authenticators/webauthn`,
    theirs: { authenticators: [passkey_id] },
    nobodys: { authenticators: [2_000_000_001] },
  },
  {
    method: 'POST',
    path: '/api/tickets/',
    theirs: { subject: 'x', message: 'x', topic: 'review', host_id, previous_id: chat_id },
    nobodys: {
      subject: 'x',
      message: 'x',
      topic: 'review',
      host_id: 'A'.repeat(22),
      previous_id: 'A'.repeat(22),
    },
  },
  {
    method: 'POST',
    path: '/api/tokens/',
    theirs: { name: 'mine', role: 'technical', all_hosts: false, host_ids: [host_id], ends: '30' },
    nobodys: { name: 'mine', role: 'technical', all_hosts: false, host_ids: ['A'.repeat(22)], ends: '30' },
  },
  {
    method: 'POST',
    path: '/api/webhooks/',
    theirs: { url: 'https://hooks.example.org/', host_ids: [host_id] },
    nobodys: { url: 'https://hooks.example.org/', host_ids: ['A'.repeat(22)] },
  },
  {
    method: 'POST',
    path: '/api/sharing/grants/',
    theirs: { email: 'x@example.org', role: 'technical', all_hosts: false, host_ids: [host_id] },
    nobodys: { email: 'x@example.org', role: 'technical', all_hosts: false, host_ids: ['A'.repeat(22)] },
  },
  ...foreignBulks(host_id),
  foreignActs(chat_id),
  ...foreignCheckouts(host_id),
  {
    method: 'POST',
    path: '/api/payment-agreements/',
    theirs: { ...proposal, all_hosts: false, host_ids: [host_id] },
    nobodys: { ...proposal, all_hosts: false, host_ids: ['A'.repeat(22)] },
  },
  ...[
    ...withoutBody,
    { method: 'PATCH', path: '/api/payment-agreements/{agreementId}/', body: { version: 1 } },
    { method: 'POST', path: '/api/payment-agreements/{agreementId}/acceptance/', body: { version: 1 } },
    ...hostCalls,
    { method: 'PATCH', path: '/api/tokens/{tokenId}/', body: { name: 'mine now' } },
    ...['/api/webhooks', '/api/staff/webhooks'].flatMap((path) => [
      { method: 'PATCH', path: `${path}/{endpointId}/`, body: { state: 'paused', version: 1 } },
      { method: 'POST', path: `${path}/{endpointId}/replay/`, body: { from: '2026-05-04T09:30:00Z' } },
    ]),
    { method: 'PATCH', path: '/api/sharing/grants/{grantId}/', body: { all_hosts: true, version: 1 } },
    { method: 'POST', path: '/api/tickets/{chatId}/messages/', body: said },
    { method: 'POST', path: '/api/tickets/{chatId}/read/', body: { seq: 1 } },
    { method: 'POST', path: '/api/tickets/{chatId}/secrets/', body: { ...said, secret: 'mine now' } },
    { method: 'POST', path: '/api/tickets/{chatId}/messages/{seq}/redaction/', body: {} },
    { method: 'POST', path: '/api/tickets/{chatId}/mails/{mailId}/consent/', body: { show: true } },
    { method: 'POST', path: '/api/staff/held-mails/{mailId}/decision/', body: { act: 'discard' } },
    { method: 'PATCH', path: '/api/staff/tickets/{chatId}/', body: { priority: 'low' } },
    ...answerCalls,
    ...[
      ...['credits/', 'write-offs/'].map((path) => ({ path, body: money })),
      { path: 'pay-outs/', body: { ...money, reference: 'RF 1' } },
      { path: 'payouts/', body: { ...money, iban: 'DE89370400440532013000', holder: 'mine now' } },
      ...'transactions/{id}/refund/ transactions/{id}/correction/ transactions/{id}/refund-to-source/'
        .concat(' top-ups/{id}/confirm/ top-ups/{id}/charge-back/ payouts/{id}/return/ payouts/{id}/sent/')
        .split(' ')
        .map((path) => ({ path, body: { reason: 'mine now' } })),
    ].map(({ path, body }) => ({ method: 'POST', path: `/api/staff/customers/{userId}/${path}`, body })),
    { method: 'POST', path: '/api/staff/tickets/{chatId}/presence/', body: { state: 'here' } },
    { method: 'POST', path: '/api/staff/customers/{userId}/notes/', body: { text: 'mine now' } },
    {
      method: 'PATCH',
      path: '/api/staff/customers/{userId}/notes/{noteId}/',
      body: { text: 'mine now', version: 1 },
    },
    ...[
      { method: 'PUT', path: 'block/', body: { level: 'none', cause: 'terms', reason: 'x', message: 'x' } },
      { method: 'POST', path: 'sign-out/', body: { reason: 'mine now' } },
      { method: 'PUT', path: 'storage/', body: { extra_mb: 1, from: 0, note: 'mine now' } },
      { method: 'POST', path: 'views/', body: { reason: 'mine now' } },
      { method: 'POST', path: 'auto-top-up/pause/', body: { reason: 'mine now' } },
      { method: 'POST', path: 'addresses/{addressId}/confirmation/', body: { reason: 'mine now' } },
      { method: 'POST', path: 'factor-reset/', body: { reason: 'mine now' } },
      { method: 'DELETE', path: 'factor-reset/' },
      { method: 'POST', path: 'address-move/', body: { email: 'x@example.org', identity: 'x', reason: 'x' } },
      { method: 'POST', path: 'export/', body: { reason: 'mine now' } },
      { method: 'PUT', path: 'vat-status/', body: { treatment: 'consumer', reason: 'mine now' } },
      { method: 'POST', path: 'erasure/', body: { email: 'x@example.org', reason: 'mine now' } },
      { method: 'POST', path: 'merge/', body: { email: 'x@example.org', identity: 'x', reason: 'x' } },
      { method: 'DELETE', path: 'merge/', body: { reason: 'mine now' } },
      {
        method: 'POST',
        path: 'tickets/',
        body: { subject: 'x', message: 'x', topic: 'other', client_id: randomUUID() },
      },
    ].map(({ path, ...call }) => ({ ...call, path: `/api/staff/customers/{userId}/${path}` })),
    { method: 'PUT', path: '/api/staff/members/{userId}/roles/', body: { roles: ['owner'], reason: 'x' } },
    ...[
      { method: 'POST', path: 'assignment/', body: { user_id: randomUUID(), reason: 'mine now' } },
      { method: 'POST', path: 'ignoring/', body: { reason: 'mine now' } },
      { method: 'POST', path: 'reversal/', body: { reason: 'mine now' } },
    ].map(({ path, ...call }) => ({ ...call, path: `/api/staff/bank-lines/{lineId}/${path}` })),
    { method: 'POST', path: '/api/staff/unbooked-events/{id}/settlement/', body: { note: 'mine now' } },
    { method: 'POST', path: '/api/staff/customers/{userId}/top-ups/{id}/rejection/', body: { reason: 'x' } },
    { method: 'PATCH', path: '/api/staff/extras/{slug}/', body: { is_active: false, version: 1 } },
    { method: 'PATCH', path: '/api/staff/plans/{slug}/', body: { is_active: false, version: 1 } },
    { method: 'POST', path: '/api/staff/plans/{slug}/move/', body: { to: 'mine-now' } },
    ...['products', 'editions'].flatMap((what) => [
      { method: 'POST', path: `/api/staff/${what}/`, body: { slug: 'mine-now', kind: 'program' } },
      { method: 'PATCH', path: `/api/staff/${what}/{slug}/`, body: { is_active: false, version: 1 } },
    ]),
    { method: 'POST', path: '/api/staff/system/setup/{name}/', body: { waived: true } },
    { method: 'PATCH', path: '/api/staff/company/', body: { name: 'Mine now' } },
    { method: 'PATCH', path: '/api/staff/company/bank/', body: { holder: 'Mine now' } },
    { method: 'PATCH', path: '/api/staff/company/words/', body: { closing_en: 'Mine now' } },
    { method: 'PATCH', path: '/api/staff/company/mails/{kind}/{locale}/', body: { words: {} } },
    { method: 'POST', path: '/api/staff/company/mails/{kind}/{locale}/preview/', body: { words: {} } },
    { method: 'PUT', path: '/api/staff/company/logo/', body: { png: null } },
    { method: 'POST', path: '/api/staff/company/{section}/restore/', body: { version: 1, to: 1 } },
    { method: 'PUT', path: '/api/staff/plan-order/', body: { slugs: [], from: [] } },
    { method: 'POST', path: '/api/staff/vouchers/', body: { amount: '1', uses: 1, note: 'mine now' } },
    { method: 'POST', path: '/api/staff/promo-codes/', body: { code: 'MINE', percent: 100, uses: 1 } },
    { method: 'POST', path: '/api/staff/promo-codes/{id}/end/' },
    { method: 'POST', path: '/api/staff/vouchers/{id}/void/', body: { reason: 'mine now' } },
    {
      method: 'POST',
      path: '/api/staff/invoices/{publicId}/reissue/',
      body: { buyer: 'profile', vat: 'keep', reason: 'mine now' },
    },
    { method: 'POST', path: '/api/staff/announcements/', body: { kind: 'news' } },
    ...[
      { method: 'PATCH', path: '', body: { mail: true, version: 1 } },
      { method: 'POST', path: 'publication/', body: { version: 1 } },
      { method: 'POST', path: 'resolution/', body: {} },
    ].map(({ path, ...call }) => ({ ...call, path: `/api/staff/announcements/{announcementId}/${path}` })),
    { method: 'POST', path: '/api/staff/approvals/{id}/decision/', body: { decision: 'approve' } },
    { method: 'POST', path: '/api/staff/invitations/', body: { email: 'a@example.org', roles: ['owner'] } },
    { method: 'POST', path: '/api/staff/robots/', body: { name: 'Mine', roles: ['admin'] } },
    { method: 'PUT', path: '/api/staff/robots/{robotId}/roles/', body: { roles: ['admin'], reason: 'x' } },
    { method: 'POST', path: '/api/staff/robots/{robotId}/tokens/', body: { name: 'Mine', ends: '30' } },
    {
      method: 'POST',
      path: '/api/assistants/proposals/{proposalId}/decision/',
      body: { decision: 'confirm' },
    },
    ...textCalls,
    { method: 'PATCH', path: '/api/hosts/{hostId}/', body: { name: 'mine now' } },
    { method: 'DELETE', path: '/api/hosts/{hostId}/', body: { name: 'theirs' } },
    { method: 'POST', path: '/api/hosts/{hostId}/licence/', body: { plan: 'standard', ...price } },
    { method: 'POST', path: '/api/hosts/{hostId}/licence/preview/', body: { plan: 'standard' } },
    {
      method: 'POST',
      path: '/api/hosts/{hostId}/licence/upgrade/',
      body: { plan: 'standard', expected_total: { amount: '1190', currency: 'EUR' } },
    },
    {
      method: 'PUT',
      path: '/api/hosts/{hostId}/licence/renewal/',
      body: { plan: 'standard', from: 'standard', ...price },
    },
    { method: 'PUT', path: '/api/hosts/{hostId}/licence/extras/', body: { extras: [], ...price } },
    { method: 'POST', path: '/api/hosts/{hostId}/licence/withdrawal/', body: { order_id: noOne } },
    { method: 'POST', path: '/api/hosts/{hostId}/licence/document', body: { fingerprint: 'a'.repeat(64) } },
  ].map(({ body = {}, ...call }) => ({ ...call, theirs: body, nobodys: body })),
]

describe("rule 4: somebody else's is answered as what does not exist", () => {
  it.each(foreign)('$method $path', async ({ method, path, theirs, nobodys }) => {
    const stranger = await signedIn(app)
    const before = await rowsOf(owner)
    const [one, other] = [
      await send(stranger, { method, path: pathTo('theirs', path) }, theirs),
      await send(stranger, { method, path: pathTo('nobodys', path) }, nobodys),
    ]
    expect(one).toEqual(other)
    expect(one.status).toBeGreaterThanOrEqual(400)
    expect(await rowsOf(owner)).toEqual(before)
  })

  it('the calls tested above include every call of a signed-in person that names an object', () => {
    // A parameter of a path names a thing, and so does a field whose name is that of an id or a plural.
    const naming = ofPeople
      .filter((contract) => contract.params || fieldsOf(contract).some((name) => /^id$|_id$|s$/.test(name)))
      .filter(({ method, path }) => !foreign.some((call) => call.method === method && call.path === path))
    expect(
      naming.map(({ method, path }) => `${method} ${path}`).filter((call) => !harmless.has(call)),
    ).toEqual([])
  })
})

/** Calls with a field of such a name that is no id: `address` is the caller's own text, `terms` a version, `keys` those of a browser, others are switches. */
const harmless = new Set([
  'PATCH /api/alerts/settings/',
  'POST /api/notifications/push/',
  'PATCH /api/users/update/',
  'PATCH /api/users/mails/',
  'POST /api/finances/top-ups/',
  'POST /api/hosts/order/',
])

it(`rules 1, 2: whatever a stranger sends to the calls of customers, no row of another changes (SEED=${SEED})`, async () => {
  const pools = {
    email: [owner.email],
    sessions: [[Number(owner.session_id)]],
    id: [passkey_id],
    authenticators: [[passkey_id]],
    user_id: [owner.user_id],
    current_password: [password],
    new_password: ['another-lantern-4711'],
    password: [password],
    primary: [true],
  }
  const before = await rowsOf(owner)
  // The query must find rows of the owner, or the test shows nothing.
  expect(before.length).toBeGreaterThanOrEqual(6)
  for (const contract of routes.map((served) => served.contract)) {
    // Calls of staff refuse a customer before they read what was sent (access.test.ts).
    if (['anyone', 'staff', 'member'].includes(contract.access.who) || contract.path.endsWith('/live/'))
      continue
    const call = { method: contract.method, path: pathTo('theirs', contract.path) }
    const bodies = contract.body
      ? fc.sample(inputFor(contract.body, pools), { numRuns: EACH, seed: SEED })
      : [undefined]
    for (const [place, body] of bodies.entries()) {
      // Every second request names the owner outright, as a form that was tampered with does.
      const names = { user_id: owner.user_id, owner_id: owner.user_id, id: passkey_id }
      const sent = body && (place % 2 === 0 ? body : { ...names, ...body })
      const { status } = await send(await signedIn(app, { is_staff: false }), call, sent)
      expect(status, contract.path).toBeLessThan(500)
    }
  }
  expect(await rowsOf(owner)).toEqual(before)
}, 120_000)

const fieldsOf = (contract: Route): string[] =>
  contract.body ? Object.keys(new SchemaPrinter(true).input(contract.body)['properties'] ?? {}) : []

async function send(
  person: Person,
  call: { method: string; path: string },
  body: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url + call.path, {
    method: call.method,
    headers: {
      ...session(person.session_token),
      'idempotency-key': randomUUID(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined || call.method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status: response.status, body: undefined }
  }
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, body: isJson ? JSON.parse(text) : text }
}

/** Returns every row of a person as text, from all tables whose rows have an owner (apart from `audit`). */
async function rowsOf({ user_id }: Person): Promise<string[]> {
  const tables = await sql<{ name: string; owned_by: string }>`
    select quote_ident(table_name) as name, quote_ident(column_name) as owned_by from information_schema.columns
    where table_schema = 'public' and (column_name = 'user_id' or (table_name = 'users' and column_name = 'id'))
      and table_name <> 'audit' order by 1`.execute(app.db)
  const rows: string[] = []
  for (const { name, owned_by } of tables.rows) {
    const found = await sql<{ text: string }>`
      select t::text as text from ${sql.raw(name)} t where ${sql.raw(owned_by)} = ${user_id} order by 1`.execute(
      app.db,
    )
    rows.push(...found.rows.map(({ text }) => `${name} ${text}`))
  }
  return rows
}

async function uploadedPicture({ session_token }: Person): Promise<string> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).png()
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(await picture.toBuffer())]), 'theirs.png')
  const headers = session(session_token)
  const reply = await fetch(`${url}/api/attachments/`, { method: 'POST', headers, body })
  const { id, preview } = (await reply.json()) as { id: string; preview: object | null }
  // The preview must exist, or the calls for it would show nothing.
  expect(preview).not.toBeNull()
  return id
}
