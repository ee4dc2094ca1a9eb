export { keepStatements } from './keep-statements.ts'
