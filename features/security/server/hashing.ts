import os from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { gauge } from '#foundation/server/operation/metrics.ts'

/** A stored password: a PHC string. It has a type of its own, so that no plain password is stored by mistake. */
export type PasswordHash = string & { readonly hashed: unique symbol }

// OWASP's Argon2id figures: 19 MiB, two passes, one lane (some 12 ms of one core).
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const current = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`

/**
 * Returns a password in the one form in which it is hashed (rule 55): composed, with plain blanks. Keyboards and systems write the same
 * letters as other code points (ü is one or two), and pasting turns blanks into others.
 */
export const passwordText = (password: string): string =>
  password
    .normalize('NFC')
    .replaceAll(/\p{Zs}/gu, ' ')
    .trim()

/** Hashes with Argon2id. Throws 503 if too many wait. Never call it inside a transaction, because it is slow. */
export const hashPassword = (password: string): Promise<PasswordHash> =>
  inTurn(async () => {
    const hashed = await hash(passwordText(password), parameters)
    if (!isCurrent(hashed)) throw new Error('the library hashes with other parameters')
    return hashed
  })

/** True if the hash is one of this password. */
export const verifyPassword = (stored: string, password: string): Promise<boolean> =>
  inTurn(() => verify(stored, passwordText(password)))

/** True if a hash was made with outdated parameters. */
export const isOutdated = (stored: string): boolean => !isCurrent(stored)

const isCurrent = (stored: string): stored is PasswordHash => stored.startsWith(current)

let dummy: Promise<string> | undefined

/**
 * Does the work of a check, and returns false. The attack is to measure answers: without this work an address with faster answers
 * than others has no account (or no password).
 */
export async function wasteTime(password: string): Promise<false> {
  dummy ??= hashPassword('nobody has this password')
  // If there was no room for the dummy, the next caller tries again.
  const stored = await dummy.catch((error: unknown) => {
    dummy = undefined
    throw error
  })
  await verifyPassword(stored, password)
  return false
}

// One core stays free for everything else, and the queue is bounded: the attack is a flood of sign-ins.
const slots = Math.max(1, os.availableParallelism() - 1)
const longestQueue = 50
let running = 0
const queue: (() => void)[] = []
gauge('hostdesk_passwords_waiting', 'Passwords that wait to be hashed or checked.', () => queue.length)

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < slots) running += 1
  else await nextTurn()
  try {
    return await work()
  } finally {
    const next = queue.shift()
    // The slot goes to the next in the queue, and is free only if nobody waits.
    if (next) next()
    else running -= 1
  }
}

function nextTurn(): Promise<void> {
  if (queue.length >= longestQueue) throw new HttpError(503, [{ code: 'unavailable' }], 1)
  return new Promise((resolve) => {
    queue.push(resolve)
  })
}
