import { must } from '#foundation/must.ts'

/** Signed numbers as unsigned ones, small for small ones. */
export const folded = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
export const unfolded = (value: number): number => (value % 2 === 1 ? -(value + 1) / 2 : value / 2)

/** Seven bits of a number in each byte, the lowest first; numbers may have 53 bits. */
export function written(numbers: readonly number[]): Buffer {
  const bytes: number[] = []
  for (const number of numbers) {
    let left = number
    for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
    bytes.push(left)
  }
  return Buffer.from(bytes)
}

/** Reads them one after the other. */
export function reader(bytes: Buffer): { next: () => number; isAtEnd: () => boolean } {
  let place = 0
  const next = () => {
    for (let value = 0, weight = 1; ; weight *= 128) {
      const byte = must(bytes[place++])
      value += (byte % 128) * weight
      if (byte < 128) return value
    }
  }
  return { next, isAtEnd: () => place >= bytes.length }
}
