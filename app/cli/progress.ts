/** Shows progress on the error stream: one line that is rewritten each second on a terminal, a new line each 10 s elsewhere. */
export function startProgress(): { say(line: string): void; end(): void } {
  const isTTY = process.stderr.isTTY
  const pause_ms = isTTY ? 1_000 : 10_000
  let last = performance.now()
  let isShown = false
  return {
    say(line) {
      if (performance.now() - last < pause_ms) return
      last = performance.now()
      isShown = isTTY
      process.stderr.write(isTTY ? `\r\u001B[K${line}` : `hostdesk: ${line}\n`)
    },
    end() {
      if (isShown) process.stderr.write('\r\u001B[K')
    },
  }
}
