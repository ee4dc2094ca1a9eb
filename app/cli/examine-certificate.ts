import { once } from 'node:events'
import tls from 'node:tls'
import type { Config } from '#foundation/server/config.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import { Warning } from './warning.ts'

const SOON_DAYS = 14
const NOW_DAYS = 3

/** Examines if browsers accept the certificate at PUBLIC_ORIGIN, and until when it is valid. */
export async function examineCertificate({ publicOrigin }: Pick<Config, 'publicOrigin'>): Promise<string> {
  const { protocol, hostname, port } = new URL(publicOrigin)
  if (protocol !== 'https:') return 'none, PUBLIC_ORIGIN is http'
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = tls.connect({
    host,
    port: Number(port || 443),
    ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }),
    // The certificate is judged below, so that a bad certificate is not reported as an unreachable host.
    rejectUnauthorized: false,
    timeout: 5000,
  })
  socket.once('timeout', () => socket.destroy(new Error('it does not answer')))
  try {
    await once(socket, 'secureConnect')
  } catch (error) {
    // The host may be unreachable from this machine and yet reachable from outside.
    throw new Warning(`${publicOrigin} cannot be reached from here: ${errorLines(error).join(' ')}`)
  }
  const { valid_to } = socket.getPeerCertificate()
  const refusal = socket.authorized ? undefined : String(socket.authorizationError)
  socket.destroy()
  return judge(new Date(valid_to), refusal)
}

function judge(ends: Date, refusal: string | undefined): string {
  const days = Math.floor((ends.getTime() - Date.now()) / 86_400_000)
  const until = `until ${ends.toISOString().slice(0, 10)} (${days} days)`
  if (refusal && days >= 0)
    throw new Error(`browsers do not take it: ${refusal}. Renew it, with its whole chain.`)
  if (days < NOW_DAYS) throw new Error(`valid ${until}. Renew it now.`)
  if (days < SOON_DAYS) throw new Warning(`valid ${until}. Renew it.`)
  return `valid ${until}`
}
