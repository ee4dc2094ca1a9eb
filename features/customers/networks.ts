import { canonicalIpv6 } from '#foundation/ipv6.ts'

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1?\d?\d)`
const WHOLE = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`)
const BEGINNING = new RegExp(`^(${OCTET}(?:\\.${OCTET}){1,2})(\\.?\\*?)$`)
const NETWORK = new RegExp(`^(${OCTET}(?:\\.${OCTET}){3})/([89]|[12]\\d|3[0-2])$`)

/**
 * Reads an address or a network as a search means it: an IPv4 or IPv6, a network in CIDR form, or the beginning of an address such as
 * `203.0.113.` or `2001:db8:77:`. Two numbers with a point may also be a version or an amount, so they need a point behind them.
 */
export function readNetwork(text: string): string | undefined {
  if (WHOLE.test(text)) return text
  if (NETWORK.test(text)) return text
  const [, beginning, end] = BEGINNING.exec(text) ?? []
  if (beginning !== undefined) {
    const octets = beginning.split('.')
    if (octets.length === 2 && end === '') return undefined
    return `${[...octets, '0', '0'].slice(0, 4).join('.')}/${8 * octets.length}`
  }
  return readIpv6(text)
}

function readIpv6(text: string): string | undefined {
  const [, groups] = /^((?:[\da-f]{1,4}:){2,7}):?$/i.exec(text) ?? []
  if (groups !== undefined) {
    const given = groups.split(':').length - 1
    const network = canonicalIpv6(`${groups}:`)
    return network === undefined ? undefined : `${network}/${16 * given}`
  }
  const [, address = text, bits] = /^(.+)\/(1[6-9]|[2-9]\d|1[01]\d|12[0-8])$/.exec(text) ?? []
  const canonical = canonicalIpv6(address)
  return canonical === undefined || bits === undefined || bits === '128' ? canonical : `${canonical}/${bits}`
}
