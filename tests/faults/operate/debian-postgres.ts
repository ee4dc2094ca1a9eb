import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '#tests/harness/free-port.ts'

const VERSIONS = '/usr/lib/postgresql'

/** Returns the folder of programs of Debian's newest PostgreSQL on this machine (`apt-get install postgresql`); undefined without one. */
export const debianBinaries = (): string | undefined =>
  existsSync(VERSIONS)
    ? readdirSync(VERSIONS)
        .toSorted((one, other) => Number(one) - Number(other))
        .map((version) => path.join(VERSIONS, version, 'bin'))
        .findLast((folder) => existsSync(path.join(folder, 'initdb')))
    : undefined

const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString())

/** Makes a temporary folder that belongs to the user postgres. */
export function makePlace(): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-debian-'))
  chownSync(folder, idOf('-u'), idOf('-g'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export function makeFolder(folder: string): string {
  mkdirSync(folder)
  chownSync(folder, idOf('-u'), idOf('-g'))
  return folder
}

/** Runs a program as the user postgres, as an administrator does with `sudo -u postgres`. Returns its output. */
export function asPostgres(command: string, ...parameters: string[]): string {
  const file =
    command.startsWith('/') || !debianBinaries() ? command : path.join(debianBinaries() ?? '', command)
  return execFileSync(existsSync(file) ? file : command, parameters, {
    uid: idOf('-u'),
    gid: idOf('-g'),
    cwd: '/',
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: '/tmp', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export type Cluster = {
  data: string
  port: number
  url(user: string, database: string): string
  start(): void
  stop(): void
}

export async function clusterAt(data: string, settings: Record<string, string>): Promise<Cluster> {
  const port = await freePort()
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: path.dirname(data),
    ...settings,
  }
  const options = Object.entries(all).map(
    ([name, value]) => `-c ${name}='${value.replaceAll("'", String.raw`'\''`)}'`,
  )
  return {
    data,
    port,
    url: (user, database) => `postgres://${user}@127.0.0.1:${port}/${database}`,
    start: () =>
      void asPostgres('pg_ctl', '-D', data, '-w', '-l', `${data}.log`, '-o', options.join(' '), 'start'),
    stop: () => void asPostgres('pg_ctl', '-D', data, '-w', '-m', 'fast', 'stop'),
  }
}

export function makeCluster(data: string): void {
  asPostgres('initdb', '-D', data, '--auth=trust', '--username=postgres', '--encoding=UTF8')
}
