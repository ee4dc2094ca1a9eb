import * as z from 'zod/mini'
import { requiredText } from '#foundation/fields.ts'
import { isPrintable } from '#features/hosts/rules.ts'
import { fingerprint } from './machines.ts'

const amount = (most: number) => z.number().check(z.refine((value) => value >= 0 && value <= most, 'invalid'))
const whole = amount(Number.MAX_SAFE_INTEGER).check(z.refine(Number.isInteger, 'invalid'))

/** A disk other than `/`, by its mount. */
const disk = z
  .strictObject({
    mount: requiredText(255).check(z.refine(isPrintable, 'invalid')),
    used_bytes: whole,
    total_bytes: whole,
  })
  .check(
    z.refine(({ used_bytes, total_bytes }) => used_bytes <= total_bytes, {
      path: ['used_bytes'],
      error: 'invalid',
    }),
  )
/** The most disks that a machine tells of. */
const MOST_DISKS = 32

/** The agent's measurements: seconds, bytes, and the load over one minute. */
export const figures = z
  .strictObject({
    version: requiredText(32),
    hostname: requiredText(253),
    uptime_s: whole,
    load_1m: amount(1_000_000),
    memory_used_bytes: whole,
    memory_total_bytes: whole,
    disk_used_bytes: whole,
    disk_total_bytes: whole,
    /** The disks other than `/`; an older agent leaves them out. */
    disks: z.optional(z.array(disk).check(z.maxLength(MOST_DISKS, 'invalid'))),
    /** Tells machines with the same licence apart; null if the machine has no id. A machine that leaves it out is not counted. */
    fingerprint: z.optional(z.nullable(fingerprint)),
    /** SHA-256 of the host's id and the id of the boot. It tells machines apart that share their id. */
    boot: z.optional(fingerprint),
  })
  .check(
    z.refine(({ memory_used_bytes, memory_total_bytes }) => memory_used_bytes <= memory_total_bytes, {
      path: ['memory_used_bytes'],
      error: 'invalid',
    }),
    z.refine(({ disk_used_bytes, disk_total_bytes }) => disk_used_bytes <= disk_total_bytes, {
      path: ['disk_used_bytes'],
      error: 'invalid',
    }),
  )
