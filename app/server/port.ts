import net from 'node:net'
import { errorCode } from '#foundation/server/error-code.ts'
import { ConfigError } from '#foundation/server/config-error.ts'
import type { Config } from '#foundation/server/config.ts'

/** Throws ConfigError if the server could not listen on the configured port, before anything else is started or changed. */
export async function assertPortFree(config: Config): Promise<void> {
  const server = net.createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(config.port, config.host, resolve)
    })
  } catch (error) {
    throw new ConfigError([describePortError(error, config)])
  }
  await new Promise((resolve) => server.close(resolve))
}

/** Returns one line that says why the server cannot listen on the port, and what to set. */
export function describePortError(error: unknown, { port, host }: Config): string {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `PORT: ${port} is in use by another program. Stop that one, or set PORT to a free port, for example ${port + 1}.`
    case 'EACCES':
      return `PORT: this user may not listen on ${port}. Set PORT to 1024 or higher.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: ${host} is no address of this machine. Set HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.`
    default:
      return `PORT: cannot listen on ${host}:${port} (${String(error)}).`
  }
}
