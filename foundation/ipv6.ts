/**
 * Returns an IPv6 address, or a /64 network, in its canonical form (RFC 5952), so that texts can be compared: `2001:DB8:0::1` becomes
 * `2001:db8::1`. Returns undefined for anything else, also for an address with a zone, which names an interface; for an address that
 * stands for an IPv4 (mapped or compatible), because that IPv4 address is the one to license; and for a network with bits behind its
 * prefix, because the text may mean the one address or the whole network.
 */
export function canonicalIpv6(text: string): string | undefined {
  const [, typed, bits] = /^([\da-f:.]{2,45})(?:\/(64|128))?$/i.exec(text) ?? []
  const address = typed === undefined ? undefined : shortest(typed)
  if (address === undefined) return undefined
  const groups = groupsOf(address)
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === '0')
  if (isZero(0, 5) && (groups[5] === '0' || groups[5] === 'ffff')) return undefined
  if (bits !== '64') return address
  return isZero(4, 8) && !isZero(0, 4) ? `${address}/64` : undefined
}

/** True if an address is the licensed one, or in the licensed network. Both texts are canonical. */
export function isWithin(address: string, licensed: string): boolean {
  const [network = '', bits] = licensed.split('/')
  if (bits === undefined || address.includes('/')) return address === licensed
  const prefix = groupsOf(network).slice(0, 4)
  return groupsOf(address).slice(0, 4).join(':') === prefix.join(':')
}

/** Returns an address as URLs write it; undefined for a text that is no address. `URL` is in browsers and in Node and needs no package. */
function shortest(typed: string): string | undefined {
  try {
    return new URL(`http://[${typed}]`).hostname.slice(1, -1)
  } catch {
    return undefined
  }
}

/** Returns the eight groups of a canonical address. */
function groupsOf(address: string): string[] {
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
}
