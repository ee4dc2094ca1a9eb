import { test as base, expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { must } from '#foundation/must.ts'
import { translate } from './translator.ts'

/** A browser story. It fails when the page breaks its security policy, throws, or logs an error of its own. */
export const test = base.extend<{
  watched: void
  expectedComplaint: RegExp | undefined
  translated: boolean
}>({
  /** True where the browser of the story translates each page. */
  translated: [false, { option: true }],
  /** Errors that the browser may log or throw in this story, because the story breaks something on purpose. */
  expectedComplaint: [undefined, { option: true }],
  watched: [
    async ({ context, expectedComplaint, translated }, use) => {
      if (translated) await translate(context)
      const complaints: string[] = []
      context.on('weberror', (error) => {
        const { message } = error.error()
        if (!expectedComplaint?.test(message)) complaints.push(`thrown: ${message}`)
      })
      context.on('console', (message) => {
        // The browser itself reports every answer of 400 and up; those are part of many stories.
        if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
        if (expectedComplaint?.test(message.text())) return
        complaints.push(`console: ${message.text()}`)
      })
      await use()
      expect(complaints, 'the page is quiet: no violation of the CSP, nothing thrown').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** The languages that a browser asks for. */
export const browserLocales = { en: 'en-GB', de: 'de-DE', ru: 'ru-RU' } as const

/** Returns an email address that nobody else in this run has. */
export const newAddress = (who: string) =>
  `${who}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}@example.com`

export type ReadMail = { subject: string; text: string; html: string }

/** Waits until the text of the newest mail to an address fits, and returns this mail from the mailbox of the installation. */
export async function readMail(page: Page, to: string, fits = /./s): Promise<ReadMail> {
  let found: ReadMail | undefined
  await expect(async () => {
    const reply = await page.request.get(`/dev/mail/latest?to=${encodeURIComponent(to)}`)
    expect(reply.status()).toBe(200)
    const mail = (await reply.json()) as ReadMail
    expect(mail.text).toMatch(fits)
    found = mail
  }).toPass({ timeout: 20_000 })
  return must(found)
}

/** Returns the path and query of the first link of a mail that fits. The origin is left out: a story's installation has its own port. */
export function linkIn(mail: ReadMail, fits: RegExp): string {
  const link = mail.text.match(/https?:\/\/\S+/g)?.find((candidate) => fits.test(candidate))
  if (!link) throw new Error(`no link like ${fits} in: ${mail.text}`)
  const { pathname, search } = new URL(link)
  return pathname + search
}

/** Returns the code that an authenticator app shows now, or `steps` periods of 30 s from now. */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
