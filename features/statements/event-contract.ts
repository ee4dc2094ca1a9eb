import { seeMoney } from '#foundation/capability.ts'
import { published } from '#foundation/published.ts'
import { issuedStatement } from './shapes.ts'

export const statementIssued = published('statement.issued', {
  summary: 'The signed statement of a month can be downloaded.',
  data: issuedStatement,
  opens: seeMoney,
})
