import { routes } from '#app/server/features.ts'
import type { InputOf, ReplyOf, Route } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { bodyOf } from '#foundation/server/http/error-response.ts'
import type { Handler } from '#foundation/server/http/handler.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { findByAccessToken, type Actor } from '#foundation/server/session/session.ts'
import { signedInCustomer, type Customer } from './customer.ts'
import type { TestApp } from './test-app.ts'

/** A person who can call over HTTP, and the handlers without HTTP (`callInProcess`), for tests that make a million calls. */
export type Person = Customer & { actor: Actor }

export async function newPerson(test: Pick<TestApp, 'app' | 'client'>): Promise<Person> {
  const customer = await signedInCustomer(test)
  return { ...customer, actor: must(await findByAccessToken(test.app, must(customer.api.access_token))) }
}

const answers = new Map<Route, Handler>(routes.map((one) => [one.contract, one]))

const caller = {
  ip: '127.0.0.1',
  is_local: true,
  in_staff_network: true,
  user_agent: 'tests',
  locale: 'en',
  request_id: 'in-process',
  tab: undefined,
  gone: false,
} as const

type Sent = { params?: object; query?: object; headers?: object; body?: unknown }
export type Reply<R extends Route> = ReplyOf<R> | { status: number; body: { errors?: { code: string }[] } }

/** Calls the handler of a contract without HTTP. The input is not checked by its schema, which also fills in no defaults. */
export async function callInProcess<const R extends Route>(
  app: App,
  { actor }: Person,
  contract: R,
  input: InputOf<R>,
): Promise<Reply<R>> {
  const { params = {}, query = {}, headers = {}, body } = input as Sent
  const url = `${contract.path}${JSON.stringify(params)}`
  const given = { params, query, headers, body, app, caller, actor, request: { url }, reply: {} }
  try {
    const handler = must(answers.get(contract))
    const reply = await handler.answer({ ...given, pending: undefined, agent: undefined } as never)
    return must(reply) as Reply<R>
  } catch (error) {
    if (error instanceof HttpError) return { status: error.status, body: bodyOf(error, 'product') }
    // HTTP gives this answer as well: on a busy machine a call may wait too long for a lock, and its caller must repeat it.
    if (isUnavailable(error)) return { status: 503, body: { errors: [{ code: 'unavailable' }] } }
    throw error
  }
}

/** Returns the code of a refusal; undefined for an answer that is no refusal. */
export const codeOf = ({ status, body }: { status: number; body?: unknown }): string | undefined =>
  status < 400 ? undefined : ((body as { errors?: { code: string }[] }).errors?.[0]?.code ?? String(status))
