import { createHash } from 'node:crypto'
import { must } from '#foundation/must.ts'

const hashOf = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

/** Two neighbours become one, the smaller first, so that a proof needs no sides. */
const joined = (one: Buffer, other: Buffer): Buffer =>
  one.compare(other) < 0 ? hashOf(NODE, one, other) : hashOf(NODE, other, one)

/**
 * Returns the root of a tree over hashes (hexadecimal), in their order, and the proof of each: the neighbours on its way up. A hash without a
 * neighbour goes up as it is. Leaves and nodes are hashed with different first bytes, so that no node passes for a leaf.
 */
export function treeOf(hashes: readonly string[]): { root: string; proofs: string[][] } {
  let level = hashes.map((hash) => hashOf(LEAF, Buffer.from(hash, 'hex')))
  const proofs: string[][] = hashes.map(() => [])
  if (level.length === 0) return { root: hashOf().toString('hex'), proofs }
  for (let depth = 0; level.length > 1; depth += 1) {
    const below = level
    for (const [place, proof] of proofs.entries()) {
      const neighbour = below[(place >> depth) ^ 1]
      if (neighbour) proof.push(neighbour.toString('hex'))
    }
    level = []
    for (let place = 0; place < below.length; place += 2) {
      const [one, other] = [must(below[place]), below[place + 1]]
      level.push(other ? joined(one, other) : one)
    }
  }
  return { root: must(level[0]).toString('hex'), proofs }
}
