import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { vi } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'

/** True if versitygw is installed, a third-party S3 server that keeps its objects in a folder. */
export const hasS3Server = (): boolean => spawnSync('sh', ['-c', 'command -v versitygw']).status === 0

export type S3Server = {
  port: number
  key: string
  secret: string
  /** The path of the server's TLS certificate, which is self-signed. */
  ca: string
  /** Returns the folder in which the server keeps the objects of a bucket as files. */
  folderOf(bucket: string): string
  stop(): Promise<void>
}

/** Starts an S3 server in `folder` with these buckets, which keep versions of their objects. */
export async function startS3Server(
  folder: string,
  buckets: readonly string[],
  { tls: hasTls = true } = {},
): Promise<S3Server> {
  const [root, versions, tls] = ['root', 'versions', 'tls'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const made of [versions, tls, ...buckets.map((name) => path.join(root, name))])
    mkdirSync(made, { recursive: true })
  const [ca, privateKey] = [path.join(tls, 'cert.pem'), path.join(tls, 'key.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const files = ['-keyout', privateKey, '-out', ca]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names, ...files],
    { stdio: 'ignore' },
  )
  // The user of PostgreSQL must be able to read the certificate.
  chmodSync(tls, 0o755)
  const port = await freePort()
  const [key, secret] = ['hostdesk', '0123456789abcdef']
  const access = ['--access', key, '--secret', secret, '--port', `127.0.0.1:${port}`, '--quiet']
  const certificate = hasTls ? ['--cert', ca, '--key', privateKey] : []
  const command = [...access, ...certificate, 'posix', '--versioning-dir', versions, root]
  const child = spawn('versitygw', command, { stdio: 'ignore' })
  await vi.waitFor(() => reach(port), { timeout: 30_000 })
  return {
    port,
    key,
    secret,
    ca,
    folderOf: (bucket) => path.join(root, bucket),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function reach(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}
