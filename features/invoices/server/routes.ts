import type { Handler } from '#foundation/server/http/handler.ts'
import * as billing from './billing.ts'
import { getCustomerStatus } from './customer-vat-status.ts'
import * as download from './download.ts'
import * as read from './read.ts'
import { answerPlace, getPlace, listQuestions } from './place-questions.ts'
import { preview, reissue } from './reissue.ts'
import { listVatIds } from './vat-id-list.ts'
import { checkCustomer, overrideVat } from './vat-override.ts'
import { getStatus } from './vat-status.ts'

export const routes: readonly Handler[] = [
  read.list,
  billing.getBilling,
  billing.saveBilling,
  getStatus,
  getCustomerStatus,
  overrideVat,
  checkCustomer,
  listVatIds,
  getPlace,
  answerPlace,
  listQuestions,
  preview,
  reissue,
  read.get,
  download.pdf,
  download.xrechnung,
]
