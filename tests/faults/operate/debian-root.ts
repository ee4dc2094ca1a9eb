import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { hasProgram } from '#tools/has-program.ts'

/** True if mmdebstrap is installed (`apt-get install mmdebstrap`) and this process runs as root: only root can make a root file system. */
export const canMakeRoots = hasProgram('mmdebstrap') && process.getuid?.() === 0

/** Makes a root file system with these packages of this machine's Debian release: a folder, or a tar file if `target` ends with `.tar`. */
export function makeDebianRoot(
  target: string,
  variant: 'minbase' | 'extract',
  packages: readonly string[],
): void {
  const release = execFileSync('sh', ['-c', '. /etc/os-release; echo $VERSION_CODENAME'], {
    encoding: 'utf8',
  }).trim()
  execFileSync(
    'mmdebstrap',
    [
      '--quiet',
      '--mode=root',
      '--dpkgopt=force-unsafe-io',
      `--variant=${variant}`,
      `--include=${packages.join(',')}`,
      release,
      target,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
}

export type Machine = {
  folder: string
  /** Runs a command. Returns its exit code and all it said. */
  run(...command: string[]): { status: number | null; said: string }
  start(settings: Record<string, string>, ...command: string[]): ChildProcess
}

/** Returns a machine whose root is this folder: its programs see that root, a /proc of their own and the network of this machine. */
export function machineAt(folder: string): Machine {
  const inside = [
    '--mount',
    'sh',
    '-c',
    'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"',
    path.resolve(folder),
  ]
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' }
  return {
    folder,
    run(...command) {
      const { status, stdout, stderr } = spawnSync('unshare', [...inside, ...command], {
        env,
        encoding: 'utf8',
      })
      return { status, said: stdout + stderr }
    },
    start: (settings, ...command) =>
      spawn('unshare', [...inside, ...command], {
        env: { ...env, ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      }),
  }
}
