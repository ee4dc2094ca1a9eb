import { ask } from './ask.mjs'

/**
 * The operator's answer: when to come again, the licence document, the names of keys that must not be believed any more, and the
 * number of the newest list of revoked documents.
 * @typedef {{ interval_s: number, licence: string, withdrawn_keys: string[], revocations_seq: number }} Told
 */

/** A check-in that came to nothing. `retry_after_s` is the operator's wish, where there is one. */
export class CheckInRefused extends Error {
  /**
   * @param {string} message
   * @param {number | undefined} retry_after_s
   */
  constructor(message, retry_after_s) {
    super(message)
    this.retry_after_s = retry_after_s
  }
}

/**
 * Says that this machine lives.
 * @param {import('./settings.mjs').Settings} settings
 * @param {import('./figures.mjs').Figures & { fingerprint?: string | null, boot?: string }} figures
 * @param {AbortSignal} signal
 * @returns {Promise<Told>}
 */
export async function checkIn(settings, figures, signal) {
  const { url } = settings
  let answer = await send(settings, figures, signal)
  // A server of the release before knows `/` alone.
  if (answer.status === 400 && figures.disks) {
    const { disks: _, ...known } = figures
    answer = await send(settings, known, signal)
  }
  const { status, text, retry_after_s } = answer
  if (status === 401)
    throw new Error('the token is not known (any more): make a new one on the page of the host')
  if (status !== 200) throw new CheckInRefused(`${url.host} answered ${status}`, retry_after_s)
  return readReply(text)
}

/**
 * @param {import('./settings.mjs').Settings} settings
 * @param {import('./figures.mjs').Figures} figures
 * @param {AbortSignal} signal
 */
const send = ({ url, token }, figures, signal) =>
  ask(new URL('/api/agent/check-in/', url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'user-agent': `hostdesk-agent/${figures.version}`,
    },
    body: JSON.stringify(figures),
    signal,
  })

/** @param {string} text @returns {Told} */
function readReply(text) {
  const told = /** @type {unknown} */ (JSON.parse(text))
  const { interval_s, licence, withdrawn_keys, revocations_seq } = Object.fromEntries(
    Object.entries(told ?? {}),
  )
  if (
    typeof interval_s !== 'number' ||
    typeof licence !== 'string' ||
    !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(licence) ||
    !Array.isArray(withdrawn_keys) ||
    typeof revocations_seq !== 'number'
  )
    throw new Error('the answer is not to be understood')
  // The interval is limited: a wrong setting must not make the agent call many times a second, or once a day only.
  return {
    interval_s: Math.min(Math.max(interval_s, 1), 3600),
    licence,
    withdrawn_keys: withdrawn_keys.map(String),
    revocations_seq,
  }
}
