export { bookExact } from './book-exact.ts'
export { keepStatements } from './keep-statements.ts'
export { profileNamed } from './profile-queries.ts'
export { readFileStatements } from './read-file.ts'
