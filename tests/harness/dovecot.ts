import { ImapFlow } from 'imapflow'
// A real IMAP server for tests: Dovecot of the operating system (Debian: dovecot-imapd), with one mailbox, in a folder of its own.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const PROGRAM = '/usr/sbin/dovecot'
export const hasDovecot = existsSync(PROGRAM)

/** Starts the server on a free port of this machine; `url` is the setting that reads its mailbox. */
export async function startDovecot() {
  const folder = await mkdtemp(path.join(tmpdir(), 'dovecot-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const home = path.join(folder, 'home')
  await mkdir(home, { recursive: true })
  const [uid, gid] = [65534, 65534]
  const { chown } = await import('node:fs/promises')
  await chown(home, uid, gid)
  const settings = path.join(folder, 'dovecot.conf')
  await writeFile(
    settings,
    `protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = no
disable_plaintext_auth = no
default_login_user = nobody
default_internal_user = nobody
default_internal_group = nogroup
first_valid_uid = 1
mail_location = maildir:${home}/mail
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${home}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`,
  )
  const server = spawn(PROGRAM, ['-F', '-c', settings], { stdio: 'ignore' })
  for (let tries = 0; tries < 200 && !(await answers(port)); tries += 1) await sleep(50)
  return {
    url: `imap://support:secret@127.0.0.1:${port}`,
    folder,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('data', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('data', () => socket.destroy())
    socket.setTimeout(2000, () => resolve(false))
  })

/** Returns a client that is signed in to the mailbox at an address of `startDovecot`. */
export async function mailboxAt(address: string): Promise<ImapFlow> {
  const { hostname: host, port, username: user, password: pass } = new URL(address)
  const client = new ImapFlow({
    host,
    port: Number(port),
    doSTARTTLS: false,
    auth: { user, pass },
    logger: false,
  })
  await client.connect()
  return client
}
