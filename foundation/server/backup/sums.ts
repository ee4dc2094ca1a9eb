import { hash } from 'node:crypto'

/** The number of texts, and a sum of them that does not depend on their order. */
export type Sum = { count: number; sum: string }

/** Returns the number of rows in all tables together. */
export const rowsIn = (tables: Readonly<Record<string, Sum>>): number =>
  Object.values(tables).reduce((rows, { count }) => rows + count, 0)

/**
 * Sums the first 128 bits of the SHA-256 of each text, as two numbers modulo 2^64. The order of the rows does not matter, and two different
 * sets of rows have different sums.
 */
export class Summing {
  count = 0
  #high = 0n
  #low = 0n

  add(text: string): void {
    const digest = hash('sha256', text, 'buffer')
    this.#high = BigInt.asUintN(64, this.#high + digest.readBigUInt64BE(0))
    this.#low = BigInt.asUintN(64, this.#low + digest.readBigUInt64BE(8))
    this.count += 1
  }

  get value(): Sum {
    const hex = (part: bigint) => part.toString(16).padStart(16, '0')
    return { count: this.count, sum: hex(this.#high) + hex(this.#low) }
  }
}
