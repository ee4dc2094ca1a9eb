const { HOSTDESK_URL, HOSTDESK_TOKEN } = process.env

/** Sends a request that may be repeated: a GET, or one with an idempotency key. */
async function patiently(path: string, init: RequestInit = {}, tries = 5): Promise<Response> {
  const headers = { authorization: `Bearer ${HOSTDESK_TOKEN}`, ...init.headers }
  const response = await fetch(HOSTDESK_URL + path, { ...init, headers }).catch(() => undefined)
  if (response && response.status !== 429 && response.status < 500) return response
  if (tries <= 1) throw new Error(`No answer to ${path}`)
  const wait_s = Number(response?.headers.get('retry-after') ?? 2 ** (6 - tries))
  await new Promise((done) => setTimeout(done, wait_s * 1000 + Math.random() * 500))
  return patiently(path, init, tries - 1)
}

console.log((await patiently('/api/hosts/?limit=1')).status)
