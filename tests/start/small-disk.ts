import { execFileSync } from 'node:child_process'
import { chmodSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

/** Mounts a disk of its own for the test, in memory; only root may. */
export function smallDisk(size: string): string {
  const folder = temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder])
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  chmodSync(folder, 0o755)
  return folder
}

/** Fills the disk to the last block. Returns the file that does; whoever removes it makes room again. */
export function fillDisk(folder: string): string {
  const file = path.join(folder, 'filling')
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(file, Buffer.alloc(bavail * bsize))
  return file
}
