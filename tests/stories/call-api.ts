import type { APIRequestContext, APIResponse, Page } from '@playwright/test'
import { expect } from '#tests/harness/story.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Sent = Omit<NonNullable<Parameters<APIRequestContext['fetch']>[1]>, 'method'> & {
  /** Access token of the account that calls. */
  token?: string
}

/**
 * Makes a call beside the pages of a story, and returns the JSON of its answer, or undefined if the answer is empty. Fails with the
 * answer unless its status is `status`, or any 2xx if that is left out.
 */
export async function callApi<Body = unknown>(
  page: Pick<Page, 'request'>,
  method: Method,
  path: string,
  { status, ...sent }: Sent & { status?: number } = {},
): Promise<Body> {
  const answer = await answerTo(page, method, path, sent)
  const text = await answer.text()
  const said = `${method} ${path}: ${answer.status()} ${text}`
  if (status === undefined) expect(answer.ok(), said).toBe(true)
  else expect(answer.status(), said).toBe(status)
  return (text === '' ? undefined : JSON.parse(text)) as Body
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
