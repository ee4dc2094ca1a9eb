import { spawnSync } from 'node:child_process'

/** True for a program on the path, also one that only administrators have there. */
export const hasProgram = (name: string): boolean =>
  spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin; command -v ${name}`]).status === 0
