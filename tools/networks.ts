import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import * as z from 'zod/mini'
import { readJson } from './read-json.ts'

/**
 * Prints features/invoices/server/networks.br: the countries of networks, for VAT (decision 147). The argument is the folder of an unpacked
 * `npm pack @ip-location-db/geo-whois-asn-country`. The ranges of a country that touch become one; IPv6 is kept to 48 bits.
 */
const folder = process.argv[2]
if (folder === undefined) throw new Error('Name the folder of the unpacked package.')
const { version } = readJson(`${folder}/package.json`, z.object({ version: z.string() }))

type Boundary = { from: bigint; country: string }

/** Returns where each range begins, in units of 2^`dropped` addresses; '' follows a range that no other one touches. */
function boundariesOf(file: string, dropped: bigint): Boundary[] {
  const found: Boundary[] = [{ from: 0n, country: '' }]
  let reached = 0n
  const add = (from: bigint, country: string) => {
    const last = found.at(-1)
    if (last?.from === from) last.country = country
    else if (last?.country !== country) found.push({ from, country })
  }
  for (const line of readFileSync(`${folder}/geo-whois-asn-country-${file}-num.csv`, 'utf8').split('\n')) {
    const [start, end, country] = line.trim().split(',')
    if (!start || !end || !country || !/^[A-Z]{2}$/.test(country)) continue
    let from = (BigInt(start) + (1n << dropped) - 1n) >> dropped
    const to = (BigInt(end) + 1n) >> dropped
    // Some ranges lie within another one: the later and smaller one counts, and the larger goes on behind it.
    const isWithin = from < reached
    if (isWithin) found.pop()
    const { from: latest = 0n, country: outer = '' } = found.at(-1) ?? {}
    if (from < latest) from = latest
    if (to > from) {
      add(from, country)
      if (isWithin && to < reached) found.push({ from: to, country: outer })
      else reached = to
    }
    if (to > from || isWithin) found.push({ from: reached, country: '' })
  }
  return found.filter(
    ({ from, country }, place) => found[place + 1]?.from !== from && country !== found[place - 1]?.country,
  )
}

const parts = [boundariesOf('ipv4', 0n), boundariesOf('ipv6', 80n)]
const codes = [...new Set(parts.flat().map(({ country }) => country))].toSorted()
const bytes: number[] = []
for (const part of parts) {
  let before = 0n
  for (const { from } of part) {
    let step = from - before
    before = from
    for (; step > 127n; step >>= 7n) bytes.push(Number(step & 127n) | 128)
    bytes.push(Number(step))
  }
  for (const { country } of part) bytes.push(codes.indexOf(country))
}
const head = JSON.stringify({ version, codes, counts: parts.map((part) => part.length) })
const whole = Buffer.concat([Buffer.from(`${head}\n`), Buffer.from(bytes)])
const packed = brotliCompressSync(whole, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } })
writeFileSync('features/invoices/server/networks.br', packed)
process.stdout.write(`${head.slice(0, 60)}… ${whole.length} bytes, packed ${packed.length}\n`)
