import { expect, it } from 'vitest'
import * as contract from '#features/shop/contract.ts'
import { addEdition, addPlan } from '#features/licences/server/licences.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { SHOP: 'on', TRUSTED_PROXIES: '1' } })
await stockShop(test)

/** Gets a page as a browser without an account does. An address of Paris or Berlin stands for the visitor's network. */
const visit = async (path: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(`${test.url}${path}`, { headers, redirect: 'manual' })
  return {
    status: reply.status,
    headers: reply.headers,
    html: (await reply.text()).replaceAll('\u00a0', ' '),
  }
}
const from = (ip: string, language = 'en') => ({ 'x-forwarded-for': ip, 'accept-language': language })
const [BERLIN, PARIS, NEW_YORK] = ['91.64.0.1', '90.0.0.1', '8.8.8.8']

it('shows products and prices with the VAT of the country of the visitor’s network, or of their choice', async () => {
  const index = await visit('/shop/', from(BERLIN))
  expect(index.status).toBe(200)
  expect(index.html).toContain('href="/shop/server/"')
  expect(index.html).toContain('incl. 19% VAT (Germany)')
  const page = await visit('/shop/server/', from(PARIS))
  // 19.90 and 20 % are 23.88.
  expect(page.html).toContain('€23.88')
  expect(page.html).toContain('incl. 20% VAT (France)')
  expect(page.html).toContain('href="/buy/standard-month?lang=en&amp;country=FR"')
  const chosen = await visit('/shop/de/server/?country=AT', from(NEW_YORK))
  expect(chosen.html).toContain('inkl. 20 % USt (Österreich)')
  expect((await visit('/shop/server/', from(NEW_YORK))).html).toContain('no VAT (United States)')
  // Nobody's network, and a country that is none: the seller's.
  expect((await visit('/shop/server/?country=XX', from('10.0.0.1'))).html).toContain('VAT (Germany)')
})

it('is a page for search engines: one address a language, offers as data, a site map, robots', async () => {
  const { html, headers } = await visit('/shop/ru/server/?country=FR')
  expect(html).toContain('<html lang="ru">')
  expect(html).toContain('<link rel="canonical" href="http://localhost:3000/shop/ru/server/"')
  for (const language of ['en', 'de', 'ru'])
    expect(html).toContain(`hreflang="${language}" href="http://localhost:3000/shop/${language}/server/"`)
  expect(html).toContain('hreflang="x-default" href="http://localhost:3000/shop/server/"')
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? []
  expect(JSON.parse(data)).toMatchObject({
    '@type': 'Product',
    offers: [{ sku: 'standard-month', price: '23.88', priceCurrency: 'EUR' }, {}, {}],
  })
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(headers.get('set-cookie')).toBeNull()
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'")
  expect((await visit('/shop/sitemap.xml')).html.match(/<loc>/g)).toHaveLength(6)
  expect((await visit('/robots.txt')).html).toContain('Allow: /shop/\nDisallow: /')
})

it('lets browsers keep what is the same for all, and check the rest by its tag', async () => {
  const forAll = await visit('/shop/en/server/?country=DE')
  expect(forAll.headers.get('cache-control')).toBe('public, max-age=60')
  const mine = await visit('/shop/server/', from(BERLIN))
  expect(mine.headers.get('cache-control')).toBe('private, no-cache')
  expect(mine.headers.get('vary')).toContain('accept-language')
  const tag = mine.headers.get('etag') ?? ''
  expect((await visit('/shop/server/', { ...from(BERLIN), 'if-none-match': tag })).status).toBe(304)
  expect((await visit('/shop/server/', { ...from(PARIS), 'if-none-match': tag })).status).toBe(200)
  const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(mine.html) ?? []
  const sheet = await visit(style)
  expect([sheet.status, sheet.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ])
  expect((await visit('/shop/server?country=DE')).headers.get('location')).toBe('/shop/server/?country=DE')
})

it('shows what staff typed as text, and what is retired to nobody', async () => {
  const name = { en: '<img src=x> & "Co"', de: 'Anders', ru: 'Иное' }
  await transaction(test.app, 'system', async (tx) => {
    await addEdition(tx, {
      slug: 'odd',
      name,
      description: name,
      features: [name],
      rank: 90,
      trial_days: 0,
      entitlements: {},
    })
    await addPlan(tx, { slug: 'odd-month', name, term: 'P1M', price_net: 100n, edition: 'odd' })
  })
  const shown = await visit('/shop/en/server/?country=DE')
  expect(shown.html).toContain('&lt;img src=x&gt; &amp; &quot;Co&quot;')
  expect(shown.html).not.toContain('<img src=x>')
  await asOwner(test, "update plans set is_active = false where slug = 'odd-month'")
  expect((await visit('/shop/en/server/?country=DE')).html).not.toContain('odd-month')
  const missing = await visit('/shop/de/none/')
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(missing.html, 'a page that leads on, and no JSON').toMatch(
    /<h1>Unter dieser Adresse ist nichts<\/h1>[^]+href="\/shop\/"/,
  )
  expect((await visit('/buy/none')).html).toContain('There is nothing at this address')
  expect((await visit('/shop/none/server/')).status).toBe(404)
  expect((await visit('/shop/en/a/b/c/')).html).toContain('There is nothing at this address')
})

it('says in words what fails, with a number for support and a way to try again', async () => {
  await asOwner(test, 'alter table products rename to hidden')
  for (const [path, text] of [
    ['/shop/de/', 'Auf unserer Seite ist ein Fehler aufgetreten.'],
    ['/buy/standard-month?lang=ru', 'У нас произошла ошибка.'],
  ] as const) {
    const { status, headers, html } = await visit(path)
    expect([status, headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
    expect(html).toContain(text)
    expect(html).toContain(`<code>${headers.get('x-request-id')}</code>`)
    expect(html).toContain(`href="${path}"`)
  }
  await asOwner(test, 'alter table hidden rename to products')
  const large = await fetch(`${test.url}/buy/standard-month`, {
    method: 'POST',
    body: 'x'.repeat(20_000),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'de' },
  })
  expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('Das ist zu groß')])
})

it('leads strangers to the sign-up where only customers can pay, by bank transfer', async () => {
  const other = await startTestApp({ settings: { SHOP: 'on', PAYMENTS: 'bank' } })
  await stockShop(other)
  const answer = await fetch(`${other.url}/buy/standard-month`, { headers: { 'accept-language': 'en' } })
  expect(answer.status).toBe(200)
  expect(await answer.text()).toMatch(
    /<h1>Order with an account<\/h1>[^]+href="\/account\/auth\?view=signup"/,
  )
  await other.close()
})

it('is closed unless the operator opens it, and staff are told where it is', async () => {
  const billing = await signedInStaff(test, { roles: ['billing'] })
  const { url } = bodyOf(await billing.api.call(contract.getShop, {}), 200)
  expect(url).toBe('http://localhost:3000/shop/')
  const closed = await startTestApp()
  for (const path of ['/shop/', '/shop/server/', '/shop/sitemap.xml', '/buy/standard-month'])
    expect((await fetch(`${closed.url}${path}`)).status).toBe(404)
  expect(await (await fetch(`${closed.url}/robots.txt`)).text()).toBe('User-agent: *\nDisallow: /\n')
  await closed.close()
})
