import type { APIRequestContext, APIResponse, Page } from '@playwright/test'
import { expect } from '#tests/harness/story.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'
type Sent = Omit<NonNullable<Parameters<APIRequestContext['fetch']>[1]>, 'method'> & {
  /** Access token of the account that calls. */
  token?: string
}

/**
 * Makes a call beside the pages of a story, and returns the body of its answer. Fails with the answer unless its status is `status`, or any
 * 2xx if that is left out.
 */
export async function callApi<Body = unknown>(
  page: Pick<Page, 'request'>,
  method: Method,
  path: string,
  { status, ...sent }: Sent & { status?: number } = {},
): Promise<Body> {
  const answer = await answerTo(page, method, path, sent)
  const said = `${method} ${path}: ${answer.status()} ${await answer.text()}`
  if (status === undefined) expect(answer.ok(), said).toBe(true)
  else expect(answer.status(), said).toBe(status)
  return (await answer.json().catch(() => undefined)) as Body
}

/** Makes a call again while the server is too busy. Returns the answer, whatever it is. */
export async function answerTo(
  { request }: Pick<Page, 'request'>,
  method: Method,
  path: string,
  { token, headers, ...sent }: Sent = {},
): Promise<APIResponse> {
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const { answer } = await untilAnswered(async () => {
    const given = await request.fetch(path, { method, headers: { ...bearer, ...headers }, ...sent })
    return { status: given.status(), answer: given }
  })
  return answer
}
