import { afterAll, afterEach, expect } from 'vitest'

/**
 * Compares every answer that a test fetches from the product with the API document (rule 47): an answer that the document does not
 * describe fails the test, even if the test is about something else. Runs before each test file.
 */
const fetchOfNode = globalThis.fetch
const misfits: string[] = []

globalThis.fetch = async (input, init) => {
  const response = await fetchOfNode(input, init)
  const { hostname, pathname } = new URL(input instanceof Request ? input.url : input)
  // Routes that a test makes for itself are in no document.
  const isCall = /^\/(?:api|\.well-known)\//.test(pathname) && !pathname.includes('/fixture/')
  if (hostname === '127.0.0.1' && isCall) await judge(init?.method ?? 'GET', pathname, response)
  return response
}

async function judge(method: string, path: string, response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? ''
  // A stream is not read here: it may have no end.
  const body = type === '' || type.startsWith('application/json') ? await response.clone().text() : ''
  // The module is loaded on demand: most test files of small units fetch nothing.
  const { misfitOf } = await import('./judge.ts')
  const misfit = misfitOf({ method, path, status: response.status, type, body })
  if (misfit) misfits.push(`${method} ${path}: ${misfit}`)
}

afterEach(() => expect(misfits.splice(0), 'answers that the API document does not tell of').toEqual([]))

// The test files of a process run one after the other: the next file wraps the fetch of Node again.
afterAll(() => {
  globalThis.fetch = fetchOfNode
})
