import { BlockList, isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Reads networks such as 203.0.113.0/24, separated by commas. Returns undefined if one of them is no network, or has bits set behind its
 * prefix: 10.1.2.3/8 may mean one host or all of 10.0.0.0/8.
 */
export function readNetworks(text: string): BlockList | undefined {
  const list = new BlockList()
  try {
    for (const one of text.split(',').map((part) => part.trim())) {
      const [address = '', length] = one.split('/')
      const family = isIPv4(address) ? 'ipv4' : 'ipv6'
      const subnet = `${address}/${length ?? (family === 'ipv4' ? 32 : 128)}`
      const [given, prefix] = ipaddr.parseCIDR(subnet)
      const first = (family === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(subnet)
      // The library also accepts 10.0/8 and 0x0a.0.0.0/8, which `isIP` refuses.
      if (isIP(address) === 0 || first.toString() !== given.toString()) return undefined
      list.addSubnet(address, prefix, family)
    }
    return list
  } catch {
    return undefined
  }
}
