import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkIn, CheckInRefused } from './check-in.mjs'
import { readFigures } from './figures.mjs'
import { keepFile } from './keep-file.mjs'
import { keysKeeper } from './keys.mjs'
import { keyIdOf } from './judge.mjs'
import { judgeLicence } from './licence.mjs'
import { readFingerprint } from './machine.mjs'
import { revocationsKeeper } from './revocations.mjs'

/** @typedef {import('./settings.mjs').Settings} Settings */
/** @typedef {{ keys: ReturnType<typeof keysKeeper>, revocations: ReturnType<typeof revocationsKeeper> }} Published */

const LONGEST_PAUSE_S = 300
const LONGEST_RETRY_S = 120

/**
 * Checks in until the signal aborts. Settings are read again after each failure, so that a new token is taken up
 * without a restart. Says something only where something changed.
 * @param {() => Promise<Settings>} readSettings
 * @param {{ signal: AbortSignal, say: (line: string) => void }} running
 */
export async function run(readSettings, { signal, say }) {
  const saidBefore = onlyChanges(say)
  let settings = await readSettings()
  const { url, folder } = settings
  const published = {
    keys: keysKeeper(new URL('/.well-known/jwks.json', url), path.join(folder, 'jwks.json')),
    revocations: revocationsKeeper(
      new URL('/.well-known/licence-revocations', url),
      path.join(folder, 'revocations.jws'),
    ),
  }
  let failures = 0
  // Asked anew each time: it may come while something is awaited.
  const isOver = () => signal.aborted
  while (!isOver()) {
    let pause_s
    try {
      const report = { ...(await readFigures()), ...(await readFingerprint(folder)) }
      const { interval_s, ...told } = await checkIn(settings, report, signal)
      failures = 0
      saidBefore('connection', `connected to ${settings.url.host}`)
      // A full disk must not make the machine look dead.
      const kept = keepLicence(folder, told, { published, signal })
      saidBefore('licence', await kept.catch((error) => `the licence could not be kept: ${describe(error)}`))
      // A little sooner each time, by chance: ten thousand agents that began together must not call together.
      pause_s = interval_s * (1 - Math.random() / 10)
    } catch (error) {
      if (isOver()) break
      failures += 1
      pause_s = pauseAfter(failures, error)
      saidBefore('connection', `not connected: ${describe(error)}; trying on`)
      settings = await readSettings().catch(() => settings)
    }
    await rest(pause_s * 1000, published, signal)
  }
}

/**
 * Sleeps, and fetches keys and list where they are due. It makes no difference if check-ins are answered: the token of a
 * deleted host is void, and so are the documents that other programs read here.
 * @param {number} pause_ms
 * @param {Published} published
 * @param {AbortSignal} signal
 */
async function rest(pause_ms, { keys, revocations }, signal) {
  const end_ms = performance.now() + pause_ms
  const isOver = () => signal.aborted || performance.now() >= end_ms
  while (!isOver()) {
    const due_ms = Math.min(keys.dueAt_ms(), revocations.dueAt_ms())
    const wait_ms = Math.max(0, Math.min(due_ms, end_ms) - performance.now())
    await sleep(wait_ms, undefined, { signal }).catch(() => {})
    if (isOver()) return
    // Said by the next check-in, if it lasts.
    const known = await keys.keep({ signal }).catch(() => [])
    await revocations.keep({ keys: known, newest: undefined, signal }).catch(() => {})
  }
}

/**
 * 1, 2, 4 … up to 120 seconds, less by chance, but never less than the operator asks for: after an outage of the operator all agents are
 * back before their silence counts.
 * @param {number} failures
 * @param {unknown} error
 */
function pauseAfter(failures, error) {
  const pause_s = Math.min(2 ** (failures - 1), LONGEST_RETRY_S) * (0.5 + Math.random() / 2)
  const wished_s = error instanceof CheckInRefused ? (error.retry_after_s ?? 0) : 0
  return Math.max(pause_s, Math.min(wished_s, LONGEST_PAUSE_S))
}

/**
 * Keeps the document where other programs look for it, with the keys to check it offline. One that is not genuine is not
 * kept: an attacker on the way here must not be able to take the good one away. Prints in one line what it says.
 * @param {string} folder
 * @param {Omit<import('./check-in.mjs').Told, 'interval_s'>} told
 * @param {{ published: Published, signal: AbortSignal }} running
 */
async function keepLicence(folder, { licence, withdrawn_keys: withdrawn, revocations_seq }, running) {
  const { published, signal } = running
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const keys = await published.keys.keep({ kid: keyIdOf(licence), withdrawn, signal })
  const { verdict, why, plan } = judgeLicence(licence, { keys, ipv4: 'any' })
  // Before the list that makes the former document void: a program that reads both finds the one that counts.
  // Without a line end: libraries take the file as it is, and to them that would be a stray character.
  if (verdict !== 'not_genuine') await keepFile(path.join(folder, 'licence.jws'), licence)
  // The list is for other programs and other documents: without it this one counts as well.
  const unlisted = await published.revocations.keep({ keys, newest: revocations_seq, signal }).then(
    () => '',
    (error) => `; the list of revocations could not be kept: ${describe(error)}`,
  )
  if (verdict === 'not_genuine') return `the licence that came is not genuine and was not kept. ${why}`
  return (
    (verdict === 'not_licensed' ? `no licence: ${why}` : `licensed, plan ${plan ?? 'unknown'}`) + unlisted
  )
}

/** @param {(line: string) => void} say */
function onlyChanges(say) {
  /** @type {Map<string, string>} */
  const last = new Map()
  return (/** @type {string} */ about, /** @type {string} */ line) => {
    if (last.get(about) === line) return
    last.set(about, line)
    say(line)
  }
}

/** @param {unknown} error */
function describe(error) {
  if (!(error instanceof Error)) return String(error)
  // fetch hides the reason one step further in.
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}
