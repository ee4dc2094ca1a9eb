import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * True for an address that a URL of a customer may lead to: a global unicast one, or one of a private range that the operator has `opened`.
 * The attack is a URL that makes this server speak to what only it can reach: its own ports, the inner network, or the metadata service of
 * the cloud, which gives out keys. Forms that carry an IPv4 address within an IPv6 one (mapped, NAT64, 6to4, Teredo) are none of them.
 */
export function isAllowedAddress(address: string, opened?: BlockList): boolean {
  const family = isIP(address)
  if (family === 0) return false
  const [type, range] = [family === 4 ? 'ipv4' : 'ipv6', ipaddr.parse(address).range()] as const
  if (never.check(address, type)) return false
  if (range === 'unicast') return family === 4 || globalIpv6.check(address, type)
  return OPENABLE.has(range) && opened?.check(address, type) === true
}

/** The ranges that the operator may open; the others name no machine of a network. */
const OPENABLE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat', 'loopback'])

/** The part of IPv6 from which global unicast addresses are given out (RFC 4291, IANA). */
const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')

/** Link-local addresses, and the metadata services of clouds that have others: no setting opens them. */
const never = new BlockList()
never.addSubnet('169.254.0.0', 16)
never.addSubnet('fe80::', 10, 'ipv6')
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192']) never.addAddress(address)
for (const address of ['fd00:ec2::254', 'fd20:ce::254', 'fd00:42::42']) never.addAddress(address, 'ipv6')
