import type { Handler } from '#foundation/server/http/handler.ts'
import { listAudit } from './operations.ts'
import { changeBank, changeCompany, readCompany } from './company.ts'
import { restoreCompany } from './keep-section.ts'
import { changeLogo } from './logo.ts'
import { changeMailWords, listMailKinds, previewMail, readMailKind } from './mail-kinds.ts'
import { changeWords } from './mail-words.ts'
import { waive } from './setup.ts'
import * as system from './system.ts'
import { today } from './today.ts'

export const routes: readonly Handler[] = [
  today,
  listAudit,
  system.read,
  system.failed,
  system.retry,
  system.drop,
  system.dead,
  system.resend,
  waive,
  readCompany,
  changeCompany,
  changeBank,
  changeLogo,
  changeWords,
  restoreCompany,
  listMailKinds,
  readMailKind,
  changeMailWords,
  previewMail,
]
