import fs from 'node:fs'
import { errorCode } from './error-code.ts'

const GATHER_MS = 100
const GATHER_BYTES = 32 * 1024
const MOST_BYTES = 8 * 1024 * 1024
const AGAIN_MS = 50
const LAST_MS = 500

let dropped = 0

/** The lines of the log that could not be written since the start of the process. */
export const droppedLogLines = (): number => dropped

type Chunk = { bytes: Buffer; lines: number; isBegun: boolean }

/**
 * Writes lines to a descriptor. Lines are gathered for a tenth of a second or 32 kB, so that a request costs no write of its own. Lines
 * that cannot be written (a full disk, a reader that is gone) are dropped and counted, and so are lines beyond 8 MB that nobody takes: a log
 * neither ends the process nor holds it up, for then no supervisor would help. `onBack` is told the number of lines that were lost, as
 * soon as lines can be written again.
 */
export class LogOutput {
  readonly #descriptor: number
  readonly #onBack: (lines: number) => void
  #gathered: string[] = []
  #gatheredBytes = 0
  #timer: NodeJS.Timeout | undefined
  /** The lines that a write was asked for. */
  #chunk: Chunk | undefined
  /** True while the reader takes nothing, and no write is under way. */
  #isPaused = false
  #lost = 0
  /** True if the disk became full in the middle of a line: the next line begins anew. */
  #isTorn = false

  constructor(descriptor: number, onBack: (lines: number) => void) {
    this.#descriptor = descriptor
    this.#onBack = onBack
  }

  write(line: string): void {
    if (this.#gatheredBytes + line.length > MOST_BYTES) {
      this.#drop(1)
      return
    }
    this.#gathered.push(line)
    this.#gatheredBytes += line.length
    if (this.#gatheredBytes >= GATHER_BYTES) this.flush()
    else this.#flushSoon()
  }

  /** Writes what was gathered, without waiting for it. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#chunk || this.#gathered.length === 0) return
    this.#chunk = this.#gather()
    this.#writeChunk(this.#chunk)
  }

  /** Writes what was gathered before it returns, for as long as LAST_MS at most. A write that is under way ends by itself. */
  flushSync(): void {
    const paused = this.#isPaused && this.#chunk ? [this.#chunk] : []
    if (this.#isPaused) this.#chunk = undefined
    this.#isPaused = false
    for (const chunk of [...paused, this.#gather()])
      if (!writeNow(this.#descriptor, chunk.bytes)) this.#drop(chunk.lines)
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS).unref()
  }

  #gather(): Chunk {
    const bytes = Buffer.from((this.#isTorn ? '\n' : '') + this.#gathered.join(''))
    const lines = this.#gathered.length
    this.#gathered = []
    this.#gatheredBytes = 0
    return { bytes, lines, isBegun: false }
  }

  #writeChunk(chunk: Chunk): void {
    this.#isPaused = false
    fs.write(this.#descriptor, chunk.bytes, (error, count) => {
      if (isBusy(error)) this.#pause()
      else if (error === null && count < chunk.bytes.length) {
        this.#chunk = { ...chunk, bytes: chunk.bytes.subarray(count), isBegun: true }
        this.#writeChunk(this.#chunk)
      } else this.#end(chunk, error === null)
    })
  }

  #pause(): void {
    this.#isPaused = true
    setTimeout(() => this.#isPaused && this.#chunk && this.#writeChunk(this.#chunk), AGAIN_MS).unref()
  }

  #end({ lines, isBegun }: Chunk, isWritten: boolean): void {
    this.#chunk = undefined
    this.#isTorn = isWritten ? false : this.#isTorn || isBegun
    if (!isWritten) this.#drop(lines)
    else if (this.#lost > 0) {
      this.#onBack(this.#lost)
      this.#lost = 0
    }
    if (this.#gathered.length > 0) this.#flushSoon()
  }

  #drop(lines: number): void {
    dropped += lines
    this.#lost += lines
  }
}

/** Writes all bytes before it returns; false where that is not possible, or the reader takes them too slowly. */
function writeNow(descriptor: number, bytes: Buffer): boolean {
  const until = performance.now() + LAST_MS
  for (let rest = bytes; rest.length > 0;) {
    try {
      rest = rest.subarray(fs.writeSync(descriptor, rest))
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) return false
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS)
    }
  }
  return true
}

const isBusy = (error: unknown): boolean => ['EAGAIN', 'EBUSY'].includes(errorCode(error) ?? '')

let isTolerant = false

/**
 * Lets a line on standard output or error that nobody can read end nothing. Node also makes these streams so that a write into a full pipe
 * does not wait.
 */
export function tolerateLostOutput(): void {
  if (isTolerant) return
  isTolerant = true
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
