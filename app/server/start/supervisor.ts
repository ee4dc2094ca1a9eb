import { execFile } from 'node:child_process'

/**
 * Tells systemd (`Type=notify`) that requests are answered, and, if `WatchdogSec=` is set, again and again that the process is not
 * stuck. Node has no Unix datagram sockets, so systemd's own program sends the messages. Does nothing without systemd.
 */
export function announceReady(): void {
  notify('--ready', `--pid=${process.pid}`)
  const limit_us = Number(process.env['WATCHDOG_USEC'])
  if (limit_us > 0) setInterval(() => notify('WATCHDOG=1'), limit_us / 1000 / 3).unref()
}

/** Tells systemd that the process is stopping: it only finishes what it began. */
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
