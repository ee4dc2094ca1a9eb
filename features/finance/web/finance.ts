export { BankDetails } from './bank-details.tsx'
export { leaveFor } from './leave-for.ts'
export { ProviderChoice, providerIn, ProviderOption } from './provider-choice.tsx'
export { StateMessage } from './state-message.tsx'
