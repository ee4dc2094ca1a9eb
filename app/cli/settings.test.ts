import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { settings } from '#app/server/config.ts'
import { listSettings } from './settings.ts'

const planted = 'planted-9f8e7d-planted-9f8e7d-planted-9f8e7d'
const secrets = {
  SECRET_KEY: Buffer.from(planted).toString('hex'),
  SECRET_KEY_OLD: Buffer.from(planted).toString('base64'),
  DATABASE_URL: `postgres://hostdesk:${planted}@db/hostdesk`,
  S3_URL: `s3://key:${planted}@bucket.example.com/files`,
  SMTP_URL: `smtps://hostdesk:${planted}@mail.example.com`,
  METRICS_TOKEN: planted,
  BACKUP_PASSPHRASE: planted,
  STRIPE_SECRET_KEY: `sk_live_${planted.replaceAll('-', '')}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${planted.replaceAll('-', '')}`,
  MOLLIE_API_KEY: `live_${planted.replaceAll('-', '')}`,
}

it('hostdesk settings lists each setting with default, meaning and present value, and hides what is secret', () => {
  const { lines, data } = listSettings({ PORT: '4000', OPERATOR_NAME: '', ...secrets })
  const text = lines.join('\n')
  for (const [name, { about }] of Object.entries(settings)) {
    expect(text).toMatch(new RegExp(`^${name}: .`, 'm'))
    expect(text).toContain(`    ${about}`)
  }
  expect(text).toContain(
    'PORT: 4000\n    Port to listen on; 3000 unless set. Default: 3000.\nHOST: 127.0.0.1, the default\n',
  )
  expect(text).toMatch(/^BACKUP_DIR: not set$/m)
  expect(text).toMatch(/^OPERATOR_NAME: Hostdesk, the default$/m)
  for (const [name, value] of Object.entries(secrets)) {
    expect(text).toMatch(new RegExp(`^${name}: \\[redacted\\]$`, 'm'))
    expect(JSON.stringify(data)).not.toContain(value)
  }
  expect(text + JSON.stringify(data)).not.toContain('planted')
  expect(readFileSync('docs/operate/settings.md', 'utf8')).toContain('`hostdesk settings`')
})
