import type { Readable } from 'node:stream'

/** A file that is kept. */
export type Kept = { key: string; changed_at: Date }

/**
 * Keeps files under keys that the product makes itself: at least 8 lower-case hex digits, and an ending of letters. The names that people
 * give their files never get here, so no name can leave the folder.
 */
export type Storage = {
  /**
   * The absolute path of the folder in which files wait until they are whole; on the same disk as the kept files, if those are on a disk.
   */
  incoming: string
  /** Moves a whole file in. Once it resolves, a crash of the machine loses nothing. The file at `from` may be gone. */
  keep(key: string, from: string): Promise<void>
  /** Opens the bytes of a file; undefined where no file has the key. */
  open(key: string): Promise<Readable | undefined>
  /** Removes a file; a missing file is no error. */
  remove(key: string): Promise<void>
  /** Lists all kept files, in no particular order. */
  list(): AsyncIterable<Kept>
}
