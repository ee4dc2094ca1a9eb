import { createHash } from 'node:crypto'

/** The columns of a machine that tell it from others. */
type Row = {
  id: string
  fingerprint: string | null
  clone_of: string | null
  boot: string | null
  past_boots: readonly string[]
  last_seen: Date
}

/** The machines that report this fingerprint, the first one first. */
export const sharing = <Machine extends Row>(
  all: readonly Machine[],
  fingerprint: string | null,
): readonly Machine[] => all.filter((one) => (one.clone_of ?? one.fingerprint) === fingerprint)

/** The machine with this fingerprint and boot; without a boot, the first one with the fingerprint. Undefined for an unknown boot. */
export const knownMachine = <Machine extends Row>(
  all: readonly Machine[],
  { fingerprint, boot }: { fingerprint: string | null; boot?: string | undefined },
): Machine | undefined => sharing(all, fingerprint).find((one) => boot === undefined || one.boot === boot)

/** Boots that rows get: the row `id`, or a new row for `undefined`. */
type Placed = readonly { id: string | undefined; boot: string }[]

// A machine that runs checks in each 30 seconds, so one that was silent for longer has been switched off, or boots.
const SILENT_MS = 45_000

/**
 * Returns where a boot belongs that no machine with its fingerprint has at present. An unknown boot follows that of the machine that was silent for
 * the longest: it was restarted. A boot that comes back after another has followed it proves that both run: two machines share the id. The one that
 * was there first keeps its place, and the other one takes that of a silent machine, or a new place.
 */
export function placesOf(family: readonly Row[], { boot, now }: { boot: string; now: Date }): Placed {
  const first = family.toSorted((one, other) => one.last_seen.getTime() - other.last_seen.getTime())
  const left = family.find(({ past_boots }) => past_boots.includes(boot))
  if (!left || left.boot === null) return [{ id: (left ?? first[0])?.id, boot }]
  const silent = first.find(
    ({ id, last_seen }) => id !== left.id && now.getTime() - last_seen.getTime() > SILENT_MS,
  )
  return [
    { id: left.id, boot },
    { id: silent?.id, boot: left.boot },
  ]
}

/** A fingerprint for a machine that shares its own with another, made of the boot by which it was found. */
export const ownFingerprint = (fingerprint: string | null, boot: string): string =>
  createHash('sha256')
    .update(`${fingerprint ?? ''}${boot}`)
    .digest('hex')
