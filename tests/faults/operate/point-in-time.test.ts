import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { migrate } from '#foundation/server/database/migrate.ts'
import {
  asPostgres,
  clusterAt,
  debianBinaries,
  makeCluster,
  makeFolder,
  makePlace,
  type Cluster,
} from './debian-postgres.ts'
import { hasS3Server, startS3Server } from './s3-server.ts'

// The tests follow the steps of docs/operate/backup.md with the PostgreSQL of Debian.
const place = debianBinaries() ? makePlace() : undefined
const running: Cluster[] = []
afterAll(() => {
  for (const cluster of running) {
    try {
      cluster.stop()
    } catch {
      // The cluster was stopped already.
    }
  }
  place?.remove()
})

async function ask<Row extends object>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

async function startWith(folder: string, settings: Record<string, string>): Promise<Cluster> {
  const data = path.join(folder, 'data')
  makeCluster(data)
  const cluster = await clusterAt(data, settings)
  cluster.start()
  running.push(cluster)
  await ask(
    cluster.url('postgres', 'postgres'),
    'create role hostdesk login createrole createdb',
    'create database hostdesk owner hostdesk',
  )
  await migrate(cluster.url('hostdesk', 'hostdesk'))
  return cluster
}

const write = (cluster: Cluster, act: string) =>
  ask(cluster.url('hostdesk', 'hostdesk'), `insert into audit (act) values ('${act}')`)
const acts = async (cluster: Cluster) =>
  (await ask<{ act: string }>(cluster.url('hostdesk', 'hostdesk'), 'select act from audit order by id')).map(
    ({ act }) => act,
  )
const now = async (cluster: Cluster) =>
  (
    await ask<{ now: string }>(cluster.url('postgres', 'postgres'), 'select clock_timestamp()::text as now')
  )[0]?.now ?? ''

describe.skipIf(!place)('with the PostgreSQL of Debian', () => {
  it('goes back to a point in time, by a base copy and an archive of WAL in a folder', async () => {
    const folder = makeFolder(path.join(place?.folder ?? '', 'folder'))
    const archive = makeFolder(path.join(folder, 'archive'))
    const settings = {
      wal_level: 'replica',
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    }
    const cluster = await startWith(folder, settings)
    const base = path.join(folder, 'base')
    asPostgres('pg_basebackup', '-D', base, '-d', cluster.url('postgres', 'postgres'), '--checkpoint=fast')
    await write(cluster, 'after the copy')
    const point = await now(cluster)
    await write(cluster, 'a mistake')
    await ask(cluster.url('postgres', 'postgres'), 'select pg_switch_wal()')
    cluster.stop()
    appendFileSync(
      path.join(base, 'postgresql.auto.conf'),
      `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${point}'\nrecovery_target_action = 'promote'\n`,
    )
    writeFileSync(path.join(base, 'recovery.signal'), '')
    execFileSync('chown', ['-R', 'postgres:postgres', base])
    const again = await clusterAt(base, { archive_mode: 'off' })
    again.start()
    running.push(again)
    await expect
      .poll(
        async () =>
          (
            await ask<{ yes: boolean }>(
              again.url('postgres', 'postgres'),
              'select pg_is_in_recovery() as yes',
            )
          )[0]?.yes,
        {
          timeout: 60_000,
        },
      )
      .toBe(false)
    expect(await acts(again)).toEqual(['after the copy'])
  })

  it.skipIf(!existsSync('/usr/bin/pgbackrest'))('goes back to a point in time by pgBackRest', async () => {
    const folder = makeFolder(path.join(place?.folder ?? '', 'pgbackrest'))
    await thereAndBack(folder, { 'repo1-path': `${folder}/repo` })
  })

  it.skipIf(!existsSync('/usr/bin/pgbackrest') || !hasS3Server())(
    'goes back to a point in time by pgBackRest, encrypted in the bucket of an S3 server',
    async () => {
      const folder = makeFolder(path.join(place?.folder ?? '', 'bucket'))
      const server = await startS3Server(path.join(folder, 's3'), ['hostdesk-wal'])
      try {
        await thereAndBack(folder, {
          'repo1-type': 's3',
          'repo1-s3-endpoint': 'localhost',
          'repo1-s3-bucket': 'hostdesk-wal',
          'repo1-s3-region': 'us-east-1',
          'repo1-s3-uri-style': 'path',
          'repo1-s3-key': server.key,
          'repo1-s3-key-secret': server.secret,
          'repo1-path': '/pgbackrest',
          'repo1-cipher-type': 'aes-256-cbc',
          'repo1-cipher-pass': 'some words that nobody knows',
          'repo1-storage-port': String(server.port),
          'repo1-storage-ca-file': server.ca,
        })
        expect(readdirSync(path.join(server.folderOf('hostdesk-wal'), 'pgbackrest')).toSorted()).toEqual([
          'archive',
          'backup',
        ])
      } finally {
        await server.stop()
      }
    },
  )

  /** Runs the commands of the page with this repository: makes a backup, and restores the state before the mistake. */
  async function thereAndBack(folder: string, repository: Record<string, string>): Promise<void> {
    const config = path.join(folder, 'pgbackrest.conf')
    const lines = Object.entries(repository)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('')
    const pgbackrest = (...parameters: string[]) =>
      asPostgres(
        '/usr/bin/pgbackrest',
        `--config=${config}`,
        '--stanza=hostdesk',
        '--log-level-console=warn',
        ...parameters,
      )
    const settings = {
      wal_level: 'replica',
      archive_mode: 'on',
      archive_command: `pgbackrest --config=${config} --stanza=hostdesk archive-push %p`,
    }
    for (const name of ['repo', 'log', 'lock', 'spool']) makeFolder(path.join(folder, name))
    writeFileSync(config, '')
    const data = path.join(folder, 'data')
    makeCluster(data)
    const cluster = await clusterAt(data, settings)
    writeFileSync(
      config,
      `[global]\n${lines}repo1-retention-full=2\nlog-path=${folder}/log\nlock-path=${folder}/lock\nspool-path=${folder}/spool\n` +
        `[hostdesk]\npg1-path=${data}\npg1-port=${cluster.port}\npg1-socket-path=${folder}\npg1-user=postgres\n`,
    )
    cluster.start()
    running.push(cluster)
    pgbackrest('stanza-create')
    await ask(
      cluster.url('postgres', 'postgres'),
      'create role hostdesk login createrole createdb',
      'create database hostdesk owner hostdesk',
    )
    await migrate(cluster.url('hostdesk', 'hostdesk'))
    pgbackrest('--type=full', '--start-fast', 'backup')
    // pgBackRest records the end of a backup to the second, and uses no backup that ended in the second of the restore point.
    await ask(cluster.url('postgres', 'postgres'), 'select pg_sleep(1)')
    await write(cluster, 'after the backup')
    const point = await now(cluster)
    await write(cluster, 'a mistake')
    await ask(cluster.url('postgres', 'postgres'), 'select pg_switch_wal()')
    pgbackrest('check')
    cluster.stop()
    pgbackrest('--delta', '--type=time', `--target=${point}`, '--target-action=promote', 'restore')
    cluster.start()
    await expect
      .poll(
        async () =>
          (
            await ask<{ yes: boolean }>(
              cluster.url('postgres', 'postgres'),
              'select pg_is_in_recovery() as yes',
            )
          )[0]?.yes,
        {
          timeout: 60_000,
        },
      )
      .toBe(false)
    expect(await acts(cluster)).toEqual(['after the backup'])
    // The cluster stops while its repository still answers: PostgreSQL ends only when its log is archived.
    cluster.stop()
  }

  it('pg_dump fails at row-level security as role hostdesk, and writes a complete dump as a role with bypassrls', async () => {
    const folder = makeFolder(path.join(place?.folder ?? '', 'dump'))
    const cluster = await startWith(folder, {})
    await write(cluster, 'kept')
    await ask(
      cluster.url('postgres', 'hostdesk'),
      'create role hostdesk_backup login bypassrls',
      'grant pg_read_all_data to hostdesk_backup',
    )
    const file = path.join(folder, 'hostdesk.dump')
    expect(() => asPostgres('pg_dump', '-Fc', '-f', file, '-d', cluster.url('hostdesk', 'hostdesk'))).toThrow(
      'row-level security',
    )
    asPostgres('pg_dump', '-Fc', '-f', file, '-d', cluster.url('hostdesk_backup', 'hostdesk'))
    await ask(cluster.url('postgres', 'postgres'), 'create database again owner hostdesk')
    asPostgres('pg_restore', '--exit-on-error', '-d', cluster.url('postgres', 'again'), file)
    expect(await ask(cluster.url('hostdesk', 'again'), 'select act from audit')).toEqual([{ act: 'kept' }])
    await expect(migrate(cluster.url('hostdesk', 'again'))).resolves.toBeUndefined()
  })
})
