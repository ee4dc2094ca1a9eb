import { Resolver } from 'node:dns/promises'
import { isIPv4, type BlockList, type LookupFunction } from 'node:net'
import { isAllowedAddress } from './allowed-address.ts'

/** Returns the addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** The code of an error for an address that no URL of a customer may lead to. */
export const REFUSED_ADDRESS = 'REFUSED_ADDRESS'

/**
 * The look-up of a connection: the very addresses that it judges are connected to, so that a name cannot lead elsewhere a moment later. A name
 * with one refused address is refused as a whole.
 */
export const judgedLookup =
  (resolve: Resolve, opened?: BlockList): LookupFunction =>
  (hostname, options, done) => {
    resolve(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }))
        const [first] = found
        if (!first) return done(failed('ENOTFOUND', hostname), '')
        if (!addresses.every((address) => isAllowedAddress(address, opened)))
          return done(failed(REFUSED_ADDRESS, hostname), '')
        return options.all ? done(null, found) : done(null, first.address, first.family)
      },
      (error: unknown) => done(error instanceof Error ? error : failed('ENOTFOUND', hostname), ''),
    )
  }

const failed = (code: string, hostname: string) => Object.assign(new Error(`${code} ${hostname}`), { code })

const resolver = new Resolver({ timeout: 3_000, tries: 2 })

/**
 * Asks the name servers of this machine. It reads no hosts file and adds no search domain, so that only full names lead anywhere, and waits
 * in no thread: names that nobody answers hold up nothing else.
 */
export const resolveByDns: Resolve = async (hostname) => {
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}
