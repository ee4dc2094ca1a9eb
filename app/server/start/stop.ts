import type { App } from '#foundation/server/app.ts'
import { writeGathered } from '../build-app.ts'

type Limits = { write_ms: number; end_ms: number }
const limits: Limits = { write_ms: 18_000, end_ms: 25_000 }

/** Stops the process on SIGTERM or Ctrl-C, after running requests and jobs. A second signal, or 25 s, ends it at once. */
export function stopOnSignals(app: App, stop: () => Promise<void>): void {
  const { log } = app
  let stopping = false
  const onSignal = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    void stopInTime(app, stop).then((code) => process.exit(code))
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  // An uncaught exception leaves the process in an unknown state: log it, and let the supervisor restart the process.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event)
      process.exit(1)
    })
  }
}

/**
 * Stops, and returns the exit code. Closing the application writes what it has gathered in its memory; where something holds that up, such as
 * a slow upload, or fails before it, that is written all the same before the time is over.
 */
export async function stopInTime(
  app: Pick<App, 'log' | 'beforeClose'>,
  stop: () => Promise<void>,
  { write_ms, end_ms }: Limits = limits,
): Promise<number> {
  const { log } = app
  const write = () =>
    writeGathered(app).catch((error: unknown) => log.error({ err: error }, 'stopping: not all was written'))
  const late = setTimeout(() => {
    log.warn('stopping takes long: what was gathered in memory is written now')
    void write()
  }, write_ms)
  const stopped = stop().then(
    () => {
      log.info('stopped')
      return 0
    },
    async (error: unknown) => {
      log.error({ err: error }, 'stopping failed')
      await write()
      return 1
    },
  )
  let end: NodeJS.Timeout | undefined
  const over = new Promise<number>((resolve) => {
    end = setTimeout(resolve, end_ms, 1)
  })
  const code = await Promise.race([stopped, over])
  clearTimeout(late)
  clearTimeout(end)
  return code
}
