import { randomUUID } from 'node:crypto'
import { must } from '#foundation/must.ts'

/** Returns an unused address. Its local part has letters only: a password that looks like a part of its owner's address is refused. */
export const anyEmail = (): string =>
  `${randomUUID().replaceAll(/[\d-]/g, (sign) => (sign === '-' ? '' : must('ghijklmnop'[Number(sign)])))}@example.com`
