import { readFileSync } from 'node:fs'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import * as z from 'zod/mini'
import { must } from '#foundation/must.ts'

/**
 * Returns the country of a network by a kept table (rule 54); null for networks that say nothing: private ones, this machine, unknown ones.
 * Source: @ip-location-db/geo-whois-asn-country (npm), data of the Number Resource Organization (nro.net), CC BY 4.0. `tools/networks.ts`
 * prints the table, whose first line names the version. A country is all that is kept of an address (decision 147).
 */
export function countryOfNetwork(given: string): string | null {
  const ip = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(given)?.[1] ?? given
  const family = isIPv4(ip) ? 'ipv4' : isIPv6(ip) ? 'ipv6' : undefined
  if (!family || nobodys.check(ip, family)) return null
  const { ipv4, ipv6, codes } = (table ??= readTable())
  const { from, code } = family === 'ipv4' ? ipv4 : ipv6
  const place = lastUpTo(from, family === 'ipv4' ? numberOf(ip.split('.').map(Number), 256) : first48Bits(ip))
  return codes[code[place] ?? 0] || null
}

// RFC 6890: addresses that belong to no country. 6to4 and Teredo (2002::/16, 2001::/32) wrap addresses of others.
const nobodys = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  nobodys.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 96],
  ['64:ff9b::', 16],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  nobodys.addSubnet(network, bits, 'ipv6')

type Ranges = { from: Float64Array; code: Uint8Array }
type Table = { codes: readonly string[]; ipv4: Ranges; ipv6: Ranges }

// The table is read when the first address is asked about: 2 MB in memory, some milliseconds.
let table: Table | undefined

const head = z.object({
  version: z.string(),
  codes: z.array(z.string()),
  counts: z.tuple([z.number(), z.number()]),
})

function readTable(): Table {
  const bytes = brotliDecompressSync(readFileSync(new URL('networks.br', import.meta.url)))
  const end = bytes.indexOf(10)
  const { codes, counts } = head.parse(JSON.parse(bytes.subarray(0, end).toString()))
  let at = end + 1
  const ranges = (count: number): Ranges => {
    const from = new Float64Array(count)
    let value = 0
    for (let place = 0; place < count; place += 1) {
      for (let unit = 1; ; unit *= 128) {
        const byte = must(bytes[at++])
        value += (byte & 127) * unit
        if (byte < 128) break
      }
      from[place] = value
    }
    const code = new Uint8Array(bytes.subarray(at, (at += count)))
    return { from, code }
  }
  return { codes, ipv4: ranges(counts[0]), ipv6: ranges(counts[1]) }
}

/** Returns the place of the last number that is not above `wanted`; the first number is 0. */
function lastUpTo(numbers: Float64Array, wanted: number): number {
  let [low, high] = [0, numbers.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (must(numbers[middle]) <= wanted) low = middle
    else high = middle - 1
  }
  return low
}

const numberOf = (digits: readonly number[], base: number): number =>
  digits.reduce((sum, digit) => sum * base + digit, 0)

/** An IPv6 address has its country in the first 48 bits. */
function first48Bits(ip: string): number {
  const [before = '', after] = ip.split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const given = groups(before)
  const zeros = after === undefined ? 0 : 8 - given.length - groups(after).length
  const all = [...given, ...Array.from({ length: zeros }, () => '0'), ...groups(after ?? '')]
  return numberOf(
    all.slice(0, 3).map((group) => Number.parseInt(group, 16)),
    65_536,
  )
}
