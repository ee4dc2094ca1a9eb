import { expect } from 'vitest'
import type { TestApp } from './test-app.ts'

/** A page as a browser without a script has it. */
export type Seen = { status: number; html: string; location: string | null; headers: Headers }

type At = Pick<TestApp, 'url'>

export async function look(test: At, path: string, headers: Record<string, string> = {}): Promise<Seen> {
  return seen(await fetch(`${test.url}${path}`, { headers, redirect: 'manual' }))
}

export async function post(
  test: At,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Seen> {
  const body = new URLSearchParams(fields)
  return seen(await fetch(`${test.url}${path}`, { method: 'POST', body, headers, redirect: 'manual' }))
}

const seen = async (reply: Response): Promise<Seen> => ({
  status: reply.status,
  html: (await reply.text()).replaceAll('\u00a0', ' '),
  location: reply.headers.get('location'),
  headers: reply.headers,
})

/** The fields of a form that a page brings filled: its key and its price. */
export const hiddenIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )

export type Form = Record<string, string>

/** Opens the form of a plan and sends it. Returns the answer, with the public id of the purchase where there is one. */
export async function buy(
  test: At,
  plan: string,
  typed: Form,
  headers: Record<string, string> = {},
): Promise<Seen & { id: string }> {
  const opened = await look(test, `/buy/${plan}?lang=en&country=${typed['country'] ?? 'DE'}`, headers)
  expect(opened.status).toBe(200)
  const sent = await post(
    test,
    `/buy/${plan}?lang=en`,
    { ...hiddenIn(opened.html), ...typed, act: 'pay' },
    headers,
  )
  const [, id = ''] = /^\/buy\/pay\/([\w-]{22})/.exec(sent.location ?? '') ?? []
  return { ...sent, id }
}

/** Pays on the page of the test provider, by a card of this country. Returns the answer of that page. */
export const pay = (test: At, id: string, from = ''): Promise<Seen> =>
  post(test, `/dev/pay/${id}/pay`, { from })

/** The key in the mail that opens an account, or asks its owner. */
export const keyIn = (text: string): string => /\/buy\/open\/\?key=([\w-]+)/.exec(text)?.[1] ?? ''
