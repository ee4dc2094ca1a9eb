import { expect, it } from 'vitest'
import * as contract from '#features/catalogue/contract.ts'
import { listPlans } from '#features/licences/contract.ts'
import { getHost } from '#features/hosts/contract.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { signedInStaff, signedInCustomer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { buyer, orderHost, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
await stockShop(test)

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })
const [admin, billing] = [await memberWith('admin'), await memberWith('billing')]

const inAll = (text: string) => ({ en: text, de: `${text} (de)`, ru: `${text} (ru)` })
const editions = async () => bodyOf(await billing.api.call(contract.listEditions, {}), 200).items
const edition = async (slug = 'standard') => must((await editions()).find((one) => one.slug === slug))
const change = async (fields: object, slug = 'standard', by = admin) =>
  by.api.call(contract.changeEdition, {
    params: { slug },
    body: { version: (await edition(slug)).version, ...fields },
  })
const fresh = {
  slug: 'agency',
  product: 'server',
  name: inAll('Agency'),
  description: inAll('For agencies'),
  features: [inAll('Backups'), inAll('Chat')],
  entitlements: { machines: 20, 'backups.nightly': true, 'support.tier': 'named' },
  rank: 40,
  trial_days: 0,
}

it('L-14 only an administrator adds an edition, once; its plans show its content and are not sold while it is inactive', async () => {
  const add = (by = admin, more = {}) => by.api.call(contract.addEdition, { body: { ...fresh, ...more } })
  expect((await add(billing)).status).toBe(403)
  const { version: _, is_active, ...added } = bodyOf(await add(), 201)
  expect([added, is_active]).toEqual([fresh, true])
  expect(await add()).toMatchObject({ status: 409, body: refusal(409, 'slug_taken', 'slug') })
  const body = {
    slug: 'agency-month',
    name: inAll('Agency'),
    term: 'P1M',
    price_net: '9900',
    edition: 'agency',
  } as const
  expect((await admin.api.call(contract.addPlan, { body })).status).toBe(201)
  const { items } = bodyOf(await (await signedInCustomer(test)).api.call(listPlans, { query: {} }), 200)
  const { name, description, features, entitlements } = fresh
  const shown = { edition: { slug: 'agency', name }, description, features, entitlements, saving: null }
  expect(items.find(({ slug }) => slug === 'agency-month')).toMatchObject(shown)
  expect((await editions()).map(({ slug }) => slug).at(-1), 'the highest rank is last').toBe('agency')

  // A plan of an edition that is not sold cannot be ordered.
  await change({ is_active: false }, 'agency')
  const left = bodyOf(await admin.api.call(listPlans, { query: {} }), 200).items
  expect(left.some(({ slug }) => slug === 'agency-month')).toBe(false)
  const order = { plan: 'agency-month', total: 11_781n }
  expect(await orderHost(await buyer(test, 20_000n), order)).toMatchObject({
    status: 400,
    body: refusal(400, 'unknown_plan', 'plan'),
  })
})

it('L-14 a change of an edition keeps unnamed fields, is in the audit, and only adds entitlements to running licences', async () => {
  await change({ entitlements: { machines: 3 } })
  const customer = await buyer(test, 10_000n)
  const { host } = bodyOf(await orderHost(customer), 201)
  const before = await edition()
  const given = { name: { ru: 'Базовый' }, description: inAll('For shops'), features: [inAll('Backups')] }
  const after = bodyOf(await change({ ...given, entitlements: { machines: 1, 'chat.live': true } }), 200)
  expect(after).toMatchObject({
    name: { ...before.name, ru: 'Базовый' },
    features: given.features,
    rank: before.rank,
    version: before.version + 1,
  })
  const { licence } = bodyOf(await customer.api.call(getHost, { params: { hostId: host.id } }), 200)
  expect(licence.entitlements).toEqual({ machines: 3, 'chat.live': true })
  const [row] = await asOwner(
    test,
    `select detail from audit where act = 'edition.changed' order by id desc limit 1`,
  )
  expect(row).toMatchObject({
    detail: {
      by: admin.user_id,
      edition: 'standard',
      'name.ru': 'Базовый',
      entitlements_before: '{"machines":3}',
    },
  })
  expect(Object.keys((row as { detail: object }).detail)).not.toContain('rank')
})

it('L-30 staff say for how many days an edition may be tried, which is on record', async () => {
  const customer = await signedInCustomer(test)
  const offered = async () => bodyOf(await customer.api.call(listPlans, { query: {} }), 200).items
  expect((await offered()).map(({ trial_days }) => trial_days)).not.toContain(60)
  expect((await change({ trial_days: 60 }, 'standard', billing)).status).toBe(403)
  expect(bodyOf(await change({ trial_days: 60 }), 200).trial_days).toBe(60)
  const days = (await offered()).filter((plan) => plan.edition.slug === 'standard')
  expect(new Set(days.map(({ trial_days }) => trial_days))).toEqual(new Set([60]))
  const last = `select detail from audit where act = 'edition.changed' order by id desc limit 1`
  expect((await asOwner(test, last))[0]).toMatchObject({
    detail: { edition: 'standard', trial_days: '60', trial_days_before: '0' },
  })
})

it('rule 45: of two simultaneous changes of one version of an edition, one is refused with the present edition', async () => {
  const { version } = await edition()
  const tabs = await Promise.all([
    change({ description: { en: 'One' }, version }),
    change({ description: { en: 'Other' }, version }),
  ])
  expect(new Set(tabs.map(({ status }) => status))).toEqual(new Set([200, 409]))
  const present = await edition()
  expect(tabs.find(({ status }) => status === 409)?.body).toMatchObject({
    errors: [{ code: 'changed' }],
    present,
  })
})

it('refuses what no edition is, and changes nothing', async () => {
  const before = await edition()
  const keys = Object.fromEntries(Array.from({ length: 51 }, (_, place) => [`key${place}`, true]))
  const wrong: [object, string][] = [
    [{ name: { de: ' ' } }, 'required'],
    [{ description: { en: 'x'.repeat(401) } }, 'max_length'],
    [{ features: Array.from({ length: 13 }, () => inAll('Backups')) }, 'invalid'],
    [{ features: [{ ...inAll('Backups'), ru: '' }] }, 'required'],
    [{ entitlements: keys }, 'invalid'],
    [{ entitlements: { 'No Key': 1 } }, 'invalid'],
    [{ entitlements: { machines: 1.5 } }, 'invalid'],
    [{ entitlements: { machines: 1_000_000_000_000_000 } }, 'invalid'],
    [{ entitlements: { machines: null } }, 'invalid'],
    [{ rank: 10_000 }, 'invalid'],
    [{ trial_days: 61 }, 'invalid'],
    [{ trial_days: -1 }, 'invalid'],
    [{ trial_days: 1.5 }, 'invalid'],
  ]
  for (const [fields, code] of wrong)
    expect(await change(fields), JSON.stringify(fields).slice(0, 60)).toMatchObject({
      status: 400,
      body: { errors: [{ code }] },
    })
  const missing = { params: { slug: 'nothing' }, body: { version: 1, rank: 1 } }
  expect((await admin.api.call(contract.changeEdition, missing)).status).toBe(404)
  expect(await edition()).toEqual(before)
})
