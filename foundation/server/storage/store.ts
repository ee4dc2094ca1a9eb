import type { Readable } from 'node:stream'

/** A file that is kept. */
export type Kept = { key: string; changed_at: Date }

/**
 * Keeps files under keys that we make ourselves: at least 8 lower-case hex digits, and an ending of letters. The names
 * that people give their files never get here, so no name can leave the folder.
 */
export type Storage = {
  /** The folder in which files wait until they are whole: absolute, on the disk that keeps them where a disk does. */
  incoming: string
  /** Moves a whole file in. Once it resolves, a crash of the machine loses nothing. The file at `from` may be gone. */
  keep(key: string, from: string): Promise<void>
  /** The bytes; undefined where there are none. */
  open(key: string): Promise<Readable | undefined>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
  /** Lists all that is kept, in no order. */
  list(): AsyncIterable<Kept>
}
