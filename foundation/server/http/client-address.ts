import { isIP, isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * The address a request came from (rule 41). The nearest proxy is the socket's peer, the next one the last entry of
 * X-Forwarded-For, and so on, for as many proxies as the operator trusts. An entry that is no address ends the walk: what
 * comes before it may have been written by the caller, whose attack is to pose as another address.
 */
export function clientAddress(request: FastifyRequest, trustedProxies: number): string {
  let address = parseAddress(request.socket.remoteAddress ?? '') ?? '0.0.0.0'
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
  for (const entry of forwarded.toReversed().slice(0, trustedProxies)) {
    const next = parseAddress(entry.trim())
    if (!next) break
    address = next
  }
  return address
}

/** Reads `ip`, `ip:port`, `[ip]` and `[ip]:port`; undefined for anything else. PostgreSQL takes the result as inet. */
export function parseAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  const [, bracketed, plain = text] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? []
  if (bracketed !== undefined && isIPv4(bracketed)) return undefined
  if (isIP(bracketed ?? plain) === 0) return undefined
  // A zone (fe80::1%eth0) names an interface of this machine; an address stored or counted has none.
  const [address = ''] = (bracketed ?? plain).split('%')
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

/** True where a header says that a proxy forwards the request. */
export const isForwarded = ({ headers }: FastifyRequest): boolean =>
  headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined

/** True for a request made on this machine: its peer is local, and no header says that a proxy forwards it. */
export const isFromThisMachine = (request: FastifyRequest): boolean =>
  !isForwarded(request) && isLoopback(parseAddress(request.socket.remoteAddress ?? '') ?? '')

const isLoopback = (address: string): boolean => /^127\.|^::1$/.test(address)
