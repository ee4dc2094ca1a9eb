export { BankDetails } from './bank-details.tsx'
export { leaveFor } from './leave-for.ts'
export { ProviderChoice, providerIn } from './provider-choice.tsx'
export { StateMessage } from './state-message.tsx'
