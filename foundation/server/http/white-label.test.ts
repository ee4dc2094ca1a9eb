import fastify from 'fastify'
import { expect, it } from 'vitest'
import type { Config } from '#foundation/server/config.ts'
import { coloursOf, dressPage, serveWhiteLabel } from './white-label.ts'

const html =
  '<html><head><title>Hostdesk</title><link rel="icon" href="/account/favicon.svg"></head><body><svg><path d="M7 8"/></svg><b>Hostdesk</b></body></html>'
const plain: Config['operator'] = {
  name: 'Hostdesk',
  logo: undefined,
  accentColor: undefined,
  supportEmail: undefined,
  mailClosing: { en: undefined, de: undefined, ru: undefined },
  mailWords: {},
  imprintUrl: undefined,
  privacyUrl: undefined,
  termsUrl: undefined,
  termsVersion: undefined,
  withdrawalUrl: undefined,
}

it('a page carries the operator by name, and only what is set', () => {
  const page = dressPage(html, {
    ...plain,
    name: 'Nordic Hosting',
    imprintUrl: 'https://nordic.example/imprint',
  })
  expect(page).toContain('<title>Nordic Hosting</title>')
  expect(page).toContain(
    'content="{&quot;name&quot;:&quot;Nordic Hosting&quot;,&quot;imprint_url&quot;:&quot;https://nordic.example/imprint&quot;}"',
  )
  expect(page).toContain('favicon.svg')
  expect(page).toContain('</svg><b>Nordic Hosting</b>')
  expect(page).not.toContain('operator.css')
})

it('a name cannot break out of the page', () => {
  const page = dressPage(html, { ...plain, name: '"><script>alert(1)</script>$&' })
  expect(page).not.toContain('<script>')
  expect(page).toContain('$&amp;')
})

it('logo and colours are served where they are set', async () => {
  const logo = { type: 'image/svg+xml', bytes: Buffer.from('<svg/>'), digest: 'd1' }
  const settings = { ...plain, logo, accentColor: '#1f6feb' }
  const server = fastify()
  serveWhiteLabel(server, settings)
  const page = dressPage(html, settings)
  expect(page).toContain('<link rel="icon" href="/account/operator-logo?d1">')
  expect(page).toContain('<link rel="stylesheet" href="/account/operator.css">')
  expect(page).toContain('<body><img src="/account/operator-logo?d1" alt=""><b>')
  const served = await server.inject('/account/operator-logo?d1')
  expect([served.headers['content-type'], served.headers['content-security-policy']]).toEqual([
    'image/svg+xml',
    "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  ])
  expect((await server.inject('/account/operator.css')).body).toContain('--accent:#1f6feb')
})

it('text on the accent colour is black or white, whichever has more contrast', () => {
  expect(coloursOf('#ffd400')).toContain('--on-accent:#000')
  expect(coloursOf('#1a3a8f')).toContain('--on-accent:#fff')
  expect(coloursOf('#fff')).toContain('--on-accent:#000')
})
