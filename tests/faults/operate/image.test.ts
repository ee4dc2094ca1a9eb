import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { production } from '#bench/production.ts'
import { must } from '#foundation/must.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { clusterAt, debianBinaries, makeCluster, makePlace, type Cluster } from './debian-postgres.ts'
import { canMakeRoots, makeDebianRoot } from './debian-root.ts'
import { hasProgram } from '#tools/has-program.ts'
import { builtRelease } from './release-archives.ts'

type Image = {
  Docker: {
    config: {
      User: string
      Entrypoint: string[]
      Cmd: string[]
      Env: string[]
      Healthcheck: { Test: string[] }
    }
  }
}

// The tests need `apt-get install buildah mmdebstrap postgresql`.
const canBuild = canMakeRoots && hasProgram('buildah') && debianBinaries() !== undefined

describe.skipIf(!canBuild)('the container image, on the four C libraries of Debian', () => {
  const place = mkdtempSync(path.join(tmpdir(), 'hostdesk-image-'))
  const store = ['--storage-driver=vfs', `--root=${place}/store`, `--runroot=${place}/run`]
  // buildah needs no daemon, registry or namespaces here: a container sees the files of the image and the network of this machine.
  const buildah = (command: string, ...parameters: string[]) => {
    const { status, stdout, stderr } = spawnSync('buildah', [...store, command, ...parameters], {
      encoding: 'utf8',
      maxBuffer: 1 << 24,
    })
    return { status, said: stdout.trim(), complained: stderr }
  }
  const made = (command: string, ...parameters: string[]) => {
    const { status, said, complained } = buildah(command, ...parameters)
    if (status !== 0) throw new Error(`buildah ${command}: ${complained}`)
    return said
  }
  let container = ''
  let cluster: Cluster | undefined
  const debian = canBuild ? makePlace() : undefined

  beforeAll(async () => {
    const { version, folder } = builtRelease()
    const root = path.join(place, 'root.tar')
    makeDebianRoot(root, 'extract', ['libc6', 'libstdc++6', 'libgcc-s1'])
    const base = made('from', 'scratch')
    made('add', base, root, '/')
    made('commit', '--format=docker', base, 'localhost/base')
    const file = path.join(place, 'Containerfile')
    copyFileSync('deploy/container/Containerfile', file)
    const given = ['BASE=localhost/base', `VERSION=${version}`, `ARCH=${process.arch}`]
    made(
      'build',
      '--isolation=chroot',
      '--format=docker',
      '--pull-never',
      '--tag=localhost/hostdesk',
      ...given.map((argument) => `--build-arg=${argument}`),
      `--file=${file}`,
      folder,
    )
    container = made('from', '--pull-never', 'localhost/hostdesk')
    const data = path.join(must(debian).folder, 'data')
    makeCluster(data)
    cluster = await clusterAt(data, {})
    cluster.start()
    const client = new pg.Client({ connectionString: cluster.url('postgres', 'postgres') })
    await client.connect()
    await client.query('create role hostdesk login createrole createdb')
    await client.query('create database hostdesk owner hostdesk')
    await client.end()
  }, 900_000)
  afterAll(() => {
    cluster?.stop()
    debian?.remove()
    if (container !== '') buildah('rm', '--all')
    rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })

  it('says how it is run: as nobody, with a health check', () => {
    const { Docker } = JSON.parse(made('inspect', '--type=image', 'localhost/hostdesk')) as Image
    expect(Docker.config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['bin/node', 'app/cli/main.ts'],
      Cmd: ['start'],
      Healthcheck: { Test: ['CMD', 'bin/node', 'deploy/container/health.mjs'] },
    })
  })

  it('holds no shell, and runs the command line as that user', () => {
    const inside = (...command: string[]) => buildah('run', '--isolation=chroot', container, '--', ...command)
    expect(inside('bin/node', 'app/cli/main.ts', '--version')).toMatchObject({ status: 0 })
    expect(inside('bin/node', '-p', 'process.getuid()').said).toBe('65532')
    expect(inside('/bin/sh', '-c', 'id').complained).toContain('no such file or directory')
  })

  it('migrates the database, answers, and tells its health', async () => {
    const port = await freePort()
    const { RUN_AS_ROOT: _, ...settings } = production
    const given = {
      ...settings,
      PORT: String(port),
      PUBLIC_ORIGIN: 'https://account.example.com',
      TRUSTED_PROXIES: '1',
      DATABASE_URL: must(cluster).url('hostdesk', 'hostdesk'),
    }
    const env = Object.entries(given).map(([name, value]) => `--env=${name}=${value}`)
    const isHealthy = () => {
      const check = ['bin/node', 'deploy/container/health.mjs']
      return buildah('run', '--isolation=chroot', ...env, container, '--', ...check).status === 0
    }
    expect(isHealthy()).toBe(false)
    const command = [
      'run',
      '--isolation=chroot',
      ...env,
      container,
      '--',
      'bin/node',
      'app/cli/main.ts',
      'start',
    ]
    const product = spawn('buildah', [...store, ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    product.stdout.on('data', (text: Buffer) => (output += String(text)))
    product.stderr.on('data', (text: Buffer) => (output += String(text)))
    const gone = once(product, 'exit')
    try {
      const ready = () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ status }) => status,
          () => output,
        )
      await expect.poll(ready, { timeout: 60_000 }).toBe(200)
      expect(isHealthy()).toBe(true)
      const { pid } = JSON.parse(must(/\{[^\n]*"msg":"ready"[^\n]*/.exec(output))[0]) as { pid: number }
      expect(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]).toBe('65532')
      process.kill(pid, 'SIGTERM')
      await gone
      expect(product.exitCode).toBe(0)
    } finally {
      product.kill('SIGTERM')
    }
    expect(isHealthy()).toBe(false)
  })
})
