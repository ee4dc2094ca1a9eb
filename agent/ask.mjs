const PATIENCE_MS = 10_000
const LONGEST = 65_536

/** @typedef {{ status: number, text: string, retry_after_s: number | undefined, etag: string | undefined }} Answer */

/**
 * One request. A redirect is an error, or a token would go where it points; so is an answer that is too long or too late.
 * @param {URL} url
 * @param {{ method?: string, headers?: Record<string, string>, body?: string, signal?: AbortSignal | undefined, longest?: number }} [request]
 * @returns {Promise<Answer>}
 */
export async function ask(url, { method = 'GET', headers = {}, body, signal, longest = LONGEST } = {}) {
  const patience = AbortSignal.timeout(PATIENCE_MS)
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
  })
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    status: response.status,
    text: await read(response, longest),
    etag: response.headers.get('etag') ?? undefined,
    retry_after_s: Number.isFinite(wait) && wait >= 0 ? wait : undefined,
  }
}

/**
 * @param {Response} response
 * @param {number} longest
 */
async function read(response, longest) {
  const chunks = []
  let length = 0
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const chunk = /** @type {unknown} */ (part.value)
    if (!(chunk instanceof Uint8Array)) throw new Error('The answer is no bytes.')
    length += chunk.length
    if (length > longest) throw new Error(`The answer is longer than ${longest} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * The address as a URL. Refuses http but on this machine: the attack is a listener who reads the token.
 * @param {string} text
 */
export function secureUrl(text) {
  if (!URL.canParse(text))
    throw new Error(`'${text}' is no address. Write it like https://account.example.com.`)
  const url = new URL(text)
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere))
    throw new Error(`${text} is not https: the token would cross the network in clear.`)
  if (url.username || url.password) throw new Error('The address may hold no user and no password.')
  return url
}
