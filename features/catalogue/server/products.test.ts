import { expect, it } from 'vitest'
import * as catalogue from '#features/catalogue/contract.ts'
import * as contract from '#features/catalogue/product-contract.ts'
import { listPlans } from '#features/licences/contract.ts'
import { listProducts } from '#features/licences/products.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
await stockShop(test)

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })
const [admin, billing] = [await memberWith('admin'), await memberWith('billing')]
const customer = await signedInCustomer(test)
const inAll = (text: string) => ({ en: text, de: `${text} (de)`, ru: `${text} (ru)` })
const program = {
  slug: 'backup-agent',
  name: inAll('Backup Agent'),
  description: inAll('Backs up'),
  kind: 'program' as const,
}

const products = async () => bodyOf(await billing.api.call(contract.listCatalogueProducts, {}), 200).items
const product = async (slug: string) => must((await products()).find((one) => one.slug === slug))
const change = async (fields: object, slug = program.slug, by = admin) =>
  by.api.call(contract.changeProduct, {
    params: { slug },
    body: { version: (await product(slug)).version, ...fields },
  })
const shown = async () => bodyOf(await test.client().call(listProducts, {}), 200).items
const plansOf = async () => bodyOf(await customer.api.call(listPlans, { query: {} }), 200).items

it('L-40 the server stands from the beginning, and what was sold before is one of its editions', async () => {
  expect(await products()).toEqual([
    {
      slug: 'server',
      name: { en: 'Server', de: 'Server', ru: 'Сервер' },
      description: { en: '', de: '', ru: '' },
      kind: 'server',
      asks_address: true,
      is_active: true,
      sort: 0,
      version: 1,
    },
  ])
  const [server] = await shown()
  expect(server?.editions[0]?.plans).toContainEqual({
    slug: 'standard-month',
    name: { en: 'Standard', de: 'Standard', ru: 'Стандарт' },
    term: 'P1M',
    price_net: { amount: '1990', currency: 'EUR' },
  })
  expect(new Set((await plansOf()).map((plan) => plan.product?.slug))).toEqual(new Set(['server']))
})

it('L-40 an administrator adds a product; everybody sees it once it has a plan, and no longer when it is retired', async () => {
  const add = (by = admin) => by.api.call(contract.addProduct, { body: program })
  expect((await add(billing)).status).toBe(403)
  expect(bodyOf(await add(), 201)).toMatchObject({ ...program, asks_address: false, sort: 1, version: 1 })
  expect(await add()).toMatchObject({ status: 409, body: refusal(409, 'slug_taken', 'slug') })
  const edition = {
    slug: 'agent-team',
    name: inAll('Team'),
    description: inAll('For teams'),
    features: [],
    entitlements: { machines: 5 },
    rank: 10,
  }
  const addEdition = (of: string) =>
    admin.api.call(catalogue.addEdition, { body: { ...edition, product: of } })
  expect(await addEdition('nothing')).toMatchObject({
    status: 400,
    body: refusal(400, 'unknown_product', 'product'),
  })
  expect(bodyOf(await addEdition(program.slug), 201).product).toBe(program.slug)
  expect(
    (await shown()).map(({ slug }) => slug),
    'without a plan nothing is sold',
  ).toEqual(['server'])
  const plan = { slug: 'agent-team-year', name: inAll('Team'), term: 'P1Y', edition: 'agent-team' } as const
  await admin.api.call(catalogue.addPlan, { body: { ...plan, price_net: '4900' } })
  const sold = (await shown()).find(({ slug }) => slug === program.slug)
  expect(sold).toMatchObject({
    ...program,
    asks_address: false,
    editions: [{ slug: 'agent-team', plans: [{ slug: 'agent-team-year', price_net: { amount: '4900' } }] }],
  })
  const { description: _, ...named } = program
  expect((await plansOf()).find(({ slug }) => slug === 'agent-team-year')?.product).toEqual({
    ...named,
    asks_address: false,
  })

  await change({ is_active: false })
  expect((await shown()).map(({ slug }) => slug)).toEqual(['server'])
  expect((await plansOf()).some(({ slug }) => slug === 'agent-team-year')).toBe(false)
  await change({ is_active: true })
})

it('L-40 a change keeps what it does not name, is in the audit, and loses to one that came before', async () => {
  const before = await product(program.slug)
  const after = bodyOf(await change({ name: { de: 'Sicherung' }, sort: 0 }), 200)
  expect(after).toMatchObject({
    name: { ...program.name, de: 'Sicherung' },
    description: program.description,
    kind: 'program',
    version: before.version + 1,
  })
  const late = await change({ version: before.version, sort: 5 })
  expect(late).toMatchObject({ status: 409, body: { present: after } })
  expect((await change({}, program.slug, billing)).status).toBe(403)
  const [last] = await asOwner(
    test,
    `select detail from audit where act = 'product.changed' order by id desc limit 1`,
  )
  expect(last).toMatchObject({
    detail: { product: program.slug, 'name.de': 'Sicherung', 'name.de_before': program.name.de },
  })
})
