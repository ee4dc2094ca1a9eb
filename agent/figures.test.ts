import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { checkIn } from '#agent/check-in.mjs'
import { disksIn, readFigures } from '#agent/figures.mjs'
import { releasedCheckIn } from '#tests/harness/released-check-in.ts'

it('tells of disks that can be written, each once, without /, networks and images', () => {
  const mounts = [
    'proc /proc proc rw 0 0',
    '/dev/sda1 / ext4 rw,relatime 0 0',
    '/dev/sda1 /var/lib/docker ext4 rw 0 0',
    '/dev/sdb1 /srv/my\\040data xfs rw,noatime 0 0',
    '/dev/sdb1 /mnt/again xfs rw 0 0',
    '/dev/loop0 /snap/core squashfs ro 0 0',
    '/dev/sr0 /media/cd iso9660 ro 0 0',
    '/dev/sdc1 /backup ext4 ro 0 0',
    'nas:/share /nas nfs4 rw 0 0',
    'tank/mail /var/mail zfs rw 0 0',
    '',
  ]
  expect(disksIn(mounts.join('\n'))).toEqual(['/srv/my data', '/var/mail'])
})

it('tells a server of the last release what that one takes, and understands its answer', async () => {
  const { takes, needs, answers } = releasedCheckIn()
  const values = { interval_s: 60, licence: 'a.b.c', withdrawn_keys: [], revocations_seq: 0 }
  const answer = Object.fromEntries(Object.entries(values).filter(([name]) => answers.includes(name)))
  const asked: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
      asked.push(body)
      const isTaken = Object.keys(body).every((name) => takes.includes(name))
      const status = isTaken && needs.every((name) => name in body) ? 200 : 400
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const figures = {
    ...(await readFigures()),
    fingerprint: 'f'.repeat(64),
    disks: [{ mount: '/srv', used_bytes: 1, total_bytes: 2 }],
  }
  const settings = { url: new URL(`http://127.0.0.1:${port}`), token: 'hda_x', folder: '/nowhere' }
  expect(await checkIn(settings, figures, new AbortController().signal)).toMatchObject({ interval_s: 60 })
  const { disks, ...known } = figures
  expect(asked).toEqual([{ ...known, disks }, known])
  server.close()
})
