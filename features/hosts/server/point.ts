/** A disk other than `/`, and its used share, in hundredths of a percent. */
export type Disk = { mount: string; used: number; total_bytes: number }

/** A report of an agent: whole numbers, to the resolution that is kept. */
export type Point = {
  /** Seconds since 1970. */
  at_s: number
  /** Hundredths. */
  load: number
  /** The used shares, in hundredths of a percent. */
  memory: number
  disk: number
  memory_total_bytes: number
  disk_total_bytes: number
  /** In the order of their mounts; absent for a machine with one disk, and in the rows of the release before. */
  disks?: readonly Disk[]
}
