import { describe, expect, it } from 'vitest'
import { balanceOf, checkLedger } from '#features/finance/server/finance.ts'
import { listTransactions } from '#features/finance/contract.ts'
import { listHosts, makeAgentToken, updateHost } from '#features/hosts/contract.ts'
import { renewLicenceKey } from '#features/hosts/key-contract.ts'
import { listInvoices } from '#features/invoices/contract.ts'
import * as contract from '#features/licences/contract.ts'
import * as sales from '#features/sales/contract.ts'
import * as payers from '#features/payers/contract.ts'
import * as sharing from '#features/sharing/contract.ts'
import * as tickets from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, getHost, patchHost, refusal } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { agreed } from '#tests/harness/payers.ts'
import { buyer, orderHost, orderLicence, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { transferred } from '#tests/harness/transfers.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
const PRICE = 2368n
await sellLarge(test)

const balance = ({ user_id }: Customer) => balanceOf(test.app, test.app.db, user_id)
const periodsOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(sales.listPaidPeriods, { params: { hostId }, query: {} }), 200).items
const transactionsOf = async ({ api }: Customer) =>
  bodyOf(await api.call(listTransactions, { query: {} }), 200).items
const invoicesOf = async ({ api }: Customer) => bodyOf(await api.call(listInvoices, { query: {} }), 200).items
const exact = async () => expect(await checkLedger(test.app.ownerUrl)).toMatchObject({ damages: [] })

/** An owner who has bought a month for a server, and the later receiver of the server, with `money` on the balance. */
async function sold(money = 0n) {
  const [owner, receiver] = [await buyer(test, 10_000n), await buyer(test, money)]
  const { host } = bodyOf(await orderHost(owner, { name: 'otter' }), 201)
  return { owner, receiver, host, hostId: host.id }
}

describe('O-06 a server that changes hands', () => {
  it('takes its paid runtime along; what was paid stays with who paid, and its price is not shown', async () => {
    const { owner, receiver, host, hostId } = await sold(10_000n)
    bodyOf(await patchHost(owner.api, hostId, { auto_renew: true }), 200)
    const got = await transferred(owner, receiver, hostId)
    expect(got).toMatchObject({
      auto_renew: false,
      ipv4: host.ipv4,
      licence: { status: 'active', price: null, paid_until: host.licence.paid_until },
    })
    expect(must(got.licence.plan).slug).toBe('standard-month')
    expect(await periodsOf(receiver, hostId)).toMatchObject([
      { kind: 'order', total: null, invoice_id: null },
    ])
    expect((await periodsOf(receiver, hostId))[0]).not.toHaveProperty('withdrawal')
    expect([await invoicesOf(receiver), (await invoicesOf(owner)).length]).toEqual([[], 1])
    expect((await transactionsOf(owner))[0]).toMatchObject({ type: 'spend', host_id: hostId })
    // A renewal by the next owner belongs to them, and begins at the end of the runtime that came with the server.
    const { host: renewed } = bodyOf(await orderLicence(receiver, hostId), 201)
    expect(Date.parse(must(renewed.licence.paid_until))).toBeGreaterThan(
      Date.parse(must(host.licence.paid_until)),
    )
    expect(await periodsOf(receiver, hostId)).toMatchObject([
      { kind: 'renewal', total: { amount: `${PRICE}` } },
      { kind: 'order', total: null },
    ])
    expect([await balance(owner), await balance(receiver)]).toEqual([10_000n - PRICE, 10_000n - PRICE])
    expect((await orderLicence(owner, hostId)).status).toBe(404)
    await exact()
  })
  it('credits who paid in an upgrade by the next owner, who pays all of the new price', async () => {
    const { owner, receiver, hostId } = await sold(10_000n)
    await transferred(owner, receiver, hostId)
    const params = { hostId }
    const wish = { plan: 'large-month', scope: 'all' } as const
    const preview = bodyOf(
      await receiver.api.call(sales.previewUpgrade, { params, body: { ...wish, when: 'now' } }),
      200,
    )
    expect(preview.pay_now).toEqual(preview.charge)
    const before = await balance(owner)
    bodyOf(
      await receiver.api.call(sales.upgradeLicence, {
        params,
        headers: { 'idempotency-key': crypto.randomUUID() },
        body: { ...wish, as_of: preview.as_of, expected_total: preview.pay_now },
      }),
      201,
    )
    expect(await balance(owner)).toBe(before + BigInt(preview.credit.amount))
    expect(await balance(receiver)).toBe(10_000n - BigInt(preview.charge.amount))
    expect((await invoicesOf(owner)).map(({ kind }) => kind)).toEqual(['credit_note', 'invoice'])
    await exact()
  })
  // Seen red: the former owner's machine had the one place of the licence, and kept it by the key.
  it('has a new licence key, so that no machine of the former owner takes the place of one of the next', async () => {
    const { owner, receiver, host, hostId } = await sold()
    const ask = async (licence_key: string, digit: string) => {
      const body = { licence_key, fingerprint: digit.repeat(64) }
      return bodyOf(await test.client().call(contract.validateLicence, { body }), 200).code
    }
    expect(await ask(host.licence_key, 'a')).toBe('valid')
    const renewed = bodyOf(
      await owner.api.call(renewLicenceKey, { params: { hostId }, body: { at_once: false } }),
      200,
    )
    const kept = [host.licence_key, renewed.licence_key]
    const { licence_key } = await transferred(owner, receiver, hostId)
    expect(kept).not.toContain(licence_key)
    for (const key of kept) expect(await ask(key, 'a')).toBe('not_found')
    expect([await ask(licence_key, 'b'), await ask(licence_key, 'a')]).toEqual(['valid', 'too_many_machines'])
    const { text } = await test.mails.about(receiver.email, /^Now yours: /)
    expect(text).toContain('new licence key')
  })
  it('ends agent, choice of plan, helpers and payer; documents of before are void, and an agreement of the next owner joins', async () => {
    const { owner, receiver, hostId } = await sold()
    const [friend, payer, next] = [
      await signedInCustomer(test),
      await buyer(test, 10_000n),
      await buyer(test, 0n),
    ]
    const other = await addHost(owner.api, {})
    const invite = async (host_ids: string[]) => {
      const body = { email: friend.email, role: 'technical', all_hosts: false, host_ids } as const
      const { id } = bodyOf(await owner.api.call(sharing.createGrant, { body }), 201)
      bodyOf(await friend.api.call(sharing.acceptGrant, { params: { grantId: id } }), 200)
    }
    await invite([hostId])
    await agreed(owner, payer, { host_ids: [hostId, other.id] })
    await agreed(receiver, next)
    bodyOf(await owner.api.call(makeAgentToken, { params: { hostId } }), 201)
    await asOwner(
      test,
      `insert into licence_settings (host_id, user_id, renewal_plan) select id, user_id, 'large-month' from hosts where public_id = $1`,
      [hostId],
    )
    expect((await getHost(friend.api, hostId)).status).toBe(200)
    const got = await transferred(owner, receiver, hostId)
    expect(got).toMatchObject({ has_agent_token: false, connected: false })
    expect(must(got.licence.renewal_plan).slug).toBe('standard-month')
    expect((await getHost(friend.api, hostId)).status).toBe(404)
    const given = bodyOf(await owner.api.call(sharing.listGrants, { query: { side: 'given' } }), 200).items
    expect(given).toEqual([])
    const [paying] = bodyOf(
      await payer.api.call(payers.listAgreements, { query: { side: 'payer' } }),
      200,
    ).items
    expect(paying).toMatchObject({ hosts: 1, requested_hosts: 0 })
    const [joined] = bodyOf(
      await next.api.call(payers.listAgreements, { query: { side: 'payer' } }),
      200,
    ).items
    expect(joined).toMatchObject({ hosts: 1 })
    const voided = await asOwner(test, `select reason from revocations where sub = $1`, [hostId])
    expect(voided).toEqual([{ reason: 'transferred' }])
    expect((await owner.api.call(updateHost, { params: { hostId }, body: { name: 'mine' } })).status).toBe(
      404,
    )
    expect(bodyOf(await owner.api.call(listHosts, { query: {} }), 200).items).toMatchObject([
      { id: other.id },
    ])
  })
  it('leaves its tickets with the former owner, who does not see the new name of the server', async () => {
    const { owner, receiver, hostId } = await sold()
    const opened = (person: Customer) =>
      person.api.call(tickets.createTicket, {
        body: { subject: 'Slow', message: 'Slow', topic: 'technical', host_id: hostId },
      })
    const ticket = bodyOf(await opened(owner), 201)
    expect(ticket.host_name).toBe('otter')
    await transferred(owner, receiver, hostId)
    bodyOf(await patchHost(receiver.api, hostId, { name: 'secret' }), 200)
    const list = async ({ api }: Customer) =>
      bodyOf(await api.call(tickets.listTickets, { query: {} }), 200).items
    expect(await list(owner)).toMatchObject([{ id: ticket.id, host_id: hostId, host_name: null }])
    expect(await list(receiver)).toEqual([])
    expect((await opened(owner)).body).toMatchObject(refusal(400, 'unknown_host', 'host_id'))
    expect(bodyOf(await opened(receiver), 201).host_name).toBe('secret')
  })
  it('cannot be ordered for, nor written about, by another than its owner, whatever the code does', async () => {
    const { owner, receiver, hostId } = await sold()
    await transferred(owner, receiver, hostId)
    const copied = `insert into licence_orders select gen_random_uuid(), o.user_id, o.host_id, o.kind, o.plan, o.plan_name, o.term, o.ipv4,
        o.net, o.vat, o.total, o.vat_rate_bp, o.currency, gen_random_uuid(), gen_random_uuid()::text, now()
      from licence_orders o join hosts h on h.id = o.host_id where h.public_id = $1`
    await expect(asOwner(test, copied, [hostId])).rejects.toThrow(/host \d+ is not of .* in licence_orders/)
    const written = `insert into tickets (public_id, user_id, host_id, subject, topic)
      select left(md5(random()::text), 22), $2::uuid, id, 'x', 'technical' from hosts where public_id = $1`
    await expect(asOwner(test, written, [hostId, owner.user_id])).rejects.toThrow(/in tickets/)
    const offeredTwice = `insert into host_transfers (host_id, user_id, email) select id, $2::uuid, 'x@example.com' from hosts where public_id = $1`
    await expect(asOwner(test, offeredTwice, [hostId, owner.user_id])).rejects.toThrow(/in host_transfers/)
  })
})

describe('O-06 every table that names a server', () => {
  /** The tables that stay on purpose with the former owner, and why. */
  const STAYS: Record<string, string> = {
    licence_orders: 'bought by them',
    tickets: 'written by them',
    suspensions: 'said to them; a suspended server does not change hands',
    host_transfers: 'offered by them',
    narrowed_grants: 'granted by them',
    transactions: 'paid by them',
    invoices: 'issued to them',
    trials: 'used by them, once',
    trial_addresses: 'used up, whoever has the server',
    account_events: 'told to them; the new owner has a list of their own',
    plan_move_hosts: 'said to them; the plan of a server with another owner is not moved',
  }
  /** The tables with arrangements of an owner for a server, which end with the transfer. */
  const ENDS = ['account_grant_hosts', 'host_payers', 'requested_hosts', 'licence_settings', 'chosen_extras']

  it('follows it by a reference with cascade, stays for a reason, or ends', async () => {
    const tables = (await asOwner(
      test,
      `select c.relname as name,
          exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.confrelid = 'hosts'::regclass
            and array_length(f.conkey, 1) = 2 and f.confupdtype = 'c') as follows,
          exists (select from pg_attribute o where o.attrelid = c.oid and o.attname in ('user_id', 'owner_id')) as owned
        from pg_class c join pg_attribute h on h.attrelid = c.oid and h.attname = 'host_id'
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
    )) as { name: string; follows: boolean; owned: boolean }[]
    const unknown = tables.filter(
      ({ name, follows, owned }) =>
        owned &&
        !follows &&
        !(name.replace(/^account_events_\d$/u, 'account_events') in STAYS) &&
        !ENDS.includes(name),
    )
    expect(unknown).toEqual([])
    expect(tables.filter(({ follows }) => follows).map(({ name }) => name)).toEqual([
      'activations',
      'alert_incidents',
      'alert_settings',
      'former_keys',
      'host_agents',
      'licence_watches',
      'licensed_addresses',
      'paid_periods',
    ])
  })
  it('has no row of the former owner after a transfer, unless its rows stay with them on purpose', async () => {
    const { owner, receiver, hostId } = await sold()
    const machine = `insert into activations (host_id, user_id, fingerprint, address) select id, user_id, repeat('a', 64), '10.0.0.1' from hosts where public_id = $1`
    await asOwner(test, machine, [hostId])
    bodyOf(await owner.api.call(makeAgentToken, { params: { hostId } }), 201)
    bodyOf(await owner.api.call(renewLicenceKey, { params: { hostId }, body: { at_once: false } }), 200)
    await addMoney(test.app, owner.user_id, 1n)
    await transferred(owner, receiver, hostId)
    const rows: Record<string, string[]> = {}
    for (const name of [
      'activations',
      'former_keys',
      'host_agents',
      'licence_watches',
      'licensed_addresses',
      'paid_periods',
      ...ENDS,
      'licence_orders',
    ]) {
      const column = name === 'account_grant_hosts' ? 'owner_id' : 'user_id'
      const found = (await asOwner(
        test,
        `select t.${column} as owner from ${name} t join hosts h on h.id = t.host_id where h.public_id = $1`,
        [hostId],
      )) as { owner: string }[]
      rows[name] = found.map((row) =>
        row.owner === owner.user_id ? 'before' : row.owner === receiver.user_id ? 'now' : row.owner,
      )
    }
    expect(rows).toEqual({
      activations: [],
      former_keys: [],
      host_agents: [],
      licence_watches: ['now'],
      licensed_addresses: ['now'],
      paid_periods: ['now'],
      account_grant_hosts: [],
      host_payers: [],
      requested_hosts: [],
      licence_settings: [],
      chosen_extras: [],
      licence_orders: ['before'],
    })
  })
})
