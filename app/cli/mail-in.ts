import { isOurAddress, MOST_MAIL_BYTES, receive } from '#features/support/server/support.ts'
import { BadData, NoUser, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'

/** `mail receive [--to ADDRESS]`. Throws NoUser for another address, BadData for no bytes and for too many, WrongUse where no mails come in. */
export async function receiveMail(surroundings: CommandEnvironment, { to }: Options): Promise<Answer> {
  const { mailIn } = surroundings.config
  if (!mailIn) throw new WrongUse('MAIL_IN_DOMAIN is not set: no mails come in.')
  const recipient = typeof to === 'string' ? to : undefined
  if (recipient !== undefined && !isOurAddress(mailIn, recipient))
    throw new NoUser(`${recipient} is no address of this installation.`)
  const bytes = await allOf(process.stdin)
  return withApp(surroundings, async (app) => {
    const isNew = await receive(app, { bytes, way: 'pipe', recipient })
    return { lines: [isNew ? 'The mail is stored.' : 'The mail was stored before.'], data: { new: isNew } }
  })
}

async function allOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of stream) {
    size += piece.length
    if (size > MOST_MAIL_BYTES) throw new BadData(`The mail has more than ${MOST_MAIL_BYTES} bytes.`)
    pieces.push(piece)
  }
  if (size === 0) throw new BadData('There is no mail at standard input.')
  return Buffer.concat(pieces)
}
