import { execFile } from 'node:child_process'

/**
 * Tells systemd (`Type=notify`) that requests are answered, and from then on that the process is not stuck, where
 * `WatchdogSec=` asks for it. Node has no datagram sockets of the file system, so systemd's own program speaks for it.
 * Does nothing where nobody asked.
 */
export function announceReady(): void {
  notify('--ready', `--pid=${process.pid}`)
  const limit_us = Number(process.env['WATCHDOG_USEC'])
  if (limit_us > 0) setInterval(() => notify('WATCHDOG=1'), limit_us / 1000 / 3).unref()
}

/** From now on the process only finishes what it began. */
export function announceStop(): void {
  notify('STOPPING=1')
}

const program = 'systemd-notify'

function notify(...state: string[]): void {
  if (!process.env['NOTIFY_SOCKET']) return
  // The call fails where systemd-notify is missing; then the start times out, and the journal says why.
  execFile(program, state, (error) => {
    if (error) process.stderr.write(`hostdesk: systemd-notify: ${error.message.trim()}\n`)
  })
}
