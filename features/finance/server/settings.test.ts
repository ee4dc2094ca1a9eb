import { expect, it } from 'vitest'
import { loadConfig } from '#app/server/config.ts'
import { ConfigError } from '#foundation/server/config-error.ts'

const production = {
  NODE_ENV: 'production',
  SECRET_KEY: 'mO2cV0p7m1mS0i8yJ5tq3bWlQ9x4Zr6uKfHdAeNgTjY=',
  SMTP_URL: 'smtp://mail.example.com',
  PUBLIC_ORIGIN: 'https://account.example.com',
  COMPANY_NAME: 'Example GmbH',
  COMPANY_STREET: 'Am Markt 1',
  COMPANY_ZIP: '20095',
  COMPANY_CITY: 'Hamburg',
  COMPANY_TAX_NUMBER: '12/345/67890',
}
const MOLLIE_API_KEY = 'live_0123456789abcdef0123456789abcd'

function linesOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.lines
    throw error
  }
  return []
}

it('Mollie is offered once its key is set, and refused without; production refuses another API', () => {
  expect(loadConfig({ MOLLIE_API_KEY }).payments).toContain('mollie')
  expect(loadConfig({}).payments).not.toContain('mollie')
  expect(linesOf({ PAYMENTS: 'mollie' })).toEqual([
    'PAYMENTS names mollie without its key. Set MOLLIE_API_KEY.',
  ])
  expect(loadConfig({ ...production, PAYMENTS: 'mollie', MOLLIE_API_KEY }).missing).toEqual(
    expect.arrayContaining([expect.stringContaining('TERMS_URL') as string]),
  )
  const elsewhere = { MOLLIE_API_KEY, MOLLIE_API_ORIGIN: 'https://api.example.com' }
  expect(linesOf(elsewhere)).toEqual([])
  expect(linesOf({ ...production, ...elsewhere })).toEqual([
    expect.stringMatching(/^MOLLIE_API_ORIGIN leads payments elsewhere/),
  ])
})

it('names no example account in production, where somebody might send money to it', () => {
  expect(loadConfig({}).bankAccount).toMatch(/^Hostdesk Demo/)
  expect(loadConfig(production).bankAccount).toBe('')
})
