import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import type { Config } from '#foundation/server/config.ts'
import { coloursOf, dressPage, serveWhiteLabel } from './white-label.ts'

const html =
  '<html><head><title>Hostdesk</title><link rel="icon" href="/account/favicon.svg"></head><body><svg><path d="M7 8"/></svg><b>Hostdesk</b></body></html>'
const plain: Config['operator'] = {
  name: 'Hostdesk',
  logoFile: undefined,
  accentColor: undefined,
  supportEmail: undefined,
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
  const logoFile = path.join(mkdtempSync(path.join(tmpdir(), 'hostdesk-logo-')), 'logo.svg')
  writeFileSync(logoFile, '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const settings = { ...plain, logoFile, accentColor: '#1f6feb' }
  const server = fastify()
  serveWhiteLabel(server, settings)
  const page = dressPage(html, settings)
  expect(page).toContain('<link rel="icon" href="/account/operator-logo">')
  expect(page).toContain('<link rel="stylesheet" href="/account/operator.css">')
  expect(page).toContain('<body><img src="/account/operator-logo" alt=""><b>')
  const logo = await server.inject('/account/operator-logo')
  expect([logo.headers['content-type'], logo.headers['content-security-policy']]).toEqual([
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
